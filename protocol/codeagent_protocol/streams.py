"""The ends of pipes, in a form that an event loop can poll.

Windows polls nothing but sockets: a thread there copies between pipe and socket (`socket_pipes`).
"""

from __future__ import annotations

import sys

from .stream import Stream


def reading(fd: int, *, waits: bool = False) -> Stream:
    """Return the reading end of the pipe with the descriptor `fd`."""
    if sys.platform == "win32":
        from .socket_pipes import Incoming

        return Incoming(fd, waits=waits)
    return Stream(fd, waits=waits)


def writing(fd: int) -> Stream:
    """Return the writing end of the pipe with the descriptor `fd`."""
    if sys.platform == "win32":
        from .socket_pipes import Outgoing

        return Outgoing(fd)
    return Stream(fd)

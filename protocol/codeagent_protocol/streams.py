"""Ends of pipes that a loop can poll.

Windows polls nothing but sockets: there a thread stands between (`socket_pipes`).
"""

from __future__ import annotations

import sys

from .stream import Stream


def reading(fd: int, *, waits: bool = False) -> Stream:
    """The end of a pipe that is read."""
    if sys.platform == "win32":
        from .socket_pipes import Incoming

        return Incoming(fd, waits=waits)
    return Stream(fd, waits=waits)


def writing(fd: int) -> Stream:
    """The end of a pipe that is written."""
    if sys.platform == "win32":
        from .socket_pipes import Outgoing

        return Outgoing(fd)
    return Stream(fd)

"""The ownership of a socket's name: the socket is bound so that no other user can connect, no client is cut off, and a
successor's socket is never removed.

These are plain sockets, so that a daemon listens before it has imported large modules. ZeroMQ takes the descriptor over
later. With a descriptor that is passed to it, it never touches the file; its own bind() would remove any file of the
name, and its close() any file that has the name by then. A service manager's socket is passed on in the same way.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys

BACKLOG = 256  # windows that may be waiting while the daemon still imports; an editor restores a few dozen at once
_PRIVATE = 0o177  # umask: connecting needs write permission, which only the owner gets


class Listener:
    """A listening unix socket at `path`, with mode 0600 from its first moment. `given`: a socket on which a service
    manager listens, and which it keeps.
    """

    def __init__(self, path: str, inherited: socket.socket | None = None) -> None:
        self.path = path
        self.is_given = inherited is not None
        self._socket = inherited or _bound(path)
        self._status = os.stat(path)

    def hand_over(self) -> int:
        """Return the descriptor of the socket, which the caller then owns."""
        return self._socket.detach()

    def close(self) -> None:
        """Stop listening, if the descriptor was not handed over; the file stays."""
        self._socket.close()

    def unlink(self) -> None:
        """Remove the file, unless it belongs to a service manager or a socket of another process has taken its name."""
        if self.is_given:
            return
        with contextlib.suppress(OSError):
            if os.path.samestat(os.stat(self.path), self._status):
                os.unlink(self.path)


def listener(path: str, fd: int = -1) -> Listener:
    """Return a listener at `path`. It uses the descriptor `fd` that a service manager passed, if connecting to `path`
    leads to it; else a new socket.
    """
    inherited = _as_given(path, fd) if fd >= 0 else None
    return Listener(path, inherited)


def _as_given(path: str, fd: int) -> socket.socket | None:
    """The socket of a passed descriptor, if it listens at `path` and no other daemon's socket has taken that name
    since; else None.
    """
    if sys.platform == "win32":
        return None
    try:
        inherited = socket.socket(fileno=fd)
    except OSError:
        return None
    try:
        listens = inherited.family == socket.AF_UNIX and bool(
            inherited.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        )
        if listens and os.path.realpath(inherited.getsockname()) == os.path.realpath(path):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
                # this process holds the life lock, so a socket file of a dead daemon refuses the connection
                probe.connect(path)
            os.chmod(path, 0o600)
            return inherited
    except OSError:
        pass
    inherited.close()
    return None


def _bound(path: str) -> socket.socket:
    """Bind a socket under another name, then rename it: clients find either the old socket or the new one, which
    already listens.
    """
    if sys.platform == "win32":
        raise OSError(errno.EAFNOSUPPORT, "there are no local sockets here")
    temporary = f"{path}~"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(_PRIVATE)
    try:
        listening.bind(temporary)
        listening.listen(BACKLOG)
        os.rename(temporary, path)
    except OSError:
        listening.close()
        raise
    finally:
        os.umask(before)
    return listening

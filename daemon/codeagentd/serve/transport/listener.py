"""Ownership of a socket's name: it is bound so that no other process can connect, no client is cut off, and no
successor's socket is ever removed.

Plain sockets: a daemon listens before it has imported anything large. ZeroMQ takes the descriptor over later, and with
one that is passed to it never touches the file: its own bind() removes any file of the name, and its close() any file
that has it by then. A service manager's socket is passed on the same way.
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
    """A listening unix socket at `path`, mode 0600 from its first moment; `given`: one that a service manager listens
    on and keeps.
    """

    def __init__(self, path: str, inherited: socket.socket | None = None) -> None:
        self.path = path
        self.is_given = inherited is not None
        self._socket = inherited or _bound(path)
        self._status = os.stat(path)

    def hand_over(self) -> int:
        """The descriptor, which the caller now owns."""
        return self._socket.detach()

    def close(self) -> None:
        """Stop listening, if the descriptor is still ours; the file stays."""
        self._socket.close()

    def unlink(self) -> None:
        """Remove the file, unless it is a service manager's, or a socket of another process has taken its name."""
        if self.is_given:
            return
        with contextlib.suppress(OSError):
            if os.path.samestat(os.stat(self.path), self._status):
                os.unlink(self.path)


def listener(path: str, fd: int = -1) -> Listener:
    """A listener on the descriptor that a service manager passed, where connecting to `path` leads to it; else on a new
    one.
    """
    inherited = _as_given(path, fd) if fd >= 0 else None
    return Listener(path, inherited)


def _as_given(path: str, fd: int) -> socket.socket | None:
    """The socket behind a descriptor, if it listens at `path` and no other daemon's has taken that name since."""
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
                probe.connect(path)  # we hold the life lock: a file that a dead daemon left there refuses
            os.chmod(path, 0o600)
            return inherited
    except OSError:
        pass
    inherited.close()
    return None


def _bound(path: str) -> socket.socket:
    """Bind under another name and rename: clients find either the old socket or the new one, listening."""
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

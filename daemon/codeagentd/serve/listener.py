"""Who owns the name of a socket? Binding it so that nobody else can connect, nobody is cut off, and no successor's is ever removed.

Plain sockets: a daemon listens before it has imported anything large. ZeroMQ takes the descriptor over later, and with one that is given to it never
touches the file: its own bind() removes whatever has the name, and its close() whatever has it by then.
"""

from __future__ import annotations

import contextlib
import os
import socket

BACKLOG = 256  # windows that may be waiting while the daemon still imports; an editor restores a few dozen at once
_PRIVATE = 0o177  # umask: connecting needs write permission, which only the owner gets


class Listener:
    """A listening unix socket at `path`, mode 0600 from its first moment."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._socket = _bound(path)
        self._status = os.stat(path)

    def hand_over(self) -> int:
        """The descriptor, which the caller now owns."""
        return self._socket.detach()

    def close(self) -> None:
        """Stop listening, if the descriptor is still ours; the file stays."""
        self._socket.close()

    def unlink(self) -> None:
        """Remove the file, unless somebody else's has taken its name."""
        with contextlib.suppress(OSError):
            if os.path.samestat(os.stat(self.path), self._status):
                os.unlink(self.path)


def _bound(path: str) -> socket.socket:
    """Bind under another name and rename: clients find either the old socket or the new one, listening."""
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

"""One end of a pipe, in a form that an event loop can poll."""

from __future__ import annotations

import os
import sys


class Stream:
    """One end of a pipe. `fd` is the descriptor to poll.

    The descriptor is made non-blocking. With `waits` it is left unchanged, and must only be read when bytes are
    available.
    """

    fd: int

    def __init__(self, fd: int, *, waits: bool = False) -> None:
        self.fd = fd
        if sys.platform != "win32":
            self._was_blocking = os.get_blocking(fd)
            os.set_blocking(fd, waits and self._was_blocking)

    def read(self, count: int) -> bytes:
        """Return the available bytes, at most `count`; b"" at the end.

        Errors: BlockingIOError, where no bytes are available yet; OSError.
        """
        return os.read(self.fd, count)

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """Write as many bytes of `data` as fit now; return how many were written.

        Errors: BlockingIOError, where nothing fits; OSError, also when the reader is gone.
        """
        return os.write(self.fd, data)

    def end(self) -> None:
        """Restore the descriptor's original blocking mode: a terminal is shared with the shell."""
        if sys.platform != "win32":
            os.set_blocking(self.fd, self._was_blocking)

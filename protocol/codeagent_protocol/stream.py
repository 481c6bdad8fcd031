"""One end of a pipe that a loop can poll."""

from __future__ import annotations

import os
import sys


class Stream:
    """One end of a pipe: `fd` is what to poll.

    It is made non-blocking, unless `waits`: then it is left as it was found, and read when there is something.
    """

    fd: int

    def __init__(self, fd: int, *, waits: bool = False) -> None:
        self.fd = fd
        if sys.platform != "win32":
            self._was_blocking = os.get_blocking(fd)
            os.set_blocking(fd, waits and self._was_blocking)

    def read(self, count: int) -> bytes:
        """Read the available bytes, at most so many; nothing at the end.

        Errors: BlockingIOError, where nothing is there yet; OSError.
        """
        return os.read(self.fd, count)

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """Write what fits now; return how much that was.

        Errors: BlockingIOError, where nothing fits; OSError, also when the reader is gone.
        """
        return os.write(self.fd, data)

    def end(self) -> None:
        """Leave the descriptor as it was found: a terminal is shared with the shell."""
        if sys.platform != "win32":
            os.set_blocking(self.fd, self._was_blocking)

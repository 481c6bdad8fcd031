"""Writing to a pipe whose reader may be slow, or read no more, without ever waiting for it."""

from __future__ import annotations

from collections import deque
from typing import Final

from .streams import writing

MOST_BYTES: Final = 1024 * 1024  # waiting for a reader, beyond which no more should be put in


class Outbox:
    """Messages on their way to a file descriptor, each with `end` after it; it knows when it should take no more.

    `fd` is what to poll.
    """

    def __init__(self, fd: int, end: bytes = b"") -> None:
        self._stream = writing(fd)
        self.fd = self._stream.fd
        self.is_closed = False  # the reader is gone
        self._end = end
        self._waiting: deque[memoryview] = deque()
        self._bytes = 0

    @property
    def has_room(self) -> bool:
        """Whether more should be put in: false while a reader that does not read owes us a megabyte."""
        return self._bytes < MOST_BYTES

    @property
    def is_empty(self) -> bool:
        """Whether everything has been written."""
        return not self._waiting

    def put(self, message: bytes) -> None:
        """Write a message, now or when it is read."""
        self._waiting.append(memoryview(message + self._end))
        self._bytes += len(message) + len(self._end)
        if len(self._waiting) == 1:
            self.flush()

    def flush(self) -> None:
        """Write what the reader takes now."""
        try:
            while self._waiting:
                first = self._waiting[0]
                written = self._stream.write(first)
                self._bytes -= written
                if written < len(first):
                    self._waiting[0] = first[written:]
                else:
                    self._waiting.popleft()
        except BlockingIOError:
            return
        except OSError:
            self.is_closed = True
            self._waiting.clear()
            self._bytes = 0

    def restore(self) -> None:
        """Leave the descriptor as it was found: a terminal is shared with the shell."""
        self._stream.end()

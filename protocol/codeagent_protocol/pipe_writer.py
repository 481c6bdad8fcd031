"""Writing to a pipe whose reader may be slow or read no more, without ever waiting for the reader."""

from __future__ import annotations

from collections import deque
from typing import Final

from .streams import writing

MOST_BYTES: Final = 1024 * 1024  # bytes that may wait for a reader before no more should be added


class Outbox:
    """Messages on their way to a file descriptor, each followed by `end`, with a bound on how much may wait.

    `fd` is the descriptor to poll.
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
        """Whether more messages may be added: False while a megabyte waits for a reader that does not read."""
        return self._bytes < MOST_BYTES

    @property
    def is_empty(self) -> bool:
        """Whether all messages have been written."""
        return not self._waiting

    def put(self, message: bytes) -> None:
        """Write a message, at once or when the reader has room."""
        self._waiting.append(memoryview(message + self._end))
        self._bytes += len(message) + len(self._end)
        if len(self._waiting) == 1:
            self.flush()

    def flush(self) -> None:
        """Write as much as the reader takes without waiting."""
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
        """Restore the descriptor's original blocking mode: a terminal is shared with the shell."""
        self._stream.end()

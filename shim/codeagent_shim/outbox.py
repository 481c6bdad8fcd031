"""Writing lines to a client that may read slowly, or no more."""

from __future__ import annotations

from collections import deque

from codeagent_protocol.streams import writing

from .limits import OUTBOX_BYTES


class Outbox:
    """Lines on their way to a file descriptor, which is made non-blocking. Never waits, and knows when to stop taking more."""

    def __init__(self, fd: int) -> None:
        self._stream = writing(fd)
        self.fd = self._stream.fd
        self.is_closed = False  # the reader is gone
        self._waiting: deque[memoryview] = deque()
        self._bytes = 0

    @property
    def has_room(self) -> bool:
        """Whether more lines should be put in: false while a client that does not read owes us a megabyte."""
        return self._bytes < OUTBOX_BYTES

    @property
    def is_empty(self) -> bool:
        """Whether everything has been written."""
        return not self._waiting

    def put(self, line: bytes) -> None:
        """Write one line (without its newline), now or when the client reads."""
        self._waiting.append(memoryview(line + b"\n"))
        self._bytes += len(line) + 1
        if len(self._waiting) == 1:
            self.flush()

    def flush(self) -> None:
        """Write what the client takes now."""
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

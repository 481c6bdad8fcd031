"""Positions in a source: the conversion of byte offsets to lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, count
from operator import add


class Places:
    """The starts of the lines of one source. Lines count from 1, columns from 0 in characters."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self.is_ascii = source.isascii()
        lengths = map(len, source.split(b"\n"))
        self.starts = [0, *map(add, accumulate(lengths), count(1))]
        self.starts.pop()  # the sum after the last line begins no further one

    @property
    def lines(self) -> int:
        """The number of lines; a trailing newline begins no further line."""
        return len(self.starts) - (self.starts[-1] == len(self._source) and len(self.starts) > 1)

    def line(self, offset: int) -> int:
        """Return the line of the byte offset `offset`."""
        return bisect_right(self.starts, offset)

    def column(self, offset: int, line: int) -> int:
        """Return the column of the byte offset `offset` on `line`, in characters."""
        start = self.starts[line - 1]
        return offset - start if self.is_ascii else len(self._source[start:offset].decode(errors="replace"))

    def offset(self, line: int, column: int) -> int:
        """Return the byte offset of a place: the inverse of `line` and `column`."""
        start: int = self.starts[line - 1]
        if self.is_ascii:
            return start + column
        end = self.starts[line] if line < len(self.starts) else len(self._source)
        return start + len(self._source[start:end].decode(errors="replace")[:column].encode())

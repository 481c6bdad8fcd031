"""Positions in a text: those of the Language Server Protocol, in three encodings, and those of the index.

The protocol counts lines from 0 and ends them at LF, CRLF and CR; it counts columns in units of the negotiated
encoding. The index counts lines from 1 and ends them at LF; it counts columns in characters, without a byte order mark.
Source: Language Server Protocol 3.17, "Position" and "Text Documents".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Final

import msgspec

from codeagentd.model.documents import Place

BOM: Final = "\ufeff"
MOST: Final = 2**31 - 1  # the protocol's largest number

_LINE_ENDS: Final = re.compile(r"\r\n|\n|\r")
_LONE_RETURN: Final = re.compile(r"\r(?!\n)")


class Encoding(StrEnum):
    """The unit in which a client counts columns."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Position(msgspec.Struct, frozen=True, order=True):
    """A position of the protocol: line and column from 0, the column in units of the encoding."""

    line: int
    character: int


class Range(msgspec.Struct, frozen=True):
    """A range of the protocol; `end` is exclusive."""

    start: Position
    end: Position


def chosen_encoding(offered: object) -> Encoding:
    """Return the first encoding in `offered`, the client's list, that is known; UTF-16, which all know, without one."""
    known = {str(encoding): encoding for encoding in Encoding}
    names = offered if isinstance(offered, list) else []
    return next((known[name] for name in names if isinstance(name, str) and name in known), Encoding.UTF16)


def units(text: str, encoding: Encoding) -> int:
    """Return the length of `text` in units of `encoding`."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def characters(line: str, count: int, encoding: Encoding) -> int:
    """Return how many characters of `line` its first `count` units are, at most all. A unit inside a character counts
    as its beginning.
    """
    if encoding is Encoding.UTF32 or line.isascii():
        return max(0, min(count, len(line)))
    passed = 0
    for number, sign in enumerate(line):
        passed += units(sign, encoding)
        if passed > count:
            return number
    return len(line)


class TextLines:
    """A text, and the conversion of its positions."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> Sequence[int]:
        """The offsets at which the lines of the protocol start."""
        return [0, *(match.end() for match in _LINE_ENDS.finditer(self.text))]

    @cached_property
    def _index_starts(self) -> Sequence[int]:
        """The offsets at which the lines of the index start."""
        first = len(BOM) if self.text.startswith(BOM) else 0
        if not first and not _LONE_RETURN.search(self.text):
            return self._starts
        return [first, *(match.end() for match in re.finditer("\n", self.text))]

    @property
    def count(self) -> int:
        """The number of lines of the index."""
        return len(self._index_starts)

    @cached_property
    def all(self) -> Sequence[str]:
        """The lines of the index without their ends."""
        return [line.removesuffix("\r") for line in self.text.removeprefix(BOM).split("\n")]

    def line(self, number: int) -> str:
        """Return the line `number` of the index, from 1, without its end; '' beyond the text."""
        starts = self._index_starts
        if not 0 < number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].removesuffix("\r")

    def offset(self, position: Position, encoding: Encoding) -> int:
        """Return the offset of a position in characters. Beyond the end of a line it is that end, and beyond the text
        its end.
        """
        starts = self._starts
        if position.line >= len(starts):
            return len(self.text)
        start = starts[position.line]
        end = starts[position.line + 1] if position.line + 1 < len(starts) else len(self.text)
        line = self.text[start:end].rstrip("\r\n") if position.line + 1 < len(starts) else self.text[start:end]
        return start + characters(line, position.character, encoding)

    def position(self, offset: int, encoding: Encoding) -> Position:
        """Return the position at an offset in characters."""
        line = bisect_right(self._starts, offset) - 1
        return Position(line, units(self.text[self._starts[line] : offset], encoding))

    def place(self, offset: int) -> Place:
        """Return the place in the index of an offset in characters."""
        line = max(bisect_right(self._index_starts, offset), 1)
        return Place(line, max(0, offset - self._index_starts[line - 1]))

    def offset_of(self, place: Place) -> int:
        """Return the offset of a place of the index, at most the end of its line, or of the text."""
        starts = self._index_starts
        if place.line > len(starts):
            return len(self.text)
        start = starts[max(place.line, 1) - 1]
        end = starts[place.line] - 1 if place.line < len(starts) else len(self.text)
        return min(start + max(place.column, 0), max(end, start))

    def range(self, place: Place, length: int, encoding: Encoding) -> Range:
        """Return the range of `length` characters at a place."""
        offset = self.offset_of(place)
        return self.span(offset, min(offset + length, len(self.text)), encoding)

    def lines_range(self, first: int, last: int, encoding: Encoding) -> Range:
        """Return the range from the start of the line `first` of the index to the end of its line `last`."""
        start = self.offset_of(Place(first, 0))
        return self.span(start, start if last < first else self.offset_of(Place(last, MOST)), encoding)

    def span(self, start: int, end: int, encoding: Encoding) -> Range:
        """Return the range between two offsets."""
        return Range(self.position(start, encoding), self.position(end, encoding))

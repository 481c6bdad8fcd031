"""The parts of a mixed file: each is a source in one embedded language."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Final, NamedTuple

from tree_sitter import Node

DEEPEST: Final = 32  # elements inside of each other that give one name a meaning

Place = tuple[int, int]  # (line from 1, column from 0)
Hidden = dict[str, list[tuple[Place, Place]]]  # names that have another meaning between two places, in their order


class Part(NamedTuple):
    """A part of a mixed file: ranges of bytes that form one source in one language."""

    language: str
    ranges: list[tuple[int, int]]
    line: int = 0  # where it begins
    # the text to read instead of the file's: of the same length, with the same lines, unless there is an `origin`
    source: bytes = b""
    # from (line, column) in `source`, which is all of the part, to those in the file
    origin: Callable[[int, int], tuple[int, int]] | None = None
    is_nested: bool = False  # its definitions belong to the symbol around it
    is_shared: bool = False  # its definitions are visible in the other shared parts
    is_component: bool = False  # its default export is the file
    has_imports: bool = True  # its imports and exports are those of the file
    counts: bool = True  # its parse errors count for the file
    hidden: Hidden = {}
    sigil: str = ""  # may precede a name of another part

    def hides(self, name: str, line: int, col: int) -> bool:
        """Whether the text around the position `line`, `col` binds `name` itself, so that it does not refer to the
        names of the other parts.
        """
        ranges = self.hidden.get(name)
        if not ranges:
            return False
        at = bisect_right(ranges, (line, col), key=itemgetter(0))
        return any((line, col) < last for _, last in ranges[max(0, at - DEEPEST) : at])


Rule = Callable[[Node, bytes], Iterable[Part]]

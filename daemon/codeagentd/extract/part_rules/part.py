"""What a rule of parts yields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tree_sitter import Node


class Hidden(NamedTuple):
    """Names that mean something else between two places, given as (line from 1, column from 0)."""

    first: tuple[int, int]
    last: tuple[int, int]
    names: frozenset[str]


class Part(NamedTuple):
    """Ranges of bytes that are one source in one language."""

    language: str
    ranges: list[tuple[int, int]]
    line: int = 0  # where it begins
    source: bytes = b""  # the text to read instead of the file's: of the same length, with the same lines
    is_nested: bool = False  # its definitions belong to the symbol that it stands in
    is_shared: bool = False  # what it defines is known to the other shared parts
    is_component: bool = False  # its default export is the file
    has_imports: bool = True  # what it imports and exports, the file imports and exports
    counts: bool = True  # its errors are the file's
    hidden: tuple[Hidden, ...] = ()
    sigil: str = ""  # may stand before a name of another part

    def hides(self, name: str, line: int, col: int) -> bool:
        """Whether the text around a place gives a name a meaning of its own."""
        return any(name in hidden.names and hidden.first <= (line, col) < hidden.last for hidden in self.hidden)


Rule = Callable[[Node, bytes], Iterable[Part]]

"""Identifier spans: the names of a file that may be references, and which of them are names of types."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import islice
from operator import attrgetter, eq
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures

from .multi_node_names import irregular
from .parsed_file import ParsedFile
from .receiver_positions import ReceiverPositions
from .sigil_names import Spelled

_RANGE: Final[Callable[[Node], tuple[int, int]]] = attrgetter("byte_range")


def _in_types(captures: Captures) -> Iterator[tuple[int, int]]:
    """List the ranges of the names that are types in a region of types, and nothing elsewhere."""
    regions = sorted(map(_RANGE, captures.get("region.type", ())))
    starts, end = [start for start, _ in regions], 0
    ends = [end := max(end, last) for _, last in regions]
    for start, end in map(_RANGE, captures.get("typename.region", ())):
        at = bisect_right(starts, start) - 1
        if at >= 0 and end <= ends[at]:
            yield start, end


class IdentifierSpans:
    """The names of one file that may be references. `types`: start -> end of the names of types."""

    def __init__(self, file: ParsedFile, spelled: Spelled | None) -> None:
        self._file = file
        self._spelled = spelled
        self._spans: list[tuple[int, int]] | None = None
        self._irregular, types = irregular(file.captures, file.source)
        self.types = dict([node.byte_range for node in file.captures.get("typename", ())]) | types
        self.types |= dict(_in_types(file.captures))
        for node in file.captures.get("plain", ()):  # a type to the grammar, which cannot know
            self.types.pop(node.start_byte, None)

    def spans(self, positions: ReceiverPositions, destructured: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
        """Return (start, end) of every name that may be a reference, in document order. `destructured` are the ranges
        of members that patterns name.
        """
        if self._spans is None:
            self._spans = self._collect(positions, destructured)
        return self._spans

    def _collect(self, positions: ReceiverPositions, destructured: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
        if self._spelled:
            return self._spelled.spans
        captures = self._file.captures
        spans = map(_RANGE, captures.get("ref", ()))
        members = [node.byte_range for node in captures.get("member", ()) if positions.is_member(*node.byte_range)]
        if self._irregular:
            return sorted((dict([*spans, *members, *self.types.items()]) | self._irregular).items())
        more = [*members, *self.types.items(), *self._file.hidden.items(), *destructured]
        ordered = sorted([*spans, *more])
        is_distinct = not any(map(eq, ordered, islice(ordered, 1, None)))  # as they nearly always are
        return ordered if is_distinct else list(dict.fromkeys(ordered))

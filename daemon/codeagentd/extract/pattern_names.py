"""The names that whole patterns bind, in languages whose grammars have the same nodes for patterns and expressions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from tree_sitter import Node

from .captures import Captures


def names_in_patterns(captures: Captures, source: bytes) -> list[tuple[int, int]]:
    """Return (start, end) of every @ref that begins with a small letter inside of a @bind.pattern, but outside of any
    @bind.outside, in document order.
    """
    if not captures.get("bind.pattern"):
        return []
    inside, outside = _Ranges(captures["bind.pattern"]), _Ranges(captures.get("bind.outside", ()))
    return [
        (start, end)
        for start, end in sorted([node.byte_range for node in captures.get("ref", ())])
        if inside.contain(start) and not outside.contain(start) and _is_small(source[start:end])
    ]


def _is_small(name: bytes) -> bool:
    first = name.decode(errors="replace")[:1]
    return first.islower() or first == "_"


class _Ranges:
    """The ranges of nodes, which may lie inside of each other."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        ranges = sorted([node.byte_range for node in nodes])
        self._starts = [start for start, _ in ranges]
        self._ends = [*accumulate((end for _, end in ranges), max)]  # the farthest end up to each range

    def contain(self, offset: int) -> bool:
        """Whether `offset` is in one of the ranges."""
        at = bisect_right(self._starts, offset) - 1
        return at >= 0 and offset < self._ends[at]

"""Answers that are remembered, though finding one may ask for others that ask for it again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

DEEPEST: Final = 40  # questions below each other: a value that is another's, and so on; each takes up to fifteen calls of the thousand that Python allows
_NEVER: Final = 1 << 30  # deeper than any question


class Memory:
    """Keeps answers in tables of whoever asks. What it answers does not depend on what was asked before.

    A question that comes up again while its answer is being found is `cyclic` there. Answers found meanwhile that rest on this are kept until that answer
    is known, and then forgotten: asked again, they rest on what is known. While nothing is `doubtful`, the tables may be read without asking here.
    """

    def __init__(self) -> None:
        self._open: dict[tuple[int, Hashable], int] = {}  # what is being found -> how many questions it stands below
        self._lowest = _NEVER  # the outermost question that an answer being found rests on, besides itself
        self.doubtful: dict[tuple[int, Hashable], tuple[dict[Any, Any], int]] = {}  # kept for now -> its table, and the question that it rests on

    def answer(self, table: dict[K, T], key: K, find: Callable[[], T], cyclic: T) -> T:
        """What the table has, else what is found."""
        mark = (id(table), key)
        if key in table:
            if kept := self.doubtful.get(mark):
                self._lowest = min(self._lowest, kept[1])
            return table[key]
        if mark in self._open:
            self._lowest = min(self._lowest, self._open[mark])
            return cyclic
        if len(self._open) >= DEEPEST:
            self.give_up()
            return cyclic
        depth, kept_before = len(self._open), len(self.doubtful)
        self._open[mark] = depth
        outer, self._lowest = self._lowest, _NEVER
        try:
            found = table[key] = find()
        finally:
            del self._open[mark]
            rests_on, self._lowest = self._lowest, outer
        if rests_on < depth:
            self.doubtful[mark] = (table, rests_on)
            self._lowest = min(outer, rests_on)
            return found
        while len(self.doubtful) > kept_before:  # what was found meanwhile rests on this question at most, or this would rest on another itself
            (_, forgotten), (where, _) = self.doubtful.popitem()
            del where[forgotten]
        return found

    def give_up(self) -> None:
        """A chain has become too long: what is being found may have another answer when it is asked for by itself."""
        if self._open:
            self._lowest = 0

"""Answers that are remembered, though finding one may ask for others that ask for it again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, ParamSpec, TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
P = ParamSpec("P")

# questions below each other: a value that is another's, and so on; each takes up to fifteen calls of the thousand that
# Python allows
DEEPEST: Final = 40
_NEVER: Final = 1 << 30  # deeper than any question


class CycleState:
    """What the tables of one state of the repository have in common: which answers are being found, and which rest on
    these.
    """

    def __init__(self) -> None:
        self.open: dict[
            tuple[QueryCache[Any, Any], Hashable], int
        ] = {}  # what is being found -> how many questions it stands below
        self.lowest = _NEVER  # the outermost question that an answer being found rests on, besides itself
        self.doubtful: dict[
            tuple[QueryCache[Any, Any], Hashable], int
        ] = {}  # kept for now -> the question that it rests on

    def mark_incomplete(self) -> None:
        """A chain has become too long: what is being found may have another answer when it is asked for by itself."""
        if self.open:
            self.lowest = 0

    def drop_provisional(self, count: int) -> None:
        """Drop all that is doubtful but for the first so many."""
        while len(self.doubtful) > count:
            (table, key), _ = self.doubtful.popitem()
            table.forget(key)


class QueryCache(Generic[K, T]):
    """Answers to questions of one kind. What it answers does not depend on what was asked before.

    A question that comes up again while its answer is being found is `cyclic` there. Answers found meanwhile that rest
    on this are kept until that answer is known, and then forgotten: asked again, they rest on what is known.
    """

    def __init__(self, memory: CycleState) -> None:
        self._memory = memory
        self._known: dict[K, T] = {}

    def get_or_compute(self, key: K, cyclic: T, find: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What is known, else what is found."""
        memory = self._memory
        if key in self._known:
            if memory.doubtful and (rests_on := memory.doubtful.get((self, key))) is not None:
                memory.lowest = min(memory.lowest, rests_on)
            return self._known[key]
        if self.is_being_found(key):
            return cyclic
        if len(memory.open) >= DEEPEST:
            memory.mark_incomplete()
            return cyclic
        return self._compute(key, find, *args, **kwargs)

    def is_being_found(self, key: K) -> bool:
        """Whether the answer is being found: whatever is found meanwhile for who asks this rests on it."""
        memory = self._memory
        if not memory.open or (depth := memory.open.get((self, key))) is None:
            return False
        memory.lowest = min(memory.lowest, depth)
        return True

    def forget(self, key: K) -> None:
        """Ask again for this."""
        del self._known[key]

    def _compute(self, key: K, find: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        memory, mark = self._memory, (self, key)
        depth, provisional_count = len(memory.open), len(memory.doubtful)
        memory.open[mark] = depth
        outer, memory.lowest = memory.lowest, _NEVER
        try:
            result = find(*args, **kwargs)
        except BaseException:
            memory.drop_provisional(provisional_count)
            memory.lowest = outer
            raise
        finally:
            del memory.open[mark]
        self._known[key] = result
        rests_on, memory.lowest = memory.lowest, outer
        if rests_on < depth:
            memory.doubtful[mark] = rests_on
            memory.lowest = min(outer, rests_on)
        else:
            # what was found meanwhile rests on this question at most, or this would rest on another itself
            memory.drop_provisional(provisional_count)
        return result

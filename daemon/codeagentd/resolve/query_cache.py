"""A query cache that stays correct for cyclic queries."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, ParamSpec, TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
P = ParamSpec("P")

# nested queries: the value of a variable that has another's, and so on; each takes up to fifteen calls of the thousand
# that Python allows
DEEPEST: Final = 40
_NEVER: Final = 1 << 30  # deeper than any query


class CycleState:
    """State that the caches of one state of the repository share: the queries being computed, and the results that
    depend on these.
    """

    def __init__(self) -> None:
        # a query that is being computed -> its depth
        self.open: dict[tuple[QueryCache[Any, Any], Hashable], int] = {}
        self.lowest = _NEVER  # depth of the outermost query that a query being computed depends on, besides itself
        # a query with a provisional result -> depth of the query that it depends on
        self.doubtful: dict[tuple[QueryCache[Any, Any], Hashable], int] = {}

    def mark_incomplete(self) -> None:
        """Record that a chain has become too long: the queries being computed may have other results when they are made
        on their own.
        """
        if self.open:
            self.lowest = 0

    def drop_provisional(self, count: int) -> None:
        """Drop all provisional results but the first `count`."""
        while len(self.doubtful) > count:
            (table, key), _ = self.doubtful.popitem()
            table.forget(key)


class QueryCache(Generic[K, T]):
    """Cached results of queries of one kind. A result does not depend on the queries made before it.

    A query that is made again while it is being computed returns `cyclic`. Results computed meanwhile that depend on it
    are kept until its result is known, and then dropped: queried again, they depend on known results.
    """

    def __init__(self, memory: CycleState) -> None:
        self._memory = memory
        self._known: dict[K, T] = {}

    def get_or_compute(self, key: K, cyclic: T, find: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the cached result of a query, else compute it."""
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
        """Whether a query is being computed: every result computed meanwhile for this caller depends on it."""
        memory = self._memory
        if not memory.open or (depth := memory.open.get((self, key))) is None:
            return False
        memory.lowest = min(memory.lowest, depth)
        return True

    def forget(self, key: K) -> None:
        """Drop the result of a query."""
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
            # results computed meanwhile depend on this query at most, or this one would depend on another itself
            memory.drop_provisional(provisional_count)
        return result

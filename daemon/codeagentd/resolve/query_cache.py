"""A query cache that stays correct for cyclic queries, and records the members that each result depends on.

Dependencies are recorded as salsa does it: a query that is being computed notes the members that it looks up, and the
queries whose results it uses. A cached result has the dependencies of all that it was computed from, whoever needed it
first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Generic, ParamSpec, TypeAlias, TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
P = ParamSpec("P")

# a type (or BY_NAME) and the name of a member that was looked up in it, whether it has it or not
MemberDependency: TypeAlias = tuple[int, str]

# nested queries: the value of a variable that has another's, and so on; each takes up to fifteen calls of the thousand
# that Python allows
DEEPEST: Final = 40
_NEVER: Final = 1 << 30  # deeper than any query


class Dependencies:
    """The dependencies of a query's result: members that it looked up, and the dependencies of other results that it
    used.
    """

    __slots__ = ("reads",)

    def __init__(self, reads: Collection[MemberDependency | Dependencies]) -> None:
        self.reads = reads

    def members(self) -> set[MemberDependency]:
        """Return the members that the result depends on, directly or through other results."""
        return set(self.each_member())

    def each_member(self) -> Iterator[MemberDependency]:
        """Yield the members that the result depends on, the direct ones first, some of them several times. Results can
        depend on thousands of others: a caller that looks for one member need not see all.
        """
        seen, waiting = {self}, deque([self])
        while waiting:
            for read in waiting.popleft().reads:
                if isinstance(read, tuple):
                    yield read
                elif read not in seen:
                    seen.add(read)
                    waiting.append(read)


class _Unrecorded(set[MemberDependency | Dependencies]):
    """The reads outside of queries and recordings, which nobody needs."""

    def add(self, read: MemberDependency | Dependencies) -> None:
        """Keep nothing."""


class QueryState:
    """The state that the caches for one state of the repository share: the queries being computed, the provisional
    results that depend on these, and the members read so far.
    """

    def __init__(self) -> None:
        # a query that is being computed -> its depth
        self.open: dict[tuple[QueryCache[Any, Any], Hashable], int] = {}
        self.lowest = _NEVER  # depth of the outermost query that a query being computed depends on, besides itself
        # a query with a provisional result -> depth of the query that it depends on
        self.provisional: dict[tuple[QueryCache[Any, Any], Hashable], int] = {}
        # read by the innermost query that is being computed, or within the innermost recording
        self.reads: set[MemberDependency | Dependencies] = _Unrecorded()

    @contextmanager
    def recording(self) -> Iterator[Dependencies]:
        """Record the members and results that are read within the context."""
        outer, self.reads = self.reads, set()
        try:
            yield Dependencies(self.reads)
        finally:
            self.reads = outer

    def record(self, type_id: int, name: str) -> None:
        """Record that the member `name` of the type `type_id` was looked up. Lookups call this; their
        callers need not.
        """
        self.reads.add((type_id, name))

    def mark_incomplete(self) -> None:
        """Record that a chain of queries has become too long. The queries being computed may have other results when
        they are made on their own.
        """
        if self.open:
            self.lowest = 0

    def drop_provisional(self, count: int) -> None:
        """Drop all provisional results but the first `count`."""
        while len(self.provisional) > count:
            (table, key), _ = self.provisional.popitem()
            table.forget(key)


class QueryCache(Generic[K, T]):
    """Cached results of queries of one kind. A result does not depend on the order in which queries are made.

    A query that is made again while it is being computed returns `cyclic`. Results computed meanwhile that depend on it
    are kept until its result is known, and then dropped: queried again, they depend on known results.
    """

    def __init__(self, state: QueryState) -> None:
        self._state = state
        self._known: dict[K, T] = {}
        self._dependencies: dict[K, Dependencies] = {}  # of the results that depend on anything

    def get_or_compute(self, key: K, cyclic: T, find: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the cached result of the query `key`, else compute it with `find`; `cyclic` if it is already being
        computed, or too deep. The dependencies of the result count as read.
        """
        if key in self._known:
            return self._read(key)
        if self.is_being_computed(key):
            return cyclic
        if len(self._state.open) >= DEEPEST:
            self._state.mark_incomplete()
            return cyclic
        return self._compute(key, find, *args, **kwargs)

    def get_or_read(self, key: K, find: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the cached result of the query `key`, else compute it with `find`. The query only reads the symbol
        table, and so is neither cyclic nor deep.
        """
        return self._read(key) if key in self._known else self._compute(key, find, *args, **kwargs)

    def is_being_computed(self, key: K) -> bool:
        """Whether the query `key` is being computed. If it is, the caller's result counts as depending on it."""
        state = self._state
        if not state.open or (depth := state.open.get((self, key))) is None:
            return False
        state.lowest = min(state.lowest, depth)
        return True

    def forget(self, key: K) -> None:
        """Drop the result of the query `key`."""
        del self._known[key]
        self._dependencies.pop(key, None)

    def _read(self, key: K) -> T:
        state = self._state
        if state.provisional and (rests_on := state.provisional.get((self, key))) is not None:
            state.lowest = min(state.lowest, rests_on)
        if dependencies := self._dependencies.get(key):
            state.reads.add(dependencies)
        return self._known[key]

    def _compute(self, key: K, find: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        state, mark = self._state, (self, key)
        depth, provisional_count = len(state.open), len(state.provisional)
        state.open[mark] = depth
        outer, state.lowest = state.lowest, _NEVER
        outer_reads, reads = state.reads, set[MemberDependency | Dependencies]()
        state.reads = reads
        try:
            result = find(*args, **kwargs)
        except BaseException:
            state.drop_provisional(provisional_count)
            state.lowest = outer
            raise
        finally:
            state.reads = outer_reads
            del state.open[mark]
        self._known[key] = result
        if reads:
            self._dependencies[key] = dependencies = _joined(reads)
            outer_reads.add(dependencies)
        rests_on, state.lowest = state.lowest, outer
        if rests_on < depth:
            state.provisional[mark] = rests_on
            state.lowest = min(outer, rests_on)
        else:
            # results computed meanwhile depend on this query at most, or this one would depend on another itself
            state.drop_provisional(provisional_count)
        return result


def _joined(reads: set[MemberDependency | Dependencies]) -> Dependencies:
    """The dependencies of a result. They are those of another result where it read nothing else."""
    if len(reads) == 1:
        (only,) = reads
        if isinstance(only, Dependencies):
            return only
    return Dependencies(tuple(reads))

"""How are two symbols connected? The shortest way along edges, whichever way they point."""

from __future__ import annotations

from typing import Final, NamedTuple

from codeagentd.model.sorts import is_test

from .analysis import figures
from .several import Graph
from .steps import AMBIGUOUS, Seeds, Step, cards, steps

VISITS: Final = 20_000  # symbols looked at before the search gives up: page 003's origin has the same


class Way(NamedTuple):
    """Steps from the source to the target, each starting where the last one ends; `visits` is how many symbols were looked at."""

    steps: list[Step] | None
    visits: int
    start: int


def shortest(db: Graph, source: Seeds, target: Seeds) -> Way:
    """A way with the fewest steps, of these one with sure edges; without ambiguous ones, and through tests only if there is no other."""
    if shared := set(source.ids) & set(target.ids):
        return Way([], len(shared), min(shared))
    way = _searched(db, source, target, through_tests=False)
    return way if way.steps is not None else _searched(db, source, target, through_tests=True)


def _searched(db: Graph, source: Seeds, target: Seeds, *, through_tests: bool) -> Way:
    """Searched from both ends, always on from the side where there is less to look at."""
    ends = (_Side(source.ids, through_tests), _Side(target.ids, through_tests))
    while all(side.level for side in ends):
        visits = sum(len(side.arrived) for side in ends)
        if visits > VISITS:
            return Way(None, visits, 0)
        near, far = ends if ends[0].cost(db) <= ends[1].cost(db) else ends[::-1]
        near.advance(db)
        if meeting := [symbol for symbol in near.level if symbol in far.arrived]:
            middle = min(meeting, key=lambda symbol: (far.distance(symbol), near.weight(symbol) + far.weight(symbol), symbol))
            first = [_turned(step) for step in reversed(ends[1].way(middle))]
            whole = [*ends[0].way(middle), *first]
            return Way(whole, visits, whole[0].start)
    return Way(None, sum(len(side.arrived) for side in ends), 0)


def _turned(step: Step) -> Step:
    """The same edge, followed from its other end."""
    return Step(step.end, step.start, step.confidence, step.kind, not step.is_forward)


class _Side:
    """What is reached from one end, and by which step each symbol was."""

    def __init__(self, start: list[int], through_tests: bool) -> None:
        self.arrived: dict[int, Step | None] = dict.fromkeys(start)
        self.level = list(start)
        self._through_tests = through_tests
        self._cost = -1

    def cost(self, db: Graph) -> int:
        """How much one more step would look at: the edges of the outermost symbols as far as they are counted, else the symbols."""
        if self._cost < 0:
            self._cost = len(self.level) + sum(one.degree for one in figures(db, self.level).values())
        return self._cost

    def advance(self, db: Graph) -> None:
        """One step on from the outermost symbols; ways along the edges before ways against them where they are equally sure."""
        found = [*steps(db, self.level, forward=True), *steps(db, self.level, forward=False)]
        best: dict[int, Step] = {}
        for step in sorted(found, key=lambda step: step.confidence):
            if step.end not in self.arrived and step.confidence != AMBIGUOUS:
                best.setdefault(step.end, step)
        if not self._through_tests:
            known = cards(db, best)
            best = {symbol: step for symbol, step in best.items() if symbol in known and not is_test(known[symbol].path)}
        self.arrived |= best
        self.level = list(best)
        self._cost = -1

    def way(self, symbol: int) -> list[Step]:
        """The steps to a symbol from where this side begins."""
        back: list[Step] = []
        while step := self.arrived[symbol]:
            back.append(step)
            symbol = step.start
        return back[::-1]

    def distance(self, symbol: int) -> int:
        """How many steps away it is."""
        return len(self.way(symbol))

    def weight(self, symbol: int) -> int:
        """How unsure the way to it is."""
        return sum(step.confidence for step in self.way(symbol))

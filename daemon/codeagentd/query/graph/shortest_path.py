"""The shortest path between two symbols along edges in either direction."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from codeagentd.model.file_kinds import is_test
from codeagentd.model.kinds import TYPES, Confidence

from .federated_graph import Graph
from .node_metrics import figures
from .traversal import AMBIGUOUS, CONTAINMENT, Seeds, Step, steps, summaries

EXACT: Final = int(Confidence.EXACT)
VISITS: Final = 20_000  # symbols examined before the search gives up: as in page 003's origin


class Path(NamedTuple):
    """The steps from the source to the target, each beginning where the one before ends; `visits` is the number of
    examined symbols.
    """

    steps: list[Step] | None
    visits: int
    start: int


def shortest(db: Graph, source: Seeds, target: Seeds) -> Path:
    """Return a path from `source` to `target` with the fewest steps, and among these one with the most certain edges.
    Ambiguous edges are left out; tests are used only if there is no other path.

    If source or target is a type, a path that reaches one of its members is completed with the step between member and
    type.
    """
    start, end = source.ids[0], target.ids[0]
    if start == end:
        return Path([], 1, start)
    if end in source.ids or start in target.ids:
        return Path([Step(start, end, EXACT, CONTAINMENT, is_forward=end in source.ids)], 1, start)
    way = _searched(db, source, target, through_tests=False)
    if way.steps is None:
        way = _searched(db, source, target, through_tests=True)
    return _completed(db, way, source, target) if way.steps else way


def _completed(db: Graph, way: Path, source: Seeds, target: Seeds) -> Path:
    """The path completed with the steps between the types at its ends and their members."""
    assert way.steps
    last = way.steps[-1].end
    known = summaries(db, [way.start, last])
    before, after = (
        _type_of(seeds, end) if end in known and known[end].name != seeds.name else 0
        for seeds, end in ((source, way.start), (target, last))
    )
    first = [Step(before, way.start, EXACT, CONTAINMENT, is_forward=True)] if before else []
    on = [Step(last, after, EXACT, CONTAINMENT, is_forward=False)] if after else []
    return way._replace(steps=[*first, *way.steps, *on], start=before or way.start)


def _type_of(seeds: Seeds, end: int) -> int:
    """The type that the label names, if `end` is another of the symbols that stand for the label; else 0."""
    return seeds.ids[0] if seeds.subject and seeds.subject.kind in TYPES and seeds.ids[0] != end else 0


def _searched(db: Graph, source: Seeds, target: Seeds, *, through_tests: bool) -> Path:
    """Search from both ends, always advancing the side with fewer edges to examine."""
    ends = (_Side(source, through_tests), _Side(target, through_tests))
    while all(side.level for side in ends):
        visits = sum(len(side.arrived) for side in ends)
        if visits > VISITS:
            return Path(None, visits, 0)
        near, far = ends if ends[0].cost(db) <= ends[1].cost(db) else ends[::-1]
        near.advance(db, far.arrived)
        if meeting := [symbol for symbol in near.level if symbol in far.arrived]:
            middle = min(
                meeting, key=lambda symbol: (far.distance(symbol), near.cost_of(symbol) + far.cost_of(symbol), symbol)
            )
            first = [_turned(step) for step in reversed(ends[1].way(middle))]
            whole = [*ends[0].way(middle), *first]
            return Path(whole, visits, whole[0].start)
    return Path(None, sum(len(side.arrived) for side in ends), 0)


def _turned(step: Step) -> Step:
    """The same edge, followed from its other end."""
    return Step(step.end, step.start, step.confidence, step.kind, not step.is_forward)


class _Side:
    """The symbols reached from one end, and the step by which each was reached."""

    def __init__(self, seeds: Seeds, through_tests: bool) -> None:
        self.arrived: dict[int, Step | None] = dict.fromkeys(seeds.ids)
        self.level = list(seeds.ids)
        self._seeds = seeds
        self._through_tests = through_tests
        self._cost = -1

    def cost(self, db: Graph) -> int:
        """The cost of one more step: the number of edges of the outermost symbols if it is known, else the number of
        these symbols.
        """
        if self._cost < 0:
            self._cost = len(self.level) + sum(metrics.degree for metrics in figures(db, self.level).values())
        return self._cost

    def advance(self, db: Graph, others: Collection[int]) -> None:
        """Take one step from the outermost symbols; of equally certain paths, those along the direction of edges come
        first. Tests that the path may not lead through are still its ends: `others` are reached from the other side.
        """
        edges = [step for way in (True, False) for step in steps(db, self.level, forward=way, pairs=False)]
        best: dict[int, Step] = {}
        for step in sorted(edges, key=lambda step: step.confidence):
            if step.end not in self.arrived and step.confidence != AMBIGUOUS:
                best.setdefault(step.end, step)
        if not self._through_tests:
            known = summaries(db, best)
            best = {
                symbol: step
                for symbol, step in best.items()
                if symbol in others or (symbol in known and not is_test(known[symbol].path))
            }
        self.arrived |= best
        self.level = list(best)
        self._cost = -1

    def way(self, symbol: int) -> list[Step]:
        """The steps to a symbol from the start of this side."""
        back: list[Step] = []
        while step := self.arrived[symbol]:
            back.append(step)
            symbol = step.start
        return back[::-1]

    def distance(self, symbol: int) -> int:
        """The number of steps from the start."""
        return len(self.way(symbol))

    def cost_of(self, symbol: int) -> int:
        """The uncertainty of the path to a symbol: the sum of its steps' confidences, plus 1 if it begins at a member
        of the start type.
        """
        way = self.way(symbol)
        return sum(step.confidence for step in way) + bool(_type_of(self._seeds, way[0].start if way else symbol))

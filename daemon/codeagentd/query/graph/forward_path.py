"""How one symbol reaches another: the shortest way along edges in their own direction; and where there is none, the
calls at which the graph stops.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from codeagentd.model.kinds import ReferenceKind
from codeagentd.store.connection import Database

from .shortest_path import VISITS
from .traversal import AMBIGUOUS, Seeds, Step, steps

# what runs, or is read, when the symbol at the beginning of an edge runs
FOLLOWED: Final = sum(
    1 << kind
    for kind in (
        ReferenceKind.CALL, ReferenceKind.CONSTRUCT, ReferenceKind.DECORATE, ReferenceKind.READ, ReferenceKind.WRITE,
        ReferenceKind.INVOKE, ReferenceKind.BIND, ReferenceKind.SERVICE, ReferenceKind.HANDLE, ReferenceKind.OVERRIDE,
    )
)  # fmt: skip
LOOKED_AT: Final = 300  # symbols, the nearest ones, whose open calls are listed
STOPS: Final = 30


class Stop(NamedTuple):
    """A call on a value of unknown type: the symbol that has it, the name that is called, and the place."""

    within: str
    name: str
    path: str
    line: int


class Exit(NamedTuple):
    """What is called outside of the repository: its name, how often, and the place of one call."""

    name: str
    calls: int
    path: str
    line: int


class ForwardPath(NamedTuple):
    """The steps of the way; None where none is known. `start` is the symbol at which it begins; `reached` counts the
    symbols that were found. `stops` are calls in them behind which the graph does not see, those of the target's name
    first, then the nearest; `exits` lead to packages that are not indexed. With `is_cut`, not all that can be reached
    was looked at.
    """

    steps: list[Step] | None
    start: int
    reached: int
    stops: list[Stop]
    exits: list[Exit]
    is_cut: bool


def forward_path(db: Database, source: Seeds, target: Seeds) -> ForwardPath:
    """Return the way from `source` to `target` with the fewest steps, the most certain among these. Ambiguous edges are
    left out.
    """
    goals = set(target.ids)
    arrived: dict[int, Step | None] = dict.fromkeys(source.ids)
    level = list(source.ids)
    while level and len(arrived) <= VISITS:
        best: dict[int, Step] = {}
        for step in steps(db, level, forward=True, kinds=FOLLOWED):
            if step.end not in arrived and step.confidence != AMBIGUOUS:
                best.setdefault(step.end, step)
        arrived |= best
        if met := [symbol for symbol in best if symbol in goals]:
            way = _way(arrived, min(met, key=lambda symbol: (best[symbol].confidence, symbol)))
            return ForwardPath(way, way[0].start, len(arrived), [], [], is_cut=False)
        level = list(best)
    inside = json.dumps([symbol for symbol in arrived if symbol > 0][:LOOKED_AT])
    name = target.name.rpartition(".")[2]
    stops = [Stop(*row) for row in db.all("graph.open_calls", {"symbols": inside, "name": name, "limit": STOPS})]
    exits = [Exit(*row) for row in db.all("graph.leaving_calls", {"symbols": inside, "limit": STOPS})]
    return ForwardPath(None, source.ids[0], len(arrived), stops, exits, is_cut=bool(level))


def _way(arrived: dict[int, Step | None], symbol: int) -> list[Step]:
    back: list[Step] = []
    while step := arrived[symbol]:
        back.append(step)
        symbol = step.start
    return back[::-1]

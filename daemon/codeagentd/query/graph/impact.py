"""Impact: the dependents and the dependencies of a symbol or file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from codeagentd.model.results.retrieval_results import ImpactNode
from codeagentd.query.hierarchy.virtual_dispatch import through_bases
from codeagentd.query.symbols.coverage import generic_note
from codeagentd.query.symbols.symbol_places import CONFIDENCES
from codeagentd.store.connection import Database

from .edges import EVERY_KIND, REFERENCES, candidates, undecided
from .federated_graph import Graph
from .traversal import AMBIGUOUS, Seeds, Step, steps, summaries

REACHED: Final = 5_000  # symbols of one impact: more only mean that everything is affected
FOLLOWED: Final = 2_000  # symbols that one step starts from


class Impact(NamedTuple):
    """The reached symbols, the nearest and most certain first; their files in the same order; notes in words on what
    was left out.
    """

    nodes: list[ImpactNode]
    files: list[str]
    note: str


class Reached(NamedTuple):
    """A reached symbol, its distance, the last step to it, and the lowest confidence on the path; whether the path has
    a further step (`Further`).
    """

    symbol: int
    distance: int
    step: Step
    confidence: int
    is_further: bool = False


# the steps from some symbols that no edge makes; known: those along edges
Further = Callable[[Sequence[int], Sequence[Step]], list[Step]]


def impact(db: Database, seeds: Seeds, directions: dict[str, bool], depth: int) -> Impact:
    """Return the symbols that edges connect with `seeds` in each direction (by name, with whether edges are followed
    forward), up to `depth` edges away. Ambiguous edges are listed but not followed.
    """
    nodes: list[ImpactNode] = []
    notes: dict[str, None] = {}
    for direction, forward in directions.items():
        reached, note = reached_from(db, seeds.ids, forward, depth)
        notes |= {note: None} if note else {}
        known = summaries(db, [step.symbol for step in reached])
        for step in reached:
            if card := known.get(step.symbol):
                sure = CONFIDENCES[step.confidence]
                nodes.append(
                    ImpactNode(
                        card.kind, card.name, card.path, card.line, direction, step.distance, step.step.edge_type, sure
                    )
                )
        notes |= {} if forward else dict.fromkeys(unseen(db, seeds, bool(reached)))
    nodes.sort(key=_order)
    return Impact(nodes, list(dict.fromkeys(node.path for node in nodes)), "; ".join(notes))


def unseen(db: Database, seeds: Seeds, is_reached: bool) -> list[str]:
    """Return notes in words on dependents of `seeds` that no edge connects. `is_reached`: the query has found some
    dependents.
    """
    notes = (
        [undecided(db, seeds.subject, REFERENCES, candidates(db, seeds.subject)), through_bases(db, seeds.subject)]
        if seeds.subject
        else []
    )
    notes += (
        []
        if is_reached
        else ["nothing is known to depend on it; what is called by reflection or by a framework is not seen"]
    )
    notes.append(generic_note(seeds.languages))
    return [note for note in notes if note]


_SURENESS: Final = {label: number for number, label in CONFIDENCES.items()}


def _order(node: ImpactNode) -> tuple[int, int, str, int, str, str]:
    return node.distance, _SURENESS[node.via_confidence], node.path, node.line, node.name, node.direction


def reached_from(
    db: Graph,
    start: list[int],
    forward: bool,
    depth: int,
    kinds: int = EVERY_KIND,
    followed: int = FOLLOWED,
    ends: int = 0,
    most: int = 0,
    further: Further | None = None,
) -> tuple[list[Reached], str]:
    """Return the symbols that references of these kinds (bits) lead to from `start`, the nearest first, and notes in
    words on what was left out.

    `followed`: the maximum number of symbols from which one step starts; `most`: that of reached ones (0:
    `REACHED`). `ends`: reference kinds (bits) whose targets are listed but not followed further. `further`: steps to
    follow as well.
    """
    most = most or REACHED
    sure = dict.fromkeys(start, 0)
    are_further: set[int] = set()
    reached: list[Reached] = []
    level = list(sure)
    for distance in range(1, depth + 1):
        if len(level) > followed:
            return reached, f"only nearer than {distance} steps: {len(level):,} symbols are too many to follow"
        best: dict[int, Reached] = {}
        along = steps(db, level, forward=forward, kinds=kinds, pairs=False)
        beside = further(level, along) if further else []
        for number, step in enumerate((*along, *beside)):
            weakest = max(sure.get(step.start, 0), step.confidence)
            if step.end not in sure and (step.end not in best or weakest < best[step.end].confidence):
                is_further = number >= len(along) or step.start in are_further
                best[step.end] = Reached(step.end, distance, step, weakest, is_further)
        if len(reached) + len(best) > most:
            surest = sorted(best.values(), key=lambda candidate: (candidate.confidence, candidate.symbol))[
                : most - len(reached)
            ]
            return reached + surest, f"only {most:,} symbols are told: there are more at a distance of {distance}"
        reached += best.values()
        sure |= {candidate.symbol: candidate.confidence for candidate in best.values()}
        are_further |= {candidate.symbol for candidate in best.values() if candidate.is_further}
        level = [
            candidate.symbol
            for candidate in best.values()
            if candidate.step.confidence != AMBIGUOUS and not ends >> candidate.step.kind & 1
        ]
        if not level:
            break
    return reached, ""

"""Impact: what depends on a symbol or file, and what it depends on."""

from __future__ import annotations

from typing import Final, NamedTuple

from codeagentd.model.results.retrieval_results import ImpactNode
from codeagentd.query.hierarchy.virtual_dispatch import through_bases
from codeagentd.query.symbols.symbol_places import CONFIDENCES
from codeagentd.store.connection import Database

from .edges import EVERY_KIND, REFERENCES, candidates, undecided
from .federated_graph import Graph
from .traversal import AMBIGUOUS, Seeds, Step, cards, steps

REACHED: Final = 5_000  # symbols of one impact: more say only that everything is affected
FOLLOWED: Final = 2_000  # symbols that one step starts from


class Impact(NamedTuple):
    """What is reached, the nearest and surest first; all its files in the same order; what was left out, in words."""

    nodes: list[ImpactNode]
    files: list[str]
    note: str


class Reached(NamedTuple):
    """A symbol, its distance, the last step to it, and the least confidence on the way."""

    symbol: int
    distance: int
    step: Step
    confidence: int


def impact(db: Database, found: Seeds, directions: dict[str, bool], depth: int) -> Impact:
    """Along the edges in each direction (its name: whether edges are followed forward); ambiguous ones are listed and
    not followed.
    """
    nodes: list[ImpactNode] = []
    notes: dict[str, None] = {}
    for direction, forward in directions.items():
        reached, note = reached_from(db, found.ids, forward, depth)
        notes |= {note: None} if note else {}
        known = cards(db, [one.symbol for one in reached])
        for one in reached:
            if card := known.get(one.symbol):
                sure = CONFIDENCES[one.confidence]
                nodes.append(
                    ImpactNode(
                        card.kind, card.name, card.path, card.line, direction, one.distance, one.step.edge_type, sure
                    )
                )
        notes |= {} if forward else dict.fromkeys(unseen(db, found, bool(reached)))
    nodes.sort(key=_order)
    return Impact(nodes, list(dict.fromkeys(node.path for node in nodes)), "; ".join(notes))


def unseen(db: Database, found: Seeds, is_reached: bool) -> list[str]:
    """In words: dependents that are no edges."""
    told = (
        [undecided(db, found.subject, REFERENCES, candidates(db, found.subject)), through_bases(db, found.subject)]
        if found.subject
        else []
    )
    told += (
        []
        if is_reached
        else ["nothing is known to depend on it; what is called by reflection or by a framework is not seen"]
    )
    return [note for note in told if note]


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
) -> tuple[list[Reached], str]:
    """What is reached along references of some kinds (bits), the nearest first, and what was left out, in words.

    `followed`: symbols that one step starts from at most. `ends`: reference kinds (bits) whose steps are listed, and
    not followed any further.
    """
    sure = dict.fromkeys(start, 0)
    result: list[Reached] = []
    level = list(sure)
    for distance in range(1, depth + 1):
        if len(level) > followed:
            return result, f"only nearer than {distance} steps: {len(level):,} symbols are too many to follow"
        best: dict[int, Reached] = {}
        for step in steps(db, level, forward=forward, kinds=kinds):
            weakest = max(sure[step.start], step.confidence)
            if step.end not in sure and (step.end not in best or weakest < best[step.end].confidence):
                best[step.end] = Reached(step.end, distance, step, weakest)
        if len(result) + len(best) > REACHED:
            surest = sorted(best.values(), key=lambda one: (one.confidence, one.symbol))[: REACHED - len(result)]
            return result + surest, f"only {REACHED:,} symbols are told: there are more at a distance of {distance}"
        result += best.values()
        sure |= {one.symbol: one.confidence for one in best.values()}
        level = [
            one.symbol for one in best.values() if one.step.confidence != AMBIGUOUS and not ends >> one.step.kind & 1
        ]
        if not level:
            break
    return result, ""

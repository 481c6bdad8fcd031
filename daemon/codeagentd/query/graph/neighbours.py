"""The neighbours of a node, one entry for each neighbour and relation."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from codeagentd.model.kinds import Confidence
from codeagentd.model.labels import clean, label
from codeagentd.model.results.graph_results import CONFIDENCE_WORDS, GraphNeighbour
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.symbols.lookup import KINDS, Subject
from codeagentd.store.connection import Database

from .edges import EdgeFilter, neighbours_of
from .traversal import FILES

LISTED: Final = 500  # edges of one answer; readers do not need more

WORDS: Final = {confidence.label: CONFIDENCE_WORDS[confidence] for confidence in Confidence}


class Relatives(NamedTuple):
    """Neighbours, the most certain first, and notes in words on missing ones."""

    neighbours: list[GraphNeighbour]
    note: str


def relatives(db: Database, subjects: list[Subject], question: EdgeFilter) -> Relatives:
    """Return the neighbours of all `subjects`, which an answer treats as one: a type and its constructors."""
    part = neighbours_of(db, subjects, question, None, LISTED)
    neighbours, cut = (
        part.items,
        f"only the first {LISTED} edges of {subjects[0].name} are listed" if part.after else "",
    )
    known = _modules(db, neighbours)
    direction = "in" if question.incoming else "out"
    notes = [
        GraphNeighbour(
            _label(neighbour, known),
            neighbour.node_id,
            neighbour.edge_type,
            direction,
            clean(neighbour.file_path),
            neighbour.line_start,
            WORDS[neighbour.confidence],
        )
        for neighbour in neighbours
    ]
    once = {(neighbour.id, neighbour.relation): neighbour for neighbour in reversed(notes)}
    return Relatives(
        [neighbour for neighbour in notes if once.get((neighbour.id, neighbour.relation)) is neighbour],
        "; ".join(filter(None, (part.note, cut))),
    )


def _modules(db: Database, neighbours: list[Neighbour]) -> dict[str, str]:
    return dict(db.all("nodes.modules", (json.dumps(sorted({neighbour.file_path for neighbour in neighbours})),)))


def _label(neighbour: Neighbour, modules: dict[str, str]) -> str:
    kind, module = KINDS[neighbour.node_type], modules.get(neighbour.file_path, "")
    return label(
        kind,
        neighbour.qualified_name,
        module,
        neighbour.file_path,
        is_file=kind in FILES and neighbour.qualified_name == module,
    )

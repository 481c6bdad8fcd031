"""The neighbours of a node, each once for each relation."""

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

LISTED: Final = 500  # edges of one answer; nobody reads more

WORDS: Final = {confidence.label: CONFIDENCE_WORDS[confidence] for confidence in Confidence}


class Relatives(NamedTuple):
    """Neighbours, the surest first, and what is not among them, in words."""

    neighbours: list[GraphNeighbour]
    note: str


def relatives(db: Database, subjects: list[Subject], question: EdgeFilter) -> Relatives:
    """The neighbours of all these subjects, which are one to whoever asks: a type and its constructors."""
    part = neighbours_of(db, subjects, question, None, LISTED)
    found, cut = part.items, f"only the first {LISTED} edges of {subjects[0].name} are listed" if part.after else ""
    known = _modules(db, found)
    direction = "in" if question.incoming else "out"
    told = [
        GraphNeighbour(
            _label(one, known),
            one.node_id,
            one.edge_type,
            direction,
            clean(one.file_path),
            one.line_start,
            WORDS[one.confidence],
        )
        for one in found
    ]
    once = {(one.id, one.relation): one for one in reversed(told)}
    return Relatives(
        [one for one in told if once.get((one.id, one.relation)) is one], "; ".join(filter(None, (part.note, cut)))
    )


def _modules(db: Database, found: list[Neighbour]) -> dict[str, str]:
    return dict(db.all("nodes.modules", (json.dumps(sorted({one.file_path for one in found})),)))


def _label(one: Neighbour, modules: dict[str, str]) -> str:
    kind, module = KINDS[one.node_type], modules.get(one.file_path, "")
    return label(
        kind, one.qualified_name, module, one.file_path, is_file=kind in FILES and one.qualified_name == module
    )

"""The profile of a symbol: its declaration, and the symbols around it."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.languages.doc_comments import sentence
from codeagentd.model.ids import node_id
from codeagentd.model.results.retrieval_results import Place, Primary
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.symbols.hover import Read, hover
from codeagentd.query.symbols.lookup import LABELS, Subject, with_constructors
from codeagentd.query.symbols.spans import spans
from codeagentd.store.connection import Database

from .edges import CALLEES, CALLERS, EdgeFilter, neighbours_of

PLACES: Final = 20  # definitions listed for a symbol with several: partial classes, overloads
ENDS: Final = 500  # callers or callees that are counted


class Profile(NamedTuple):
    """A symbol with all its callers and callees, the most certain first; `note` states what is not counted."""

    name: str
    node_id: str
    kind: str
    signature: str
    doc: str
    definitions: list[Place]
    callers: list[Neighbour]
    callees: list[Neighbour]
    primary: Primary
    note: str


def profile(db: Database, root: Path, subject: Subject, read: Read) -> Profile:
    """Return the profile of `subject`; the callers of a type include those of its constructors."""
    card = hover(db, root, subject, read)
    callers, more_callers = _ends(db, with_constructors(db, subject), CALLERS)
    callees, more_callees = ends(db, subject, CALLEES)
    incoming, outgoing = db.value("retrieval.degrees", (subject.id,)), db.value("retrieval.out_degree", (subject.id,))
    return Profile(
        name=subject.qualified_name,
        node_id=node_id(subject.uid),
        kind=LABELS[subject.kind],
        signature=card.signature,
        doc=sentence(card.documentation or ""),
        definitions=[
            Place(span.file_path, [span.line_start, span.line_end]) for span in spans(db, subject, None, PLACES).items
        ],
        callers=callers,
        callees=callees,
        primary=Primary(posixpath.dirname(subject.path) or ".", incoming, outgoing),
        note="; ".join(filter(None, dict.fromkeys(("" if incoming else more_callers, more_callees)))),
    )


def ends(db: Database, subject: Subject, question: EdgeFilter, limit: int = ENDS) -> tuple[list[Neighbour], str]:
    """Return the symbols at the other ends of the edges of `subject`, each once, the most certain first; and a note on
    missing ones.
    """
    return _ends(db, [subject], question, limit)


def _ends(
    db: Database, subjects: list[Subject], question: EdgeFilter, limit: int = ENDS
) -> tuple[list[Neighbour], str]:
    part = neighbours_of(db, subjects, question, None, limit)
    relatives: dict[str, Neighbour] = {}
    for end in part.items:
        relatives.setdefault(end.node_id, end)
    cut = f"only {limit} of the edges are counted" if part.after else ""
    return list(relatives.values()), "; ".join(filter(None, (cut, part.note)))

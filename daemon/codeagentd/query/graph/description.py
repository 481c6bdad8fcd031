"""The description of a symbol in a sentence (takes X, returns Y, calls Z), from the index alone."""

from __future__ import annotations

from typing import Final, NamedTuple

from codeagentd.model.labels import bare
from codeagentd.model.results.graph_results import Signature
from codeagentd.query.symbols.lookup import Subject
from codeagentd.query.symbols.parameters import signature
from codeagentd.store.connection import Database

from .edges import EdgeFilter, bits
from .neighbours import relatives
from .nodes import Node

SHOWN: Final = 5  # parameters and calls named in the sentence
CALLS: Final = EdgeFilter(
    incoming=False, kinds=bits("calls", "invokes", "binds_native", "calls_service"), external=True
)


class Described(NamedTuple):
    """A sentence, the facts that it was made from, and the labels of all callees."""

    summary: str
    signature: Signature | None
    callees: list[str]


def described(db: Database, subject: Subject, node: Node) -> Described:
    """Return the description of the symbol `subject`; `node` is its short form."""
    parameters, _, returns = db.all("symbols.details", (subject.id,))[0][2:5]
    signature_text = signature(bare(node.label), parameters, returns, subject.language)
    callees = list(dict.fromkeys(neighbour.label for neighbour in relatives(db, [subject], CALLS).neighbours))
    parts = [f"{node.label} is a {node.kind} in {node.file}"]
    if signature_text and signature_text.params:
        parts.append(
            "takes "
            + _listed(
                [f"{param.name}: {param.type_ref}" if param.type_ref else param.name for param in signature_text.params]
            )
        )
    if signature_text and signature_text.return_type:
        parts.append(f"returns {signature_text.return_type}")
    if callees:
        parts.append("calls " + _listed(callees))
    return Described("; ".join(parts) + ".", signature_text, callees)


def _listed(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")

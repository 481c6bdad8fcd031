"""The errors of the graph toolset about nodes that have no or several matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from codeagentd.model.labels import clean
from codeagentd.model.results.graph_results import Named
from codeagentd.query.graph.federated_graph import FederatedGraph
from codeagentd.query.graph.federated_lookup import FederatedMatch
from codeagentd.query.graph.federated_lookup import find_node as sought_among
from codeagentd.query.graph.nodes import NodeMatch
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.path_arguments import readings
from codeagentd.toolkit.symbol_arguments import id_at

Label = Annotated[str, Meta(description="label, name, path or id; name@file narrows")]

_BLANK: Final[dict[Any, Any]] = {str: "", int: 0, float: 0.0, bool: False}

Answer = TypeVar("Answer", bound=Named)


def find_node(ctx: Context, graph: FederatedGraph, label: str) -> FederatedMatch:
    """The node that a label means; a path may be relative to the caller's folder."""
    path = next(
        (reading for reading in readings(ctx, label) if graph.own.row("files.by_path", (reading,)) is not None), None
    )
    return sought_among(graph, id_at(ctx, graph.own, label) if path is None else path)


def missing(kind: type[Answer], query: str, match: FederatedMatch | NodeMatch) -> Answer:
    """The answer for a label that matches no node or several; all other fields are empty."""
    name = clean(query)
    lookup, notes = (match.node_match, match.graph.notes) if isinstance(match, FederatedMatch) else (match, [])
    message = (
        f"{lookup.total} nodes match '{name}': use the id of one, or name@file."
        if lookup.total
        else f"No node matches '{name}'."
    )
    message += f" Did you mean {lookup.candidates[0].label}?" if lookup.candidates and not lookup.total else ""
    return blank(kind, message=" ".join([message, *(f"{note}." for note in notes)]), candidates=lookup.candidates)


def blank(kind: type[Answer], **values: Any) -> Answer:
    """An answer whose fields are empty except for these values."""
    empty = {field.name: _BLANK.get(field.type, []) for field in msgspec.structs.fields(kind) if field.required}
    return kind(**{**empty, "found": False, **values})


def in_words(render: Callable[[Any], str]) -> Callable[[Any], str]:
    """Return a renderer that also handles answers without a node, as an extension of `render`."""

    def render_answer(answer: Named) -> str:
        return render(answer) if answer.found else refusal(answer)

    return render_answer


def noted(answer: Named) -> list[str]:
    """The note as a list of one line; empty without a note."""
    return [f"Note: {answer.note}"] if answer.note else []


def refusal(answer: Named) -> str:
    """The message, followed by a line for each candidate."""
    return "\n".join(
        [
            answer.message,
            *(
                f"- {candidate.label} [{candidate.id}] {candidate.file}:{candidate.line} (degree {candidate.degree})"
                for candidate in answer.candidates
            ),
        ]
    )

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
from codeagentd.query.graph.federated_lookup import sought as sought_among
from codeagentd.query.graph.nodes import Meant
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.path_arguments import readings

Label = Annotated[str, Meta(description="label, name, path or id; name@file narrows")]

_BLANK: Final[dict[Any, Any]] = {str: "", int: 0, float: 0.0, bool: False}

Answer = TypeVar("Answer", bound=Named)


def sought(ctx: Context, graph: FederatedGraph, label: str) -> FederatedMatch:
    """The node that a label means; a path may begin at the caller's folder."""
    path = next(
        (reading for reading in readings(ctx, label) if graph.own.one("files.by_path", (reading,)) is not None), None
    )
    return sought_among(graph, label if path is None else path)


def missing(kind: type[Answer], asked: str, found: FederatedMatch | Meant) -> Answer:
    """The answer about a label that means no node, or several: all else is blank."""
    name = clean(asked)
    meant, notes = (found.meant, found.graph.notes) if isinstance(found, FederatedMatch) else (found, [])
    told = (
        f"{meant.total} nodes match '{name}': use the id of one, or name@file."
        if meant.total
        else f"No node matches '{name}'."
    )
    told += f" Did you mean {meant.candidates[0].label}?" if meant.candidates and not meant.total else ""
    return blank(kind, message=" ".join([told, *(f"{note}." for note in notes)]), candidates=meant.candidates)


def blank(kind: type[Answer], **given: Any) -> Answer:
    """An answer with nothing in it but what is given."""
    empty = {field.name: _BLANK.get(field.type, []) for field in msgspec.structs.fields(kind) if field.required}
    return kind(**{**empty, "found": False, **given})


def in_words(render: Callable[[Any], str]) -> Callable[[Any], str]:
    """What renders an answer about a node, made fit for one that was not found."""

    def told(answer: Named) -> str:
        return render(answer) if answer.found else refusal(answer)

    return told


def noted(answer: Named) -> list[str]:
    """The line of a note, where there is one."""
    return [f"Note: {answer.note}"] if answer.note else []


def refusal(answer: Named) -> str:
    """The message, and a line for each candidate."""
    return "\n".join(
        [
            answer.message,
            *(
                f"- {candidate.label} [{candidate.id}] {candidate.file}:{candidate.line} (degree {candidate.degree})"
                for candidate in answer.candidates
            ),
        ]
    )

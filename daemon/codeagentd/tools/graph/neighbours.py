"""The tool that lists a node's neighbours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

from msgspec import Meta

from codeagentd.model.kinds import EDGE_TYPES
from codeagentd.model.results.graph_results import NeighboursAnswer
from codeagentd.query.graph.edges import DEPENDENCIES, DEPENDENTS, EdgeFilter, bits
from codeagentd.query.graph.federated_graph import FederatedGraph
from codeagentd.query.graph.federated_lookup import Place, placed
from codeagentd.query.graph.federated_neighbours import neighbours_of
from codeagentd.query.graph.neighbours import Relatives
from codeagentd.query.graph.relation_names import ACROSS
from codeagentd.query.symbols.lookup import with_constructors
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .not_found import Label, find_node, in_words, missing

MOST: Final = 500  # neighbours in each direction
CALL_LIKE: Final = bits("calls", "constructs", "uses", "references", "accepts", "returns", "decorates", *ACROSS)
CALLERS: Final = EdgeFilter(incoming=True, kinds=CALL_LIKE, dispatch=True, dispatch_note=True)
CALLEES: Final = EdgeFilter(incoming=False, kinds=CALL_LIKE, dispatch=True, dispatch_note=True, external=True)

_ARROWS: Final = {"out": "-->", "in": "<--"}

Filter = Annotated[str, Meta(description="part of a relation's name: calls, imports, contains, …")]


def _render(answer: NeighboursAnswer) -> str:
    lines = [
        f"{_ARROWS[neighbor.direction]} {neighbor.label} [{neighbor.relation}] {neighbor.file}:{neighbor.line}"
        for neighbor in answer.neighbors
    ]
    return "\n".join(
        [
            f"{len(lines)} neighbor{'' if len(lines) == 1 else 's'} of {answer.label}:",
            *lines,
            *([f"Note: {answer.note}"] if answer.note else []),
        ]
    )


@tool("graph", render_text=in_words(_render))
def get_neighbors(ctx: Context, label: Label, relation_filter: Filter | None = None) -> NeighboursAnswer:
    """List a node's neighbours, the adjacent symbols it is connected to in both directions, with the relation to each.

    Returns: the surest first, at most 500 each way; candidates (id, file, degree) when several nodes match.
    Source:  002 get_neighbors.
    """
    questions = [_narrowed(question, relation_filter) for question in (DEPENDENCIES, DEPENDENTS)]
    return _ask(ctx, label, lambda place: [neighbours_of(place, place.subjects, question) for question in questions])


def _narrowed(question: EdgeFilter, part: str | None) -> EdgeFilter:
    """The filter of edges, limited to relations whose name contains `part`."""
    if not part:
        return question
    return question.only(*(edge for edge in EDGE_TYPES if part.lower() in edge))


@tool("graph", render_text=in_words(_render))
def find_callers(ctx: Context, label: Label) -> NeighboursAnswer:
    """List who calls a function (incoming calls), and what uses or references a symbol; for a type also what constructs
    it.

    Returns: the surest first; candidates (id, file, degree) when several nodes match.
    Source:  002 find_callers.
    """
    return _ask(
        ctx,
        label,
        lambda place: [
            neighbours_of(
                place,
                [callee for subject in place.subjects for callee in with_constructors(place.db, subject)],
                CALLERS,
            )
        ],
    )


@tool("graph", render_text=in_words(_render))
def find_callees(ctx: Context, label: Label) -> NeighboursAnswer:
    """List which functions a symbol calls (outgoing calls), or what it uses or references.

    Returns: the surest first; candidates (id, file, degree) when several nodes match.
    Source:  002 find_callees.
    """
    return _ask(ctx, label, lambda place: [neighbours_of(place, place.subjects, CALLEES)])


def _ask(ctx: Context, label: str, ask: Callable[[Place], list[Relatives]]) -> NeighboursAnswer:
    def answer(graph: FederatedGraph) -> NeighboursAnswer:
        result = find_node(ctx, graph, label)
        place = placed(result)
        if place is None:
            return missing(NeighboursAnswer, label, result)
        parts, node = ask(place), place.node
        note = "; ".join(filter(None, dict.fromkeys([place.note, *(part.note for part in parts), *graph.notes])))
        neighbours = [neighbour for part in parts for neighbour in part.neighbours[: ctx.most(MOST)]]
        return NeighboursAnswer(found=True, label=node.label, id=node.id, neighbors=neighbours, note=note)

    return ctx.across(answer)

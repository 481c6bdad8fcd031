"""The tools about the dependents of a node, and about paths between two nodes."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from msgspec import Meta

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.parameters import TokenBudget
from codeagentd.model.results.graph_results import (
    CONFIDENCE_WORDS,
    AffectedAnswer,
    AffectedNode,
    NodeLabel,
    PathAnswer,
    PathEdge,
)
from codeagentd.query.graph.federated_graph import FederatedGraph
from codeagentd.query.graph.federated_lookup import placed
from codeagentd.query.graph.impact import Reached, reached_from, unseen
from codeagentd.query.graph.nodes import Node, nodes
from codeagentd.query.graph.relation_names import RELATION_NAMES, is_containment, kinds_of
from codeagentd.query.graph.shortest_path import shortest
from codeagentd.query.graph.traversal import Step
from codeagentd.query.refactor.changed_symbols import IMPACT
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.graph_analysis import begin
from codeagentd.toolkit.tool import tool

from .not_found import Label, blank, find_node, in_words, missing, refusal

LISTED: Final = 500  # dependents of one answer
DEEPEST: Final = 16  # page 002 affected
FOLLOWED: Final = tuple(relation for relation in RELATION_NAMES if not is_containment(relation))

Relations = Annotated[list[str], Meta(max_length=50, description="default: all that make a change felt")]


def _render_affected(answer: AffectedAnswer) -> str:
    lines = [
        f"- {node.depth} hop{'s' if node.depth > 1 else ''} via {node.via_relation}: {node.label} ({node.file})"
        for node in answer.affected
    ]
    return "\n".join([answer.message, *lines, *([f"Note: {answer.note}"] if answer.note else [])])


@tool("graph", render_text=in_words(_render_affected), fits_budget=True)
def affected(
    ctx: Context,
    label: Label,
    depth: int = 3,
    relations: Relations | None = None,
    token_budget: TokenBudget = 2_500,
) -> AffectedAnswer:
    """List what transitively depends on a symbol or file and may break if it changes, by hops (1 to 16): its blast
    radius. Types include their members.

    Returns: at most 500, and as many as token_budget has room for, the nearest and surest first; ambiguous edges are
             listed and not followed; `note` says what is not seen.
    Errors:  invalid_parameter for a relation that is not there.
    Source:  002 affected.
    """
    kinds = _kinds(relations or list(IMPACT))
    return ctx.across(partial(_affected, ctx, label, min(max(depth, 1), DEEPEST), kinds))


def _affected(ctx: Context, label: str, hops: int, kinds: int, graph: FederatedGraph) -> AffectedAnswer:
    match = find_node(ctx, graph, label)
    place = placed(match)
    if place is None:
        return missing(AffectedAnswer, label, match)
    seed, start = place.node, place.seeds
    reached, cut = ctx.once("reached", lambda: reached_from(graph, start.ids, False, hops, kinds))
    reached = sorted(reached, key=lambda reach: (reach.distance, reach.confidence, reach.symbol))
    listed = reached[: ctx.most(LISTED)]
    known = nodes(graph, [reach.symbol for reach in listed])
    notes = [place.note, cut, *unseen(place.db, start, bool(reached)), *graph.notes]
    result = sorted(
        (_dependent(known[reach.symbol], reach) for reach in listed if reach.symbol in known),
        key=lambda dependent: (dependent.depth, _sure(dependent), dependent.file),
    )
    more = f"only the first {len(listed)} of {len(reached)} are listed" if len(reached) > len(listed) else ""
    message = f"{len(reached)} nodes depend on {seed.label} (<= {hops} hops):"
    return AffectedAnswer(
        found=True,
        message=message,
        seed=seed.label,
        affected=result,
        total=len(reached),
        note="; ".join(filter(None, (more, *notes))),
    )


def _kinds(relations: list[str]) -> int:
    for relation in relations:
        if relation not in FOLLOWED:
            raise InvalidParameter(
                f"there is no relation {relation[:60]!r} to follow",
                remedy=f"use some of: {', '.join(FOLLOWED)}",
                parameter="relations",
            )
    return kinds_of(*relations)


def _dependent(node: Node, reached: Reached) -> AffectedNode:
    return AffectedNode(
        node.label,
        reached.distance,
        reached.step.edge_type,
        node.id,
        node.file,
        CONFIDENCE_WORDS[reached.confidence],
        node.line_start,
    )


def _sure(dependent: AffectedNode) -> int:
    return CONFIDENCE_WORDS.index(dependent.confidence)


def _render_path(answer: PathAnswer) -> str:
    if not answer.found:
        return refusal(answer)
    message = f"{' -> '.join(node.label for node in answer.nodes)} ({answer.hops} hop{'' if answer.hops == 1 else 's'})"
    return f"{message}\nNote: {answer.note}" if answer.note else message


@tool("graph", render_text=_render_path)
def shortest_path(ctx: Context, source: Label, target: Label, max_hops: int = 8) -> PathAnswer:
    """Find the shortest path (call path) from one node, such as a function, to another, along edges in either
    direction, surest first.

    Returns: nodes, and the relation between each two; not found beyond max_hops; a type is its members too, a file all
             in it.
    Source:  002 shortest_path.
    """
    begin(ctx)
    return ctx.across(partial(_path, ctx, source, target, max_hops))


def _path(ctx: Context, source: str, target: str, max_hops: int, graph: FederatedGraph) -> PathAnswer:
    ends = []
    for label in (source, target):
        match = find_node(ctx, graph, label)
        place = placed(match)
        if place is None:
            return missing(PathAnswer, label, match)
        ends.append(place)
    first, last = (end.node for end in ends)
    blank_path = partial(blank, PathAnswer, source=first.label, target=last.label)
    if first.id == last.id:
        return blank_path(message=f"Source and target are the same node: {first.label}")
    starts = [end.seeds for end in ends]
    way = shortest(graph, *starts)
    if way.steps is None:
        return blank_path(
            message=" ".join(
                [f"No path between {first.label} and {last.label}.", *(f"{note}." for note in graph.notes)]
            )
        )
    if len(way.steps) > max_hops:
        message = (
            f"The shortest path between {first.label} and {last.label} has {len(way.steps)} hops, more than {max_hops}."
        )
        return blank_path(message=message, hops=len(way.steps))
    along = _along(graph, way.start, way.steps)
    return PathAnswer(
        found=True,
        source=first.label,
        target=last.label,
        hops=len(way.steps),
        nodes=along,
        edges=list(map(_edge, way.steps)),
        note="; ".join(filter(None, [*(end.note for end in ends), *graph.notes])),
    )


def _along(db: FederatedGraph, start: int, steps: list[Step]) -> list[NodeLabel]:
    order = [start, *(step.end for step in steps)]
    known = nodes(db, order)
    return [_node_label(known[symbol]) for symbol in order]


def _node_label(node: Node) -> NodeLabel:
    return NodeLabel(node.label, node.id, node.file, node.line_start)


def _edge(step: Step) -> PathEdge:
    return PathEdge(step.edge_type, "forward" if step.is_forward else "backward", CONFIDENCE_WORDS[step.confidence])

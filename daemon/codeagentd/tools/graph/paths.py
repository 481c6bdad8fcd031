"""The tools about dependants of a node, and paths between two."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from msgspec import Meta

from codeagent_protocol.errors import InvalidParameter
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

from .not_found import Label, blank, in_words, missing, refusal, sought

LISTED: Final = 500  # dependents of one answer
DEEPEST: Final = 16  # page 002 affected
FOLLOWED: Final = tuple(relation for relation in RELATION_NAMES if not is_containment(relation))

Relations = Annotated[list[str], Meta(max_length=50, description="default: all that make a change felt")]


def _affected_told(answer: AffectedAnswer) -> str:
    lines = [
        f"- {one.depth} hop{'s' if one.depth > 1 else ''} via {one.via_relation}: {one.label} ({one.file})"
        for one in answer.affected
    ]
    return "\n".join([answer.message, *lines, *([f"Note: {answer.note}"] if answer.note else [])])


@tool("graph", told=in_words(_affected_told))
def affected(ctx: Context, label: Label, depth: int = 3, relations: Relations | None = None) -> AffectedAnswer:
    """List what transitively depends on a symbol or file and may break if it changes, by hops (depth 1 to 16): its
    blast radius. Types include their members.

    Returns: at most 500, the nearest and surest first; ambiguous edges are listed and not followed; `note` says what is
             not seen.
    Errors:  invalid_parameter for a relation that is not there.
    Source:  002 affected.
    """
    kinds = _kinds(relations or list(IMPACT))
    return ctx.across(partial(_affected, ctx, label, min(max(depth, 1), DEEPEST), kinds))


def _affected(ctx: Context, label: str, hops: int, kinds: int, graph: FederatedGraph) -> AffectedAnswer:
    meant = sought(ctx, graph, label)
    place = placed(meant)
    if place is None:
        return missing(AffectedAnswer, label, meant)
    seed, start = place.node, place.seeds
    reached, cut = reached_from(graph, start.ids, False, hops, kinds)
    reached.sort(key=lambda one: (one.distance, one.confidence, one.symbol))
    listed = reached[: ctx.most(LISTED)]
    known = nodes(graph, [one.symbol for one in listed])
    notes = [place.note, cut, *unseen(place.db, start, bool(reached)), *graph.notes]
    result = sorted(
        (_dependent(known[one.symbol], one) for one in listed if one.symbol in known),
        key=lambda one: (one.depth, _sure(one), one.file),
    )
    more = f"only the first {len(listed)} of {len(reached)} are listed" if len(reached) > len(listed) else ""
    told = f"{len(reached)} nodes depend on {seed.label} (<= {hops} hops):"
    return AffectedAnswer(
        found=True,
        message=told,
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


def _dependent(node: Node, one: Reached) -> AffectedNode:
    return AffectedNode(
        node.label,
        one.distance,
        one.step.edge_type,
        node.id,
        node.file,
        CONFIDENCE_WORDS[one.confidence],
        node.line_start,
    )


def _sure(one: AffectedNode) -> int:
    return CONFIDENCE_WORDS.index(one.confidence)


def _path_told(answer: PathAnswer) -> str:
    if not answer.found:
        return refusal(answer)
    told = f"{' -> '.join(node.label for node in answer.nodes)} ({answer.hops} hop{'' if answer.hops == 1 else 's'})"
    return f"{told}\nNote: {answer.note}" if answer.note else told


@tool("graph", told=_path_told)
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
    for asked in (source, target):
        meant = sought(ctx, graph, asked)
        place = placed(meant)
        if place is None:
            return missing(PathAnswer, asked, meant)
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
    if not way.steps:
        edge = PathEdge("contains", "forward" if last.number in starts[0].ids else "backward", CONFIDENCE_WORDS[0])
        return PathAnswer(
            found=True, source=first.label, target=last.label, hops=1, nodes=[_told(first), _told(last)], edges=[edge]
        )
    if len(way.steps) > max_hops:
        told = (
            f"The shortest path between {first.label} and {last.label} has {len(way.steps)} hops, more than {max_hops}."
        )
        return blank_path(message=told, hops=len(way.steps))
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
    return [_told(known[one]) for one in order]


def _told(node: Node) -> NodeLabel:
    return NodeLabel(node.label, node.id, node.file, node.line_start)


def _edge(step: Step) -> PathEdge:
    return PathEdge(step.edge_type, "forward" if step.is_forward else "backward", CONFIDENCE_WORDS[step.confidence])

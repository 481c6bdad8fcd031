"""The tools about one node: its description, and its source."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from codeagentd.base.file_lines import lines_of
from codeagentd.base.paths import Jail
from codeagentd.model.labels import clean
from codeagentd.model.results.graph_results import DescribeAnswer, NodeAnswer, SourceAnswer
from codeagentd.query.graph.description import described
from codeagentd.query.graph.federated_graph import OWN, FederatedGraph
from codeagentd.query.graph.federated_lookup import Place, placed
from codeagentd.query.graph.node_metrics import community_of
from codeagentd.query.graph.nodes import degrees
from codeagentd.query.symbols.spans import other_parts
from codeagentd.query.symbols.symbol_places import OUTSIDE
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.graph_analysis import begin
from codeagentd.toolkit.tool import tool

from .not_found import Label, blank, find_node, in_words, missing, noted

MOST_LINES: Final = 400  # page 002 get_source


def _render_node(answer: NodeAnswer) -> str:
    lines = [
        f"Node: {answer.label}",
        f"ID: {answer.id}",
        f"Source: {answer.source_file}:L{answer.line}",
        f"Type: {answer.type}",
    ]
    lines += [f"Community: {_community(answer)}", f"Degree: {answer.degree}", f"Kind: {answer.kind}"]
    lines += [f"Visibility: {answer.visibility}"] if answer.visibility else []
    return "\n".join([*lines, f"LOC: {answer.loc}", *noted(answer)])


def _note(place: Place) -> str:
    """The note about the name of a node, and about the other parts of a definition that has several."""
    parts = clean(other_parts(place.db, place.subject)) if place.at == OWN else ""
    return "; ".join(filter(None, (place.note, parts)))


def _community(answer: NodeAnswer) -> str:
    """The number of the node's community; nodes outside of the repository never have one."""
    if answer.community is not None:
        return str(answer.community)
    return "none" if OUTSIDE in answer.source_file else "not known yet"


@tool("graph", render_text=in_words(_render_node))
def get_node(ctx: Context, label: Label) -> NodeAnswer:
    """Show the details of a node of the code graph: file, kind, visibility, lines, community, degree.

    Returns: candidates (id, file, degree) when several nodes match.
    Source:  002 get_node.
    """
    begin(ctx)
    return ctx.across(partial(_node, ctx, label))


def _node(ctx: Context, label: str, graph: FederatedGraph) -> NodeAnswer:
    result = find_node(ctx, graph, label)
    place = placed(result)
    if place is None:
        return missing(NodeAnswer, label, result)
    node, number = place.node, place.subject.id
    return NodeAnswer(
        found=True,
        label=node.label,
        id=node.id,
        source_file=node.file,
        line=node.line_start,
        type=node.type,
        kind=node.kind,
        visibility=node.visibility,
        loc=max(0, node.line_end - node.line_start + 1),
        degree=degrees(place.db, [number])[number],
        community=community_of(place.db, number),
        note=_note(place),
    )


def _render_source(answer: SourceAnswer) -> str:
    width = len(str(answer.line_to))
    lines = answer.source.split("\n")
    numbered = [f"{number:>{width}} {line}" for number, line in enumerate(lines, start=answer.line_from)]
    more = [f"... up to line {answer.line_end}"] if answer.line_to < answer.line_end else []
    return "\n".join(
        [
            f"{answer.label} [{answer.type}] {answer.source_file}:L{answer.line_from}-L{answer.line_to}",
            *numbered,
            *more,
            *noted(answer),
        ]
    )


@tool("graph", render_text=in_words(_render_source))
def get_source(ctx: Context, label: Label, context_lines: int = 40) -> SourceAnswer:
    """Read the source code of a symbol, such as the body (implementation text) of a function, method or class:
    context_lines (1 to 400) from its start, no further than its end.

    Returns: the text as it is in the file; line_end is where the symbol ends.
    Source:  002 get_source.
    """
    return ctx.across(partial(_source, ctx, label, context_lines))


def _source(ctx: Context, label: str, context_lines: int, graph: FederatedGraph) -> SourceAnswer:
    result = find_node(ctx, graph, label)
    place = placed(result)
    if place is None:
        return missing(SourceAnswer, label, result)
    node, path = place.node, place.subject.path
    own = ctx.lines(path) if place.at == OWN else lines_of(Jail(Path(graph.parts[place.at].root)), path)
    lines = own if place.subject.id > 0 else ()
    first, last = node.line_start, min(node.line_end, len(lines))
    if not lines or first > last:
        return blank(SourceAnswer, message=f"Source not available for {node.label} ({node.file}).")
    until = min(last, first + min(max(context_lines, 1), ctx.most(MOST_LINES)) - 1)
    return SourceAnswer(
        found=True,
        label=node.label,
        id=node.id,
        type=node.type,
        source_file=node.file,
        line_from=first,
        line_to=until,
        line_end=last,
        source="\n".join(lines[first - 1 : until]),
        note=_note(place),
    )


def _render_described(answer: DescribeAnswer) -> str:
    lines = [answer.summary]
    lines += [f"Signature: {answer.signature.raw}"] if answer.signature else []
    lines += [f"Calls ({len(answer.callees)}): {', '.join(answer.callees)}"] if answer.callees else []
    return "\n".join([*lines, *noted(answer)])


@tool("graph", render_text=in_words(_render_described))
def describe_node(ctx: Context, label: Label) -> DescribeAnswer:
    """Describe in a sentence what a symbol does, by its signature and calls: takes X, returns Y, calls Z.

    Returns: candidates (id, file, degree) when several nodes match.
    Source:  002 describe_node.
    """
    return ctx.across(partial(_described, ctx, label))


def _described(ctx: Context, label: str, graph: FederatedGraph) -> DescribeAnswer:
    result = find_node(ctx, graph, label)
    place = placed(result)
    if place is None:
        return missing(DescribeAnswer, label, result)
    node = place.node
    description = described(place.db, place.subject, node)
    return DescribeAnswer(
        found=True,
        id=node.id,
        label=node.label,
        kind=node.kind,
        summary=description.summary,
        callees=description.callees,
        signature=description.signature,
        note=_note(place),
    )

"""The tool that answers a question with a part of the graph."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from codeagentd.base.log import EventLog
from codeagentd.model.parameters import Question
from codeagentd.model.results.graph_results import SubgraphAnswer, SubgraphEdge, SubgraphNode
from codeagentd.query.graph.nodes import Node
from codeagentd.query.graph.subgraph import Subgraph, subgraph
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.graph_analysis import begin
from codeagentd.toolkit.tool import tool

BYTES_PER_TOKEN: Final = 4  # page 002
TOKENS_PER_NODE: Final = 40  # page 002
FEWEST, MOST = 10, 400  # nodes, page 002

_log = EventLog(__name__)

Places = Annotated[list[str], Meta(max_length=50)]


def _render(answer: SubgraphAnswer) -> str:
    lines = [
        _head(answer.mode, answer.start, answer.found),
        *map(_node_line, answer.nodes),
        *map(_edge_line, answer.edges),
    ]
    return "\n".join([*lines, *([f"Note: {answer.note}"] if answer.note else [])])


def _head(mode: str, start: list[str], count: int) -> str:
    return f"Traversal: {mode} | Start: [{', '.join(start)}] | {count} nodes found"


def _node_line(node: SubgraphNode) -> str:
    return f"NODE {node.label} [{node.file_type}] {node.source_file}"


def _edge_line(edge: SubgraphEdge) -> str:
    return f"EDGE {edge.source} --{edge.relation}--> {edge.target}"


@tool("graph", render_text=_render)
def query_graph(
    ctx: Context,
    question: Question,
    mode: Literal["bfs", "dfs"] = "bfs",
    token_budget: int = 2000,
    context_filter: Places | None = None,
) -> SubgraphAnswer:
    """Query the code knowledge graph with a question in words or names, or a whole issue: the nodes that answer and the
    edges between them. The place to start.

    context_filter keeps files whose path contains one of its strings.

    Returns: the most relevant nodes first; nodes and edges as far as token_budget has room for them, ambiguous edges
             left out.
    Source:  002 query_graph.
    """
    budget = max(token_budget, 0) * BYTES_PER_TOKEN
    limit = min(max(token_budget // TOKENS_PER_NODE, FEWEST), ctx.most(MOST))
    places = [place for place in context_filter or [] if place]
    begin(ctx)
    result, note = ctx.across(
        lambda graph: (subgraph(graph, question, limit, deep=mode == "dfs", places=places), "; ".join(graph.notes))
    )
    if ctx.query_log and ctx.room == 1:  # only once, also if the answer has to be computed again
        line = {
            "at": time.time(),
            "question": question,
            "mode": mode,
            "token_budget": token_budget,
            "context_filter": places,
            "nodes": len(result.nodes),
        }
        _write_down(ctx.query_log, msgspec.json.encode(line))
    return _within(mode, result, budget, note)


def _write_down(log: Path, line: bytes) -> None:
    """Append a line to a log that only the user may read. A failure to write never fails the answer."""
    try:
        descriptor = os.open(
            log,
            os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0),
            0o600,
        )
        try:
            os.write(descriptor, line + b"\n")
        finally:
            os.close(descriptor)
    except OSError as error:
        _log.error("the query log cannot be written", error)


def _within(mode: str, result: Subgraph, budget: int, note: str) -> SubgraphAnswer:
    """As much of the subgraph as fits into the budget (in bytes of the text)."""
    left = budget - _size(_head(mode, result.start, len(result.nodes)))
    nodes: list[SubgraphNode] = []
    for node in map(_node, result.nodes):
        left -= _size(_node_line(node))
        if left < 0:
            break
        nodes.append(node)
    edges: list[SubgraphEdge] = []
    for edge in result.edges:
        left -= _size(_edge_line(edge))
        if left < 0:
            break
        edges.append(edge)
    return SubgraphAnswer(mode=mode, start=result.start, found=len(result.nodes), nodes=nodes, edges=edges, note=note)


def _node(node: Node) -> SubgraphNode:
    return SubgraphNode(node.label, node.type, node.file, node.id, node.line_start)


def _size(line: str) -> int:
    return len(line.encode()) + 1

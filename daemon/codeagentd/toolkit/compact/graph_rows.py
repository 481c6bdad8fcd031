"""Rows of nodes of the graph: what a change reaches, by distance, and the nodes around a node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from codeagentd.model.results.change_results import ChangedNode, Dependent
from codeagentd.model.results.graph_results import (
    AffectedNode,
    GraphNeighbour,
    Hub,
    MatchedNode,
    Member,
    NodeCandidate,
    NodeLabel,
    SubgraphEdge,
    SubgraphNode,
)
from codeagentd.model.results.retrieval_results import ImpactNode

from .edge_rows import Grouped, doubt, grouped, relation
from .names import within


def _by_distance(rows: Iterable[tuple[int, str, str]]) -> Grouped:
    """Rows (hops, path, text) below their distance and path."""
    result: dict[int, list[tuple[str, str]]] = {}
    for hops, path, text in rows:
        result.setdefault(hops, []).append((path, text))
    return {f"{hops} hop{'s' * (hops != 1)}": grouped(below) for hops, below in result.items()}


def affected(items: Sequence[AffectedNode]) -> Grouped:
    """Return what depends on a symbol, by distance and file."""
    return _by_distance(
        (
            item.depth,
            item.file,
            f"{item.line} {_label(item.label, item.file)}{relation(item.via_relation, item.confidence)}",
        )
        for item in items
    )


def impact(items: Sequence[ImpactNode]) -> Grouped:
    """Return the reached symbols, by distance and file."""
    return _by_distance(
        (
            item.distance,
            item.path,
            f"{item.line} {within(item.name, item.path)}{relation(item.via_edge, item.via_confidence)}",
        )
        for item in items
    )


def dependents(items: Sequence[Dependent]) -> Grouped:
    """Return the dependents of a change, by distance and file; `reason` is why one is listed."""
    return _by_distance(
        (
            item.depth,
            item.file,
            f"{_label(item.label, item.file)}{relation(item.via_relation, item.confidence)}"
            + (f" - {item.reason}" if item.reason else ""),
        )
        for item in items
    )


def _label(label: str, path: str) -> str:
    return "(module)" if label == path else label


def changed(items: Sequence[ChangedNode]) -> Grouped:
    """Return the nodes of changed files, with the number of other symbols that depend on each."""
    return grouped(
        (item.file, f"{item.line} {item.kind} {item.label}" + (f", used by {item.outside}" if item.outside else ""))
        for item in items
    )


def neighbors(items: Sequence[GraphNeighbour]) -> Grouped:
    """Return the nodes around a node: `<-` for edges from them, `->` for edges to them."""
    return grouped((item.file, _neighbor(item)) for item in items)


def _neighbor(item: GraphNeighbour) -> str:
    arrow = "->" if item.direction == "out" else "<-"
    return f"{item.line} {arrow} {_label(item.label, item.file)} {item.relation}{doubt(item.confidence)}"


def labelled(items: Sequence[NodeLabel | NodeCandidate]) -> list[str]:
    """Return nodes with their places."""
    return [f"{item.file}:{item.line} {_label(item.label, item.file)}" for item in items]


def hubs(items: Sequence[Hub]) -> list[str]:
    """Return nodes with the number of their connections."""
    return [
        f"{item.file} {_label(item.label, item.file)} {item.degree} connections, {item.dependents} dependents"
        for item in items
    ]


def members(items: Sequence[Member]) -> Grouped:
    """Return the members of a community by file."""
    return grouped((item.file, _label(item.label, item.file)) for item in items)


def subgraph_nodes(items: Sequence[SubgraphNode]) -> Grouped:
    """Return the nodes of a part of the graph by file."""
    return grouped((item.source_file, f"{item.line} {_label(item.label, item.source_file)}") for item in items)


def subgraph_edges(items: Sequence[SubgraphEdge]) -> list[str]:
    """Return the edges of a part of the graph."""
    return [f"{item.source} {item.relation} {item.target}{doubt(item.confidence)}" for item in items]


def matched(item: MatchedNode) -> str:
    """Return a node that a structural search has matched."""
    return f"{item.file}:{item.line} {item.kind} {_label(item.label, item.file)} loc {item.loc}"

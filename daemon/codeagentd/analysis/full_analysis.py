"""The whole analysis of the graph in one run."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from codeagentd.model.analysis import HUBS, Analysis, Findings, NodeRow, NodeSort

from .communities import communities, kept_numbers
from .community_names import names_of
from .cycles import cycles
from .graph import Graph
from .node_metrics import rows_of, sums_of, weights_of
from .overview import overview
from .surprises import doubts, questions, surprises


def analysed(graph: Graph, generation: int, before: Mapping[int, int]) -> Analysis:
    """Return the whole analysis of `graph`. `before`: the community of each node in the last analysis, by the node's
    number.
    """
    weights = weights_of(graph)
    raw, modularity = communities(len(graph.nodes), weights)
    member = kept_numbers(raw, [before.get(node.number) for node in graph.nodes])
    rows = list(rows_of(graph, member, weights, range(len(graph.nodes))))
    sums = sums_of(rows)
    findings = Findings(
        modularity=round(modularity, 3),
        surprises=surprises(graph, member),
        questions=questions(graph, member, {community: sums[community].cohesion for community in sums}, _hubs(rows)),
        cycles=cycles(graph),
        overview=overview(graph, member, modularity),
        doubts=doubts(graph),
    )
    names = names_of(graph, member)
    numbers = array("q", (number for row in rows for number in row))
    return Analysis(
        generation=generation,
        findings=findings,
        communities={community: (names[community], sums[community]) for community in sorted(sums)},
        nodes=numbers.tobytes(),
    )


def _hubs(rows: Sequence[NodeRow]) -> list[int]:
    chosen = [place for place, row in enumerate(rows) if row.sort != NodeSort.NO_HUB]
    return sorted(chosen, key=lambda place: (-rows[place].degree, place))[:HUBS]

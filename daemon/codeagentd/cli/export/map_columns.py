"""The map of the page of a report: titles of communities, circles, and a place for each node, as columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, Final

from codeagentd.analysis.circle_layout import Pair, place_communities, place_members
from codeagentd.analysis.graph import CONTAINS
from codeagentd.analysis.surprises import is_code
from codeagentd.model.kinds import Confidence
from codeagentd.model.labels import CANDIDATES, Titled, titles

from .whole_graph import UNPLACED, Whole

NEWER: Final = "since the last analysis"

Json = dict[str, Any]


def map_columns(whole: Whole, included: Sequence[int]) -> Json:
    """Return the columns of the map for the nodes `included`, by their indexes in the graph."""
    ids = [community.id for community in whole.communities] + [UNPLACED]
    at = {number: index for index, number in enumerate(ids)}
    community = [at[whole.nodes[place].community] for place in included]
    members: dict[int, list[int]] = defaultdict(list)
    for node in sorted(range(len(included)), key=lambda node: (-whole.nodes[included[node]].degree, node)):
        members[community[node]].append(node)
    circles = place_communities(
        [len(members[index]) for index in range(len(ids))], _between(whole, included, community)
    )
    x, y = [0.0] * len(included), [0.0] * len(included)
    for index, nodes in members.items():
        spots = place_members(nodes, circles.radius[index])
        for node, across, down in zip(nodes, spots.x, spots.y, strict=True):
            x[node], y[node] = across, down
    return {
        "communities": _communities(whole, included, members), "community": community, "x": x, "y": y,
        "circles": circles.columns(),
    }  # fmt: skip


def _communities(whole: Whole, included: Sequence[int], members: dict[int, list[int]]) -> list[list[Any]]:
    """Number, title, size, cohesion and folder of each community."""
    titled = [
        Titled(item.id, item.name, _strongest(whole, [included[node] for node in members[index]]))
        for index, item in enumerate(whole.communities)
    ]
    named = zip(whole.communities, titles(titled), strict=True)
    return [[item.id, title, item.size, item.cohesion, item.name or "."] for item, title in named] + [
        [UNPLACED, NEWER, 0, 0, NEWER]
    ]


def _strongest(whole: Whole, places: Sequence[int]) -> list[str]:
    """The labels of the most connected symbols, those of code before others. `places`: the most connected first."""
    graph = whole.graph
    symbols = [place for place in places if not graph.nodes[place].is_file]
    best = sorted(symbols, key=lambda place: not is_code(graph, place))[:CANDIDATES]
    return [graph.nodes[place].label for place in best]


def _between(whole: Whole, included: Sequence[int], community: Sequence[int]) -> dict[Pair, int]:
    """How many edges that are not ambiguous lead from one community to another, whichever way; without containment."""
    of_node = dict(zip(included, community, strict=True))
    counts: Counter[Pair] = Counter()
    for edge in whole.graph.edges:
        if edge.kind == CONTAINS or edge.confidence == Confidence.AMBIGUOUS:
            continue
        first, second = of_node.get(edge.source, -1), of_node.get(edge.target, -1)
        if first != second and min(first, second) >= 0:
            counts[min(first, second), max(first, second)] += 1
    return counts

"""Which nodes of a weighted graph belong together? Louvain's method, without chance: the same graph has the same communities everywhere.

Source: Blondel et al. 2008, Fast unfolding of communities in large networks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

PASSES: Final = 20  # over all nodes on one level; most graphs rest after five
LEVELS: Final = 10  # of communities of communities
_LEAST: Final = 1e-9  # gain that counts: below it is rounding

Graph = list[dict[int, float]]  # the neighbours of each node with the weight of the edge, both ways; a node's own entry is twice what is inside it


def communities(size: int, edges: Mapping[tuple[int, int], float]) -> list[int]:
    """The community of each of the nodes 0 to size - 1, numbered by their first members."""
    graph: Graph = [defaultdict(float) for _ in range(size)]
    for (one, other), weight in edges.items():
        graph[one][other] += weight
        graph[other][one] += weight
    member = list(range(size))
    for _ in range(LEVELS):
        chosen = _numbered(_moved(graph))
        member = [chosen[place] for place in member]
        if len(set(chosen)) == len(graph):
            break
        graph = _joined(graph, chosen)
    return _numbered(member)


def modularity(edges: Mapping[tuple[int, int], float], member: list[int]) -> float:
    """How much more weight lies inside the communities than chance would put there: 0 for none, near 1 for islands."""
    total = sum(edges.values())
    inside: dict[int, float] = defaultdict(float)
    ends: dict[int, float] = defaultdict(float)
    for (one, other), weight in edges.items():
        ends[member[one]] += weight
        ends[member[other]] += weight
        if member[one] == member[other]:
            inside[member[one]] += weight
    return sum(inside[one] / total - (share / (2 * total)) ** 2 for one, share in ends.items()) if total else 0.0


def _moved(graph: Graph) -> list[int]:
    """Each node into the neighbouring community where it gains most, until none gains."""
    degree = [sum(neighbours.values()) for neighbours in graph]
    whole = sum(degree)
    member = list(range(len(graph)))
    ends = list(degree)
    for _ in range(PASSES):
        moves = 0
        for node, neighbours in enumerate(graph):
            ties: dict[int, float] = defaultdict(float)
            for other, weight in neighbours.items():
                if other != node:
                    ties[member[other]] += weight
            own = member[node]
            ends[own] -= degree[node]
            best, most = own, ties[own] - ends[own] * degree[node] / whole if whole else 0.0
            for community, tie in sorted(ties.items()):
                gain = tie - ends[community] * degree[node] / whole
                if gain > most + _LEAST:
                    best, most = community, gain
            ends[best] += degree[node]
            member[node] = best
            moves += best != own
        if not moves:
            break
    return member


def _joined(graph: Graph, member: list[int]) -> Graph:
    """The graph whose nodes are the communities."""
    joined: Graph = [defaultdict(float) for _ in range(max(member) + 1)]
    for node, neighbours in enumerate(graph):
        for other, weight in neighbours.items():
            joined[member[node]][member[other]] += weight
    return joined


def _numbered(member: list[int]) -> list[int]:
    number: dict[int, int] = {}
    return [number.setdefault(one, len(number)) for one in member]

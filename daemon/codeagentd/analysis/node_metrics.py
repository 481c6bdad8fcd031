"""The metrics that are stored for each node and each community. The same functions serve a whole graph and the
neighbourhood of an edit.

This module does not need the library that finds communities.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from codeagentd.model.analysis import NodeRow, NodeSort, Sums
from codeagentd.model.kinds import Confidence

from .graph import CONTAINS, Graph
from .surprises import is_code

# page 002's scores; most ambiguous edges are wrong, so they have no weight
_WEIGHT: Final = {Confidence.EXACT: 1.0, Confidence.INFERRED: 0.5}

Weights = Mapping[tuple[int, int], float]  # (lower node, higher node) -> weight


def weights_of(graph: Graph) -> dict[tuple[int, int], float]:
    """Return the weight of the connection of each pair of nodes: a node that many use has a smaller weight with each of
    them.
    """
    weights: dict[tuple[int, int], float] = defaultdict(float)
    for source, target, kind, confidence in graph.edges:
        if confidence == Confidence.AMBIGUOUS:
            continue
        users = 1 if kind == CONTAINS else graph.fan_in[target]
        weights[min(source, target), max(source, target)] += _WEIGHT[Confidence(confidence)] / users**0.5
    return weights


def nearest(fresh: Iterable[int], weights: Weights, member: Mapping[int, int], following: int) -> dict[int, int]:
    """Return communities for the nodes `fresh`, which have none, by node. Each joins that community of `member` (by
    node) with which it has the greatest weight; nodes with any connection come first.

    A node without a connection begins a new community; `following` is the first free number.
    """
    bound: dict[int, list[tuple[int, float]]] = {node: [] for node in fresh}
    for (first, other), weight in weights.items():
        for node, neighbour in ((first, other), (other, first)):
            if node in bound:
                bound[node].append((neighbour, weight))
    assigned: dict[int, int] = {}
    while bound:
        joined = {node: best for node in bound if (best := _closest(bound[node], member, assigned)) is not None}
        if not joined:
            joined = {next(iter(bound)): following}
            following += 1
        assigned |= joined
        bound = {node: others for node, others in bound.items() if node not in joined}
    return assigned


def _closest(bound: Iterable[tuple[int, float]], member: Mapping[int, int], assigned: Mapping[int, int]) -> int | None:
    sums: dict[int, float] = defaultdict(float)
    for neighbour, weight in bound:
        community = member.get(neighbour, assigned.get(neighbour))
        if community is not None:
            sums[community] += weight
    return min(sums, key=lambda community: (-sums[community], community), default=None)


def rows_of(
    graph: Graph, member: Mapping[int, int] | Sequence[int], weights: Weights, places: Iterable[int]
) -> Iterator[NodeRow]:
    """Yield the stored rows of the nodes `places`. `member`: the community of each index, for these nodes and all their
    neighbours.
    """
    inside, out = [0] * len(graph.nodes), [[0, 0, 0] for _ in graph.nodes]
    for first, other in weights:
        if member[first] == member[other]:
            inside[first] += 1
            inside[other] += 1
    for edge in graph.edges:
        out[edge.source][edge.confidence] += 1
    for place in places:
        counts = graph.degree[place], graph.fan_in[place], graph.fan_out[place], inside[place]
        exact, inferred, ambiguous = out[place]
        yield NodeRow(
            graph.nodes[place].number, member[place], *counts, exact, inferred, ambiguous, _sort(graph, place)
        )


def _sort(graph: Graph, place: int) -> NodeSort:
    if graph.nodes[place].is_file or not graph.file(place).is_code:
        return NodeSort.NO_HUB
    return NodeSort.CODE if is_code(graph, place) else NodeSort.ANY


def sums_of(rows: Iterable[NodeRow]) -> dict[int, Sums]:
    """Return the totals of each community, by community. `rows` are those of all its members."""
    totals: dict[int, list[int]] = defaultdict(lambda: [0] * len(Sums._fields))
    for row in rows:
        sums = totals[row.community]
        is_isolated = row.sort == NodeSort.CODE and row.degree <= 1
        for at, value in enumerate((1, row.inside, row.exact, row.inferred, row.ambiguous, is_isolated)):
            sums[at] += value
    return {community: Sums(*sums) for community, sums in totals.items()}

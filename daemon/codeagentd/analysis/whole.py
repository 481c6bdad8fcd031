"""Everything that is found out about the whole graph, in one go."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence

from codeagentd.model.analysis import HUBS, Analysis, Findings, NodeRow, NodeSort

from .communities import communities, kept_numbers
from .cycles import cycles
from .figures import rows_of, sums_of, weights_of
from .graph import Graph
from .overview import folder_of, folders, overview
from .surprises import doubts, questions, surprises


def analysed(graph: Graph, generation: int, before: Mapping[int, int]) -> Analysis:
    """The whole analysis. `before`: the community of each node, by number, as the last analysis had it."""
    weights = weights_of(graph)
    raw, modularity = communities(len(graph.nodes), weights)
    member = kept_numbers(raw, [before.get(node.number) for node in graph.nodes])
    rows = list(rows_of(graph, member, weights, range(len(graph.nodes))))
    sums = sums_of(rows)
    findings = Findings(
        modularity=round(modularity, 3),
        surprises=surprises(graph, member),
        questions=questions(graph, member, {one: sums[one].cohesion for one in sums}, _hubs(rows)),
        cycles=cycles(graph),
        overview=overview(graph),
        doubts=doubts(graph),
    )
    names = _names(graph, member)
    numbers = array("q", (number for row in rows for number in row))
    return Analysis(generation=generation, findings=findings, communities={one: (names[one], sums[one]) for one in sorted(sums)}, nodes=numbers.tobytes())


def _hubs(rows: Sequence[NodeRow]) -> list[int]:
    chosen = [place for place, row in enumerate(rows) if row.sort != NodeSort.NO_HUB]
    return sorted(chosen, key=lambda place: (-rows[place].degree, place))[:HUBS]


def _names(graph: Graph, member: Sequence[int]) -> dict[int, str]:
    paths: dict[int, set[str]] = defaultdict(set)
    for place, one in enumerate(member):
        paths[one].add(graph.file(place).path)
    whole = folders(file.path for file in graph.files.values())
    return {one: next(iter(found)) if len(found) == 1 else folder_of(sorted(found), whole) for one, found in paths.items()}

"""Everything that is found out about the whole graph, in one go."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from codeagentd.model.analysis import Analysis, Community, Findings
from codeagentd.model.kinds import Confidence

from .communities import cohesion, communities, kept_numbers
from .cycles import cycles
from .graph import CONTAINS, Graph
from .overview import folder_of, folders, overview
from .surprises import doubts, is_code, questions, surprises

HUBS: Final = 500  # of each sort that are kept: nobody pages further
THIN: Final = 2  # members of a community that hardly is one

_WEIGHT: Final = {Confidence.EXACT: 1.0, Confidence.INFERRED: 0.5}  # page 002's scores; most ambiguous edges are wrong, and bind nothing


def analysed(graph: Graph, generation: int, before: Mapping[int, int], fingerprint: str = "") -> Analysis:
    """The whole analysis. `before`: the community of each node, by number, as the last analysis had it; `fingerprint`: of the graph."""
    weights = weights_of(graph)
    raw, modularity = communities(len(graph.nodes), weights)
    member = kept_numbers(raw, [before.get(node.number) for node in graph.nodes])
    bound = cohesion(member, weights)
    hubs = _ranked(graph, graph.degree)
    pillars = _ranked(graph, graph.fan_in)
    found = _communities(graph, member, bound)
    findings = Findings(
        nodes=len(graph.nodes),
        edges=graph.counted(),
        communities=len(found),
        modularity=round(modularity, 3),
        hubs=[graph.nodes[place].number for place in hubs],
        pillars=[graph.nodes[place].number for place in pillars],
        surprises=surprises(graph, member),
        questions=questions(graph, member, bound, hubs),
        cycles=cycles(graph),
        isolated=sum(1 for place, node in enumerate(graph.nodes) if is_code(graph, place) and not node.is_file and graph.degree[place] <= 1),
        thin=sum(1 for one in found if one.size <= THIN),
        overview=overview(graph),
        doubts=doubts(graph),
        graph=fingerprint,
    )
    return Analysis(generation=generation, findings=findings, communities=found, nodes=_rows(graph, member))


def weights_of(graph: Graph) -> dict[tuple[int, int], float]:
    """How closely each pair of nodes is bound: what many use binds each of them less."""
    weights: dict[tuple[int, int], float] = defaultdict(float)
    for source, target, kind, confidence in graph.edges:
        if confidence == Confidence.AMBIGUOUS:
            continue
        users = 1 if kind == CONTAINS else graph.fan_in[target]
        weights[min(source, target), max(source, target)] += _WEIGHT[Confidence(confidence)] / users**0.5
    return weights


def _ranked(graph: Graph, worth: Sequence[int]) -> list[int]:
    """Nodes of code that stand for no file, the worthiest first."""
    chosen = [place for place, node in enumerate(graph.nodes) if not node.is_file and graph.file(place).is_code]
    return sorted(chosen, key=lambda place: (-worth[place], place))[:HUBS]


def _communities(graph: Graph, member: Sequence[int], bound: Mapping[int, float]) -> list[Community]:
    sizes = Counter(member)
    paths: dict[int, set[str]] = defaultdict(set)
    for place, one in enumerate(member):
        paths[one].add(graph.file(place).path)
    whole = folders(file.path for file in graph.files.values())
    return [
        Community(one, next(iter(paths[one])) if len(paths[one]) == 1 else folder_of(sorted(paths[one]), whole), size, round(bound[one], 4))
        for one, size in sorted(sizes.items())
    ]


def _rows(graph: Graph, member: Sequence[int]) -> bytes:
    rows = array("q")
    for place, node in enumerate(graph.nodes):
        rows.extend((node.number, member[place], graph.degree[place], graph.fan_in[place], graph.fan_out[place]))
    return rows.tobytes()

"""Surprising connections, and questions that the graph suggests."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.model.analysis import Doubt, SuggestedQuestion, Surprise
from codeagentd.model.kinds import EDGE_OF_REFERENCE, OUTLINE, Confidence, ReferenceKind, SymbolKind

from .graph import CONTAINS, Edge, Graph

SURPRISES: Final = 5
LOOKED_AT: Final = 200  # most surprising edges that are examined, many of which are between the same files
QUESTIONS: Final = 7
DOUBTED: Final = 20  # page 002
FEW, MANY = 2, 5  # neighbours of a peripheral node at most, and of a central one at least
DOUBTS: Final = 2  # inferred edges of a hub that deserve a question
LOOSE: Final = 0.15  # cohesion below which a community may consist of several
LOOSE_SIZE: Final = 5

_STRUCTURE: Final = frozenset({CONTAINS, ReferenceKind.IMPORT, ReferenceKind.REEXPORT})
_BONUS: Final = {Confidence.EXACT: 1, Confidence.INFERRED: 2}
_CALLS: Final = frozenset({ReferenceKind.CALL, ReferenceKind.USE})


def surprises(graph: Graph, member: Sequence[int]) -> list[Surprise]:
    """Return the surprising edges between files: they cross folders, sorts of files or communities, or are inferred.
    The most distant come first, one for each pair of files. `member`: the community of each node.

    Ambiguous edges are only used for questions, as are edges that rest on a bare name (`decl.init` may be any `init`):
    most of both are wrong.
    """
    chosen: list[Surprise] = []
    seen: set[tuple[int, int]] = set()
    for score, edge in heapq.nsmallest(LOOKED_AT, _scored(graph, member)):
        files = graph.nodes[edge.source].file, graph.nodes[edge.target].file
        if files not in seen and len(chosen) < SURPRISES:
            seen.add(files)
            chosen.append(_surprise(graph, edge, -score, [reason for _, reason in _reasons(graph, edge, member)]))
    return chosen


def _scored(graph: Graph, member: Sequence[int]) -> Iterator[tuple[int, Edge]]:
    for edge, is_guessed in zip(graph.edges, graph.guessed, strict=True):
        if is_guessed or edge.kind in _STRUCTURE or edge.confidence == Confidence.AMBIGUOUS:
            continue
        if (
            graph.nodes[edge.source].file != graph.nodes[edge.target].file
            and not _is_scaffold(graph, edge)
            and (reasons := _reasons(graph, edge, member))
        ):
            yield -_BONUS[Confidence(edge.confidence)] - sum(worth for worth, _ in reasons), edge


def _is_scaffold(graph: Graph, edge: Edge) -> bool:
    """Whether an edge begins or ends in a test, or at a symbol that is no code. Tests reference everything, and
    headings and keys are not code, so neither is surprising.
    """
    ends = [graph.nodes[edge.source], graph.nodes[edge.target]]
    return any(node.is_file or node.kind in OUTLINE for node in ends) or any(
        graph.files[node.file].is_test for node in ends
    )


def _reasons(graph: Graph, edge: Edge, member: Sequence[int]) -> list[tuple[int, str]]:
    source_file, other = graph.file(edge.source), graph.file(edge.target)
    across = source_file.family != other.family or source_file.is_code != other.is_code
    reasons = []
    if any(graph.nodes[end].kind == SymbolKind.BOUNDARY for end in (edge.source, edge.target)):
        reasons += [(1, "it leads to another language or process")]
    elif edge.confidence != Confidence.INFERRED or edge.kind not in _CALLS or not across:
        reasons += [(2, "code and something that is not code")] if source_file.is_code != other.is_code else []
        tops = _top(source_file.path), _top(other.path)
        reasons += [(2, f"from {tops[0]} to {tops[1]}")] if tops[0] != tops[1] else []
        reasons += [(1, "between two communities")] if member[edge.source] != member[edge.target] else []
    degrees = sorted(graph.degree[end] for end in (edge.source, edge.target))
    reasons += (
        [(1, "one end has hardly any other connection, the other has many")]
        if degrees[0] <= FEW and degrees[1] >= MANY
        else []
    )
    return reasons


def _surprise(graph: Graph, edge: Edge, score: int, reasons: list[str]) -> Surprise:
    relation = EDGE_OF_REFERENCE[ReferenceKind(edge.kind)]
    return Surprise(
        graph.nodes[edge.source].number,
        graph.nodes[edge.target].number,
        relation,
        edge.confidence,
        score,
        "; ".join(reasons),
    )


def _top(path: str) -> str:
    return f"the folder {path.partition('/')[0]}" if "/" in path else "the top folder"


def questions(
    graph: Graph, member: Sequence[int], cohesion: dict[int, float], hubs: Sequence[int]
) -> list[SuggestedQuestion]:
    """Return the suggested questions, each of another kind, in the order of page 002's origin. `member`: the community
    of each node; `cohesion`: by community; `hubs`: the most connected nodes, by index.
    """
    candidates = [
        *_doubtful(graph),
        *_bridge(graph, member, hubs),
        *_inferred(graph, hubs),
        *_loose(graph, member, cohesion),
    ]
    return candidates[:QUESTIONS] or [
        SuggestedQuestion("no_signal", "What does the repository do first?", "nothing in the graph stands out")
    ]


def doubts(graph: Graph) -> list[Doubt]:
    """Return the nodes that most ambiguous edges lead to."""
    first: dict[int, Edge] = {}
    counts: Counter[int] = Counter()
    for edge in graph.edges:
        if edge.confidence == Confidence.AMBIGUOUS and not graph.file(edge.source).is_test:
            first.setdefault(edge.target, edge)
            counts[edge.target] += 1
    best = [first[node] for node in sorted(counts, key=lambda node: (-counts[node], node))[:DOUBTED]]
    number = [node.number for node in graph.nodes]
    return [
        Doubt(
            number[edge.target], counts[edge.target], number[edge.source], EDGE_OF_REFERENCE[ReferenceKind(edge.kind)]
        )
        for edge in best
    ]


def _doubtful(graph: Graph) -> list[SuggestedQuestion]:
    label = {node.number: node.label for node in graph.nodes}
    return [
        SuggestedQuestion(
            "ambiguous_edge", f"Who really uses {label[item.target]}?", f"{item.edges} edges to it are ambiguous"
        )
        for item in doubts(graph)[:1]
    ]


def _bridge(graph: Graph, member: Sequence[int], hubs: Sequence[int]) -> list[SuggestedQuestion]:
    """The question about the hub whose neighbours are in the most communities: this finds what betweenness would find
    in a large graph, in a thousandth of the time.
    """
    spans = {hub: len({member[other] for other in others}) for hub, others in graph.adjacent(hubs).items()}
    best = sorted((hub for hub in spans if spans[hub] > 1), key=lambda hub: (-spans[hub], hub))[:1]
    return [
        SuggestedQuestion(
            "bridge_node",
            f"Why does {graph.nodes[bridge].label} connect {spans[bridge]} communities?",
            "it is the widest bridge",
        )
        for bridge in best
    ]


def _inferred(graph: Graph, hubs: Sequence[int]) -> list[SuggestedQuestion]:
    hub_set = set(hubs)
    doubts = Counter(
        end for edge in graph.edges if edge.confidence == Confidence.INFERRED for end in edge[:2] if end in hub_set
    )
    best = sorted((doubt for doubt in doubts if doubts[doubt] >= DOUBTS), key=lambda doubt: (-doubts[doubt], doubt))[:1]
    return [
        SuggestedQuestion(
            "verify_inferred",
            f"Are the {doubts[node]} inferred edges of {graph.nodes[node].label} right?",
            "a hub rests on them",
        )
        for node in best
    ]


def _loose(graph: Graph, member: Sequence[int], cohesion: dict[int, float]) -> list[SuggestedQuestion]:
    alone = sum(
        1
        for place, node in enumerate(graph.nodes)
        if is_code(graph, place) and not node.is_file and graph.degree[place] <= 1
    )
    sizes = Counter(member)
    loose = sorted(
        (size for size in sizes if sizes[size] >= LOOSE_SIZE and cohesion[size] < LOOSE),
        key=lambda size: (-sizes[size], size),
    )[:1]
    text = (
        [
            SuggestedQuestion(
                "isolated_nodes",
                f"What are the {alone} symbols for that nothing refers to?",
                "they have at most one neighbour",
            )
        ]
        if alone
        else []
    )
    return text + [
        SuggestedQuestion(
            "low_cohesion",
            f"Is community {community} one thing?",
            f"its {sizes[community]} members share {cohesion[community]:.3f} of their possible edges",
        )
        for community in loose
    ]


def is_code(graph: Graph, place: int) -> bool:
    """Whether the node with the index `place` is code and no test."""
    file = graph.file(place)
    return file.is_code and not file.is_test and graph.nodes[place].kind not in OUTLINE

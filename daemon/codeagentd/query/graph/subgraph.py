"""The part of the graph that answers a question: symbols whose names contain its rare words, and the most relevant
symbols around them.

Source: page 002 query_graph; scores as its origin counts them (inverse frequency of words, half the worth for each hop,
        less for hubs).
"""

from __future__ import annotations

import heapq
import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from codeagentd.model.file_kinds import is_test
from codeagentd.model.identifier_words import split_words
from codeagentd.model.kinds import Confidence
from codeagentd.model.results.graph_results import CONFIDENCE_WORDS, SubgraphEdge
from codeagentd.query.retrieval.question import Query, stem
from codeagentd.query.retrieval.question_condensing import condensed
from codeagentd.store.connection import Database

from .federated_graph import OWN, SEPARATOR, FederatedGraph, Graph, shares
from .federated_graph import number as number_of
from .node_metrics import figures
from .nodes import Node, nodes, written
from .traversal import AMBIGUOUS, Step, steps

SEEDS: Final = 8
WORDS: Final = 8  # words of a question that are used, the rarest first
MATCHES: Final = 3_000  # symbols with a word that are examined: a more common word distinguishes little
RANKED: Final = 200  # symbols that may become start nodes
DECAY: Final = 0.5  # factor of the score for each hop
ASIDE: Final = 0.5  # factor for a test, unless the question is about tests
ELSEWHERE: Final = 0.7  # factor for a node of another repository
PROSE: Final = 0.6  # factor for a document
UNSURE: Final = 0.8  # factor for an inferred edge
AT_ONCE: Final = 8  # nodes whose edges are followed in one round
ROUNDS: Final = 12  # rounds of following edges
FOLLOWED: Final = 40  # edges of one node that are followed in each direction, the most certain first
USUAL: Final = 8  # neighbours above which a node counts as a hub
EDGES: Final = 2  # edges listed for each node
MOST_NAMED: Final = 24  # dotted names, paths and ids of a question that are looked up
LONGEST_NAME: Final = 500  # characters of one

_SHORTEST_STEM: Final = 4  # letters: shorter stems are prefixes of too many words


class Subgraph(NamedTuple):
    """Nodes, the most relevant first, the labels of the start nodes, and the edges between the nodes."""

    start: list[str]
    nodes: list[Node]
    edges: list[SubgraphEdge]


class _Waiting(NamedTuple):
    """A candidate node; comparison gives the order in which candidates are taken."""

    worth: float  # negative, since a heap returns the least
    depth: int  # negative where deeper nodes are preferred
    number: int


def subgraph(graph: Graph, question: str, limit: int, *, deep: bool, places: Collection[str]) -> Subgraph:
    """Return the part of `graph` that answers `question`: at most `limit` nodes, in files whose path contains one of
    `places` (none: any file).

    `deep` prefers, among equally scored nodes, those further away.
    """
    query = _read(graph, question)
    seeds = _seeds(graph, query, places)
    chosen = _spread(graph, query, seeds, limit, -1 if deep else 1, places) if seeds else {}
    edges = _edges(graph, chosen, {node.number for _, node in seeds})
    return Subgraph([node.label for _, node in seeds], list(chosen.values()), edges)


def _read(graph: Graph, question: str) -> Query:
    """The parsed question; of a long text only its most distinctive words in the repository."""
    return condensed(graph.database(OWN) if isinstance(graph, FederatedGraph) else graph, question).query


def _seeds(graph: Graph, query: Query, places: Collection[str]) -> list[tuple[float, Node]]:
    """The symbols whose names are closest to the question; the best has the score 1, or less if it is in another
    repository.
    """
    if not isinstance(graph, FederatedGraph):
        return _seeds_of(graph, query, places)
    candidates = []
    for index, part in enumerate(graph.parts):
        seeds = _seeds_of(part.database, query, [place.removeprefix(f"{part.name}{SEPARATOR}") for place in places])
        known = nodes(graph, [number_of(index, node.number) for _, node in seeds])
        candidates += [
            (worth * (ELSEWHERE if index else 1.0), known[number_of(index, node.number)]) for worth, node in seeds
        ]
    return heapq.nsmallest(SEEDS, candidates, key=lambda scored: -scored[0])


def _seeds_of(db: Database, query: Query, places: Collection[str]) -> list[tuple[float, Node]]:
    total = int(db.value("nodes.count") or 1)
    scores: dict[int, float] = defaultdict(float)
    for word in query.words[: WORDS * 2]:
        if len(word) < 2:
            continue
        numbers = [number for (number,) in db.all("nodes.with_word", (_match(word), MATCHES))]
        for number in numbers:
            scores[number] += math.log((total + 1) / (1 + len(numbers))) + 1
    best = heapq.nsmallest(RANKED, scores, key=lambda number: (-scores[number], number))
    known = nodes(db, best)
    scored = [
        (_of_seed(query, known[number]) * scores[number], known[number])
        for number in best
        if number in known and _is_inside(known[number], places)
    ]
    scored.sort(key=lambda entry: (-entry[0], entry[1].number))
    seeds = [(1.0, node) for node in _named_exactly(db, query.text) if _is_inside(node, places)]
    chosen = {node.number for _, node in seeds}
    return (seeds + [(worth / scored[0][0], node) for worth, node in scored if node.number not in chosen])[:SEEDS]


def _named_exactly(db: Database, question: str) -> list[Node]:
    """The nodes that the question names by a dotted name, a path or an id."""
    counted = Counter(word.strip(",;:?!'\"`").rstrip(".") for word in question.split())
    words = [word for word, _ in counted.most_common()]
    names = [
        word
        for word in words
        if 0 < len(word) <= LONGEST_NAME and (len(words) == 1 or any(sign in word for sign in ("::", ".", "/", "()")))
    ]
    numbers = [row[0] for name in names[:MOST_NAMED] for row in written(db, name)]
    return list(nodes(db, list(dict.fromkeys(numbers))[:SEEDS]).values())


def _match(word: str) -> str:
    """A full-text expression for names that contain the word or another form of it."""
    root = stem(word)
    if len(root) >= _SHORTEST_STEM:
        return f'{{name words}} : "{root}" *'
    return f'{{name words}} : "{word}" OR "{word.removesuffix("s")}"'


def _of_seed(query: Query, node: Node) -> float:
    own = node.label.removesuffix("()").rpartition(".")[2] if node.kind not in ("file", "module") else node.label
    exact = 2.0 if own in query.names else 1.0
    return exact * _sort_of(query, node) / math.sqrt(max(1, len(split_words(own))))


def _sort_of(query: Query, node: Node) -> float:
    factor = ASIDE if is_test(node.file.rpartition(SEPARATOR)[2]) and not query.about_tests else 1.0
    return factor * (PROSE if node.type == "document" and not query.about_prose else 1.0)


def _is_inside(node: Node, places: Collection[str]) -> bool:
    return not places or any(place in node.file for place in places)


def _spread(
    db: Graph, query: Query, seeds: Sequence[tuple[float, Node]], limit: int, sign: int, places: Collection[str]
) -> dict[int, Node]:
    """The best nodes around the start nodes, the best first."""
    worth = {node.number: value for value, node in seeds}
    known = {node.number: node for _, node in seeds}
    depth = dict.fromkeys(worth, 0)
    waiting = [_Waiting(-value, 0, number) for number, value in worth.items()]
    heapq.heapify(waiting)
    chosen: dict[int, Node] = {}
    for _ in range(ROUNDS):
        selected: list[int] = []
        while waiting and len(selected) < AT_ONCE and len(chosen) < limit:
            entry = heapq.heappop(waiting)
            if entry.number not in chosen and -entry.worth == worth[entry.number]:
                chosen[entry.number] = known[entry.number]
                selected.append(entry.number)
        if not selected or len(chosen) >= limit:
            break
        for step, value in _followed(db, query, selected, worth, known, places):
            if value > worth.get(step.end, 0.0) and step.end not in chosen:
                worth[step.end], depth[step.end] = value, depth[step.start] + 1
                heapq.heappush(waiting, _Waiting(-value, sign * depth[step.end], step.end))
    while waiting and len(chosen) < limit:
        entry = heapq.heappop(waiting)
        chosen.setdefault(entry.number, known[entry.number])
    return chosen


def _followed(
    db: Graph,
    query: Query,
    selected: list[int],
    worth: dict[int, float],
    known: dict[int, Node],
    places: Collection[str],
) -> Iterable[tuple[Step, float]]:
    """The edges of some nodes, each with the score that it gives to the node at its end. Adds these nodes to
    `known`.
    """
    counts: Counter[tuple[int, bool]] = Counter()
    followed = []
    for step in (*steps(db, selected, forward=True), *steps(db, selected, forward=False)):
        counts[step.start, step.is_forward] += 1
        if step.confidence != AMBIGUOUS and counts[step.start, step.is_forward] <= FOLLOWED:
            followed.append(step)
    ends = {step.end for step in followed}
    known |= nodes(db, ends - known.keys())
    degree = {number: metrics.degree for number, metrics in figures(db, ends).items()}
    for step in followed:
        node = known.get(step.end)
        if node and _is_inside(node, places):
            hub = math.log2(max(degree.get(step.end, 1), USUAL) / USUAL) + 1
            yield step, worth[step.start] * DECAY * (UNSURE if step.confidence else 1.0) * _sort_of(query, node) / hub


def _edges(graph: Graph, chosen: dict[int, Node], starts: Collection[int]) -> list[SubgraphEdge]:
    """The edges between these nodes, the most certain first, at most EDGES for each node; none between two of `starts`
    is left out for another.
    """
    inside = [
        (step.confidence, step.start, step.end, step.edge_type)
        for step in steps(graph, chosen, forward=True)
        if step.confidence != AMBIGUOUS and step.end in chosen
    ]
    for index, db, natives in shares(graph, chosen):
        contained = [
            (number_of(index, outer), number_of(index, inner))
            for outer, inner in db.all("nodes.containing", (json.dumps(natives),))
        ]
        inside += [(int(Confidence.EXACT), outer, inner, "contains") for outer, inner in contained if inner in chosen]
    place = {node: at for at, node in enumerate(chosen)}

    def order(edge: tuple[int, int, int, str]) -> tuple[int, int, int, str]:
        return edge[0], place[edge[1]] + place[edge[2]], place[edge[1]], edge[3]

    limited = sorted(inside, key=lambda edge: (edge[1] not in starts or edge[2] not in starts, order(edge)))[
        : EDGES * len(chosen)
    ]
    return [
        SubgraphEdge(chosen[start].label, relation, chosen[end].label, CONFIDENCE_WORDS[confidence])
        for confidence, start, end, relation in sorted(limited, key=order)
    ]

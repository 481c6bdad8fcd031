"""The whole graph in memory: nodes are identified by their index in one order; edges occur once for each pair and
relation.

Nodes that only an ambiguous edge connects do not count as neighbours.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from codeagentd.model.file_kinds import PROSE_LANGUAGES, is_test
from codeagentd.model.kinds import CANDIDATES, EDGE_OF_REFERENCE, Confidence, ReferenceKind
from codeagentd.model.parameters import language_family

CONTAINS = 0  # the number for containment among reference kinds


class Node(NamedTuple):
    """A symbol in the analysis. `key`: the key of its name; `lends`: whether an open reference by its bare name can
    mean it.
    """

    number: int
    kind: int
    label: str
    key: int
    file: int
    parent: int  # the parent's number, 0 for none
    is_file: bool
    lends: bool


class File(NamedTuple):
    """The file that nodes of the graph are in.

    `family`: the family of languages whose members can call each other; `is_code` is False for prose and data.
    """

    path: str
    language: str
    family: str
    is_code: bool
    is_test: bool


def file_of(path: str, language: str) -> File:
    """Return the File for the file at `path` in `language`."""
    return File(
        path, language, language_family(language)[0], bool(language) and language not in PROSE_LANGUAGES, is_test(path)
    )


class Edge(NamedTuple):
    """An edge between two nodes, given by their indexes. `kind` is a reference kind, or CONTAINS."""

    source: int
    target: int
    kind: int
    confidence: int


class Graph:
    """The whole graph in memory. The order of its nodes depends only on the sources, so that the result of the analysis
    does not depend on the history of the index.

    `degree` counts distinct neighbours, `fan_in` those that refer to a node, `fan_out` those that it refers to.
    `sites`: for each edge, the site of its first reference, 0 if unknown. `guessed`: for each edge, whether it rests
    only on the bare name of a member on a receiver of unknown type.
    """

    def __init__(
        self, nodes: list[Node], files: dict[int, File], edges: list[Edge], sites: Sequence[int], guessed: bytes
    ) -> None:
        self.nodes = nodes
        self.files = files
        self.edges = edges
        self.sites = sites
        self.guessed = guessed
        size = len(nodes)
        sure = [edge for edge in edges if edge.confidence != Confidence.AMBIGUOUS]
        directed = {edge.source * size + edge.target for edge in sure if edge.kind != CONTAINS}
        self.fan_out, self.fan_in = array("q", bytes(8 * size)), array("q", bytes(8 * size))
        for pair in directed:
            self.fan_out[pair // size] += 1
            self.fan_in[pair % size] += 1
        self.degree = array("q", bytes(8 * size))
        for pair in {min(edge[:2]) * size + max(edge[:2]) for edge in sure}:
            self.degree[pair // size] += 1
            self.degree[pair % size] += 1

    def adjacent(self, places: Collection[int]) -> dict[int, set[int]]:
        """Return the neighbours of each of the nodes `places` by edges that are not ambiguous; all nodes by index."""
        adjacent: dict[int, set[int]] = {place: set() for place in places}
        for source, target, _, confidence in self.edges:
            if confidence != Confidence.AMBIGUOUS:
                if source in adjacent:
                    adjacent[source].add(target)
                if target in adjacent:
                    adjacent[target].add(source)
        return adjacent

    def file(self, node: int) -> File:
        """Return the file of the node with the index `node`."""
        return self.files[self.nodes[node].file]

    def counted(self) -> tuple[int, int, int]:
        """Return the numbers of exact, inferred and ambiguous edges."""
        counts = [0, 0, 0]
        for edge in self.edges:
            counts[edge.confidence] += 1
        return counts[Confidence.EXACT], counts[Confidence.INFERRED], counts[Confidence.AMBIGUOUS]


class Reference(NamedTuple):
    """A reference as a row of the index: symbols by number, `target` 0 if it is open, `site` its place (0: not
    needed).
    """

    source: int
    target: int
    key: int
    kind: int
    confidence: int
    site: int = 0


def joined(nodes: list[Node], files: dict[int, File], references: Iterable[Reference], each: int = CANDIDATES) -> Graph:
    """Return the graph of `nodes` and `references`. Of several references of one pair and relation, the most certain
    counts, or the first of equally certain ones. An open reference becomes an edge to each of at most `each` members of
    its name: with its own confidence at best, ambiguous if there are several.
    """
    at = {node.number: place for place, node in enumerate(nodes)}
    lenders: dict[tuple[int, str], list[int]] = defaultdict(list)
    for place, node in enumerate(nodes):
        if node.lends:
            lenders[node.key, files[node.file].family].append(place)
    surest: dict[
        int, int
    ] = {}  # an edge is encoded as one number, since hundreds of thousands of tuples would take most of the memory
    for source, target, key, kind, confidence, site in references:
        start = at.get(source)
        if start is None:
            continue
        if target:
            ends = [at[target]] if target in at else []
        else:
            ends = lenders.get((key, files[nodes[start].file].family), [])
            ends, confidence = (
                (ends if len(ends) <= each else []),
                max(confidence, min(len(ends), Confidence.AMBIGUOUS)),
            )
        relation = _RELATIONS[kind]
        for end in ends:
            edge = (start * len(nodes) + end) << _BITS | relation
            if end != start and surest.get(edge, _UNSURE) & _UNSURE > confidence:
                surest[edge] = site << _SITE | (not target) << _GUESSED | confidence
    order = sorted(surest)
    sites = array("q", (surest[edge] >> _SITE for edge in order))
    guessed = bytes(surest[edge] >> _GUESSED & 1 for edge in order)
    edges = [_edge(edge, surest.pop(edge) & _UNSURE, len(nodes)) for edge in order]
    containment = [(at[node.parent], place) for place, node in enumerate(nodes) if node.parent in at]
    edges += [Edge(holder, place, CONTAINS, Confidence.EXACT) for holder, place in containment]
    return Graph(
        nodes, files, edges, sites + array("q", bytes(8 * len(containment))), guessed + bytes(len(containment))
    )


_BITS: Final = 5  # bits of a reference kind
_UNSURE: Final = 3  # greater than every confidence, and a mask of the bits for one
_GUESSED: Final = 2  # the bit that marks an edge as guessed
_SITE: Final = 3  # the first bit of a site
# one kind for each relation
_RELATIONS: Final = {
    int(kind): min(number for number, edge in EDGE_OF_REFERENCE.items() if edge == EDGE_OF_REFERENCE[kind])
    for kind in ReferenceKind
}


def _edge(number: int, confidence: int, size: int) -> Edge:
    source, target = divmod(number >> _BITS, size)
    return Edge(source, target, number & (1 << _BITS) - 1, confidence)

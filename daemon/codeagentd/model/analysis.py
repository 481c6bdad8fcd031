"""The results of an analysis of the whole graph, as they are kept in index.db."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

import msgspec


class NodeSort(IntEnum):
    """The class of a node in the figures; each class includes the ones before it."""

    NO_HUB = 0  # a node for a file, or in a file without code
    ANY = 1
    CODE = 2  # code, without tests and documents


class NodeRow(NamedTuple):
    """The values of a node that an analysis stores: the columns of the table nodes."""

    symbol: int
    community: int
    degree: int
    fan_in: int
    fan_out: int
    inside: int
    exact: int
    inferred: int
    ambiguous: int
    sort: int


NODE_COLUMNS: Final = len(NodeRow._fields)
HUBS: Final = 500  # of each sort that are stored: no client pages further


class Sums(NamedTuple):
    """The totals over the members of a community; `inside` counts each connected pair twice."""

    size: int
    inside: int
    exact: int
    inferred: int
    ambiguous: int
    isolated: int

    @property
    def cohesion(self) -> float:
        """The share of the pairs of members that are connected: 1 for a community of one."""
        return self.inside / (self.size * (self.size - 1)) if self.size > 1 else 1.0


class Community(msgspec.Struct, frozen=True, array_like=True):
    """Nodes that are connected more closely with each other than with the rest."""

    id: int
    name: str
    size: int
    cohesion: float


class Surprise(msgspec.Struct, frozen=True, array_like=True):
    """A connection that one would not expect, between two nodes by number. `reason` in words; `score` by the formula of
    the toolset `graph`.
    """

    source: int
    target: int
    relation: str
    confidence: int
    score: int
    reason: str


class Doubt(msgspec.Struct, frozen=True, array_like=True):
    """The node `target`, by number, to which `edges` ambiguous edges lead; the first of these comes from `source`."""

    target: int
    edges: int
    source: int
    relation: str


class SuggestedQuestion(msgspec.Struct, frozen=True, array_like=True):
    """A question that the graph suggests, with its reason."""

    kind: str
    question: str
    why: str


class Part(msgspec.Struct, frozen=True, array_like=True):
    """The files of a community, labelled by the folder of most of them; `top` are the symbols that most other files
    use, by number.
    """

    label: str
    size: int
    top: list[int]
    community: int = 0


class Meeting(msgspec.Struct, frozen=True, array_like=True):
    """One of the few uses between two parts: the file `source` uses `symbols` (by number) of the file `target`; `parts`
    are the labels of both.
    """

    source: str
    target: str
    symbols: list[int]
    parts: list[str]
    reason: str


class Overview(msgspec.Struct, frozen=True, array_like=True):
    """The repository without tests and documents, in parts made of files. `gods`: (symbol, number of other files that
    use it).
    """

    parts: list[Part]
    modularity: float  # of the communities
    gods: list[tuple[int, int]]
    meetings: list[Meeting]
    files: int
    edges: int


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """The whole analysis except for the values of each node. Edges are counted once for each pair and relation.

    `hubs`: nodes by their distinct neighbours, `pillars`: by how many nodes depend on them; both without files, in
    descending order. `cycles`: paths of files that import each other in turn. `isolated` counts code that is connected
    with at most one other node; `thin` counts communities of two or fewer members. `doubts`: the nodes that most
    ambiguous edges of code outside of tests lead to. Fields with a default are not stored: query.analysis computes them
    from the nodes.
    """

    modularity: float
    surprises: list[Surprise]
    questions: list[SuggestedQuestion]
    cycles: list[list[str]]
    overview: Overview
    doubts: list[Doubt]
    nodes: int = 0
    edges: tuple[int, int, int] = (0, 0, 0)  # exact, inferred, ambiguous
    communities: int = 0
    isolated: int = 0
    thin: int = 0
    hubs: list[int] = []
    pillars: list[int] = []


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """All results of an analysis.

    `communities`: name and sums by id; `nodes`: the numbers of NodeRows, 8 bytes each; `index`: when the index was
    begun.
    """

    generation: int
    findings: Findings
    communities: dict[int, tuple[str, Sums]]
    nodes: bytes
    index: int = 0

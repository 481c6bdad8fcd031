"""What an analysis of the whole graph says, as it is kept in index.db."""

from __future__ import annotations

from typing import Final

import msgspec

NODE_COLUMNS: Final = 5  # of the table nodes


class Community(msgspec.Struct, frozen=True, array_like=True):
    """Nodes that are connected more closely with each other than with the rest."""

    id: int
    name: str
    size: int
    cohesion: float


class Surprise(msgspec.Struct, frozen=True, array_like=True):
    """A connection that one would not expect, between nodes by number; `reason` in words, `score` as page 002's origin counts it."""

    source: int
    target: int
    relation: str
    confidence: int
    score: int
    reason: str


class Doubt(msgspec.Struct, frozen=True, array_like=True):
    """A node, by number, that so many ambiguous edges lead to; the first of these comes from `source`."""

    target: int
    edges: int
    source: int
    relation: str


class Asked(msgspec.Struct, frozen=True, array_like=True):
    """A question that the graph suggests, and why."""

    kind: str
    question: str
    why: str


class Part(msgspec.Struct, frozen=True, array_like=True):
    """Files that belong together, by the folder of most of them; `top` are the symbols that most other files use, by number."""

    label: str
    size: int
    top: list[int]


class Meeting(msgspec.Struct, frozen=True, array_like=True):
    """One of the few uses between two parts: the file that uses, the file used, the symbols by number, both parts' labels."""

    source: str
    target: str
    symbols: list[int]
    parts: list[str]
    reason: str


class Overview(msgspec.Struct, frozen=True, array_like=True):
    """The repository without tests and documents, in parts made of files. `gods`: (symbol, other files that use it)."""

    parts: list[Part]
    modularity: float
    gods: list[tuple[int, int]]
    meetings: list[Meeting]
    files: int
    edges: int


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """The whole analysis but for what is kept for each node. Edges are counted once for each pair and relation.

    `hubs`: nodes by their distinct neighbours, `pillars`: by how many depend on them; both without files, the first first. `cycles`: paths of files
    that import each other in turn. `isolated` counts code that at most one other node is connected with; `thin` communities of two or fewer members. `doubts`:
    the nodes that most ambiguous edges of code that is no test lead to. `graph`: a fingerprint of what was looked at.
    """

    nodes: int
    edges: tuple[int, int, int]  # exact, inferred, ambiguous
    communities: int
    modularity: float
    hubs: list[int]
    pillars: list[int]
    surprises: list[Surprise]
    questions: list[Asked]
    cycles: list[list[str]]
    isolated: int
    thin: int
    overview: Overview
    doubts: list[Doubt] = []
    graph: str = ""


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """All that an analysis has found. `nodes`: the table's numbers, 8 bytes each, NODE_COLUMNS a row: symbol, community, degree, fan_in, fan_out."""

    generation: int
    findings: Findings
    communities: list[Community]
    nodes: bytes

"""The answers of the toolset `graph`, as frozen values.

Fields at their default are left out; labels and paths are fit to be shown.
"""

from __future__ import annotations

from typing import Any

from .symbol_results import Result

EXTRACTED, INFERRED, AMBIGUOUS = "EXTRACTED", "INFERRED", "AMBIGUOUS"
CONFIDENCE_WORDS = (EXTRACTED, INFERRED, AMBIGUOUS)  # the page's, by model.kinds.Confidence


class NodeCandidate(Result, frozen=True):
    """One of several nodes that a label could mean."""

    label: str
    id: str
    kind: str
    file: str
    line: int
    degree: int


class Named(Result, frozen=True, kw_only=True):
    """The common fields of answers about one node. Not `found`: `message` says why, and `candidates` are the nodes that
    the label may mean.

    `note`: which definitions of the name the answer is about, and which are left out.
    """

    found: bool
    message: str = ""
    candidates: list[NodeCandidate] = []
    note: str = ""


class Parameter(Result, frozen=True):
    """A parameter, with its type where that is written."""

    name: str
    type_ref: str = ""


class Signature(Result, frozen=True):
    """The signature of a callable, as written."""

    params: list[Parameter]
    raw: str
    return_type: str = ""


class NodeAnswer(Named, frozen=True, kw_only=True):
    """The answer of get_node. `community` is missing while communities are not computed, `loc` counts lines."""

    label: str
    id: str
    source_file: str
    line: int
    type: str
    kind: str
    visibility: str = ""
    loc: int
    degree: int
    community: int | None = None


class SourceAnswer(Named, frozen=True, kw_only=True):
    """The answer of get_source.

    The text is that of the file, from line `line_from` to `line_to`; `line_end` is the symbol's last line.
    """

    label: str
    id: str
    type: str
    source_file: str
    line_from: int
    line_to: int
    line_end: int
    source: str


class GraphNeighbour(Result, frozen=True):
    """A node at the other end of an edge; `direction` is out for an edge to that node, in for an edge from it."""

    label: str
    id: str
    relation: str
    direction: str
    file: str
    line: int
    confidence: str


class NeighboursAnswer(Named, frozen=True, kw_only=True):
    """The answer of get_neighbors, find_callers and find_callees, the surest first."""

    label: str
    id: str
    neighbors: list[GraphNeighbour]
    note: str = ""


class DescribeAnswer(Named, frozen=True, kw_only=True):
    """The answer of describe_node. `callees` are the labels of the symbols that it calls."""

    id: str
    label: str
    kind: str
    summary: str
    callees: list[str]
    signature: Signature | None = None


class PathEdge(Result, frozen=True):
    """One step of a path: `direction` is forward where the edge points from the source of the path to its target."""

    relation: str
    direction: str
    confidence: str


class NodeLabel(Result, frozen=True):
    """A node with its label, id and place."""

    label: str
    id: str
    file: str
    line: int


class PathAnswer(Named, frozen=True, kw_only=True):
    """The answer of shortest_path: `edges` are between each two of `nodes`; without a path `message` says why."""

    source: str
    target: str
    hops: int
    nodes: list[NodeLabel]
    edges: list[PathEdge]
    note: str = ""


class AffectedNode(Result, frozen=True):
    """A dependent: the number of hops, and the relation of the last hop."""

    label: str
    depth: int
    via_relation: str
    id: str
    file: str
    confidence: str
    line: int


class AffectedAnswer(Named, frozen=True, kw_only=True):
    """The answer of the tool `affected`: the nearest and surest first; `total` counts all, also those not listed;
    `note` says what is not covered.
    """

    seed: str
    affected: list[AffectedNode]
    total: int
    note: str = ""


class Hub(Result, frozen=True):
    """A node with many connections: `degree` counts distinct neighbours, `dependents` those of them that depend
    on it.
    """

    label: str
    degree: int
    id: str
    dependents: int
    file: str


class GodsAnswer(Result, frozen=True):
    """The answer of god_nodes, the most connected first. `offset` is the number of nodes on the pages before; `note`
    says when fewer are listed than requested.
    """

    god_nodes: list[Hub]
    offset: int = 0
    note: str = ""


class StatsAnswer(Result, frozen=True):
    """The answer of graph_stats: edges by confidence."""

    nodes: int
    edges: int
    communities: int
    extracted: int
    inferred: int
    ambiguous: int


class Member(Result, frozen=True):
    """A member of a community."""

    label: str
    id: str
    file: str


class CommunityAnswer(Result, frozen=True, kw_only=True):
    """The answer of get_community: a page of its members, the most connected first.

    `cohesion`: the share of pairs of members that are connected.
    """

    community_id: int
    total: int
    members: list[Member]
    name: str = ""
    cohesion: float = 0.0


class RepoCount(Result, frozen=True):
    """One member of a workspace: a repository at `path`, or the `folder` of this one. `note` says why it is not
    counted, or is old.

    `state`: here (in this repository's index) | ready | resting (no daemon keeps its index up to date) | absent |
    building | older | newer | busy | broken.
    """

    repo: str
    nodes: int
    edges: int
    path: str = ""
    folder: str = ""
    state: str = ""
    note: str = ""


class ReposAnswer(Result, frozen=True):
    """The answer of list_repos: empty for a single repository; `notes` list entries of the workspace that are no
    members.
    """

    repos: list[RepoCount]
    notes: list[str] = []


class SubgraphNode(Result, frozen=True):
    """A node of query_graph's answer."""

    label: str
    file_type: str
    source_file: str
    id: str
    line: int


class SubgraphEdge(Result, frozen=True):
    """An edge of query_graph's answer, between labels."""

    source: str
    relation: str
    target: str
    confidence: str


class SubgraphAnswer(Result, frozen=True, kw_only=True):
    """The answer of query_graph: nodes, the most relevant first, as many as the budget has room for; `found` is their
    number without the budget.

    `note`: repositories of the workspace that were not searched.
    """

    mode: str
    start: list[str]
    found: int
    nodes: list[SubgraphNode]
    edges: list[SubgraphEdge]
    note: str = ""


class MatchedNode(Result, frozen=True, kw_only=True):
    """A node that structural_search has matched."""

    id: str
    label: str
    kind: str
    visibility: str
    file: str
    line: int
    loc: int
    signature: Signature | None = None


class MatchesAnswer(Result, frozen=True, kw_only=True):
    """The answer of structural_search: rows of nodes in `results`; where values or counts are returned, rows of these
    in `groups`.

    `note` says what is cut.
    """

    columns: list[str]
    results: list[list[MatchedNode]]
    groups: list[list[Any]] = []
    note: str = ""

"""The answers of the toolset `retrieval`, except search_code: the common envelope, then each tool's own fields, which
are always present.
"""

from __future__ import annotations

import msgspec

from codeagentd.model.memory import MemoryNote
from codeagentd.model.retrieval import CodeHit, Envelope, IndexState, Read

from .symbol_results import OutlineItem, Site


class HealthIndex(IndexState, frozen=True, omit_defaults=True):
    """The state of the index in the envelope, with the commit that HEAD names, '' without git, and its branch; `dirty`:
    whether tracked files differ from the commit, left out while unknown.
    """

    head_commit: str
    branch: str = ""
    dirty: bool | None = None


class HealthAnswer(Envelope[Read], frozen=True, kw_only=True):
    """The answer of healthcheck.

    `state` is starting, indexing, ready, degraded or draining; `reason` and `remedy` are '' when all is well.
    """

    index: HealthIndex
    package_version: str
    root: str
    state: str
    reason: str
    remedy: str


class FoundSymbol(msgspec.Struct, frozen=True):
    """A definition that find_symbol has found.

    `lines` first and last, 1-based; `references` counts the places that are known to refer to it; `reason` says why it
    is listed.
    """

    rank: int
    name: str
    qualified_name: str
    kind: str
    path: str
    lines: list[int]
    signature: str
    references: int
    reason: str
    node_id: str


class SymbolsAnswer(Envelope[FoundSymbol], frozen=True, kw_only=True):
    """The answer of find_symbol: the definitions, best first."""

    results: list[FoundSymbol]
    next_cursor: str
    note: str


class SymbolCard(msgspec.Struct, frozen=True):
    """A symbol and where it begins."""

    name: str
    kind: str
    path: str
    line: int


class LanguageCoverage(msgspec.Struct, frozen=True):
    """The number of references in a language's files, and the share of them with a known target."""

    language: str
    references: int
    settled: float


class EdgeCoverage(msgspec.Struct, frozen=True):
    """The completeness of the edges of an answer: `partial` when some could not be determined, for the given
    `reason`.
    """

    partial: bool
    languages: list[LanguageCoverage]
    reason: str


class RefSite(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place that refers to a symbol: line 1-based, column 0-based in characters; `kind` is the edge's type; `of` as
    in Neighbour.

    `within` is the enclosing symbol; none at the top of a file.
    """

    path: str
    line: int
    column: int
    kind: str
    confidence: str
    within: str = ""
    of: str = ""


class RefsAnswer(Envelope[Read], frozen=True, kw_only=True):
    """The answer of find_refs: the places (`sites`) that refer to the symbol, most certain first."""

    symbol: SymbolCard
    sites: list[RefSite]
    coverage: EdgeCoverage
    next_cursor: str
    note: str


class ImpactNode(msgspec.Struct, frozen=True):
    """A symbol that is reached: the number of steps, the last edge, and the confidence of the least certain step."""

    kind: str
    name: str
    path: str
    line: int
    direction: str
    distance: int
    via_edge: str
    via_confidence: str


class ImpactAnswer(Envelope[Read], frozen=True, kw_only=True):
    """The answer of impact_of: the reached symbols, the nearest first; `total_nodes` counts those that `limit` leaves
    out too.
    """

    target: str
    direction: str
    depth: int
    files: list[str]
    nodes: list[ImpactNode]
    total_nodes: int
    coverage: EdgeCoverage
    note: str


class Relation(msgspec.Struct, frozen=True):
    """The neighbours of a hit: callers and callees, each as one line."""

    symbol: str
    path: str
    line: int
    callers: str
    callees: str


class ExplainAnswer(Envelope[CodeHit], frozen=True, kw_only=True):
    """The answer of explain_code: definitions in the form of search_code's hits, the question's intent, the neighbours
    of those that the question names, the tests nearest to them; `memories` as in describe_symbol.
    """

    results: list[CodeHit]
    recommended_reads: list[Read]
    query: str
    intent: str
    mode: str
    confidence: str
    relations: list[Relation]
    token_budget: int
    note: str
    embedded: float = 0.0
    tests: list[Related] = []
    memories: list[MemoryNote] | msgspec.UnsetType = msgspec.UNSET


class Community(msgspec.Struct, frozen=True):
    """Files that belong together: `size` files, labelled by the folder of most of them and the most used symbols in
    them.
    """

    id: int
    label: str
    size: int
    top_nodes: list[str]


class GodNode(msgspec.Struct, frozen=True):
    """A symbol that much depends on: `dependents` are the other files that refer to it."""

    name: str
    kind: str
    path: str
    line: int
    dependents: int


class Surprise(msgspec.Struct, frozen=True):
    """One of the few connections between two communities: the file that refers, the file referred to, and the symbols
    that it uses.
    """

    source: str
    target: str
    symbols: list[str]
    communities: list[str]
    reason: str


class ArchitectureAnswer(Envelope[Read], frozen=True, kw_only=True):
    """The answer of architecture_overview; not `available` while no file refers to another."""

    available: bool
    communities: list[Community]
    community_count: int
    modularity: float
    god_nodes: list[GodNode]
    surprising: list[Surprise]
    questions: list[str]
    node_count: int
    edge_count: int
    note: str


class PathStep(msgspec.Struct, frozen=True):
    """One edge of a path: `direction` is forward where `from` refers to `to`, backward where `to` refers to `from`."""

    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")
    edge_type: str
    direction: str
    confidence: str


class PathAnswer(Envelope[Read], frozen=True, kw_only=True):
    """The answer of path_between: the nodes of the path, and the steps between each two."""

    source: str
    target: str
    found: bool
    hops: int
    nodes: list[SymbolCard]
    steps: list[PathStep]
    note: str


class Place(msgspec.Struct, frozen=True):
    """The place of a definition: its file, and its first and last line."""

    path: str
    lines: list[int]


class Related(msgspec.Struct, frozen=True, omit_defaults=True):
    """A caller, callee or test, with the confidence of the edge; `sites` of a caller are its calls, with their lines of
    source.
    """

    name: str
    kind: str
    path: str
    line: int
    confidence: str
    sites: list[Site] = []


class Primary(msgspec.Struct, frozen=True):
    """The position of a symbol in the graph: its folder (`module`), the number of symbols known to refer to it, and the
    number of those it refers to.
    """

    module: str
    in_degree: int
    out_degree: int


class DescribeAnswer(Envelope[Read], frozen=True, kw_only=True):
    """The answer of describe_symbol. `signature` and `doc` (a sentence) are '' where there is none; the counts include
    callers, callees, members and tests that are not listed.

    `source` is the text of the first definition, from its first line, as far as the budget goes; `members` are those of
    a type whose source is longer. `tests` reach the symbol in few steps. `memories` are those about the symbol; left
    out when there are none.
    """

    symbol: str
    node_id: str
    kind: str
    signature: str
    doc: str
    definitions: list[Place]
    callers: list[Related]
    caller_count: int
    callees: list[Related]
    callee_count: int
    primary: Primary
    note: str
    source: str = ""
    members: list[OutlineItem] = []
    member_count: int = 0
    tests: list[Related] = []
    test_count: int = 0
    memories: list[MemoryNote] | msgspec.UnsetType = msgspec.UNSET


class LanguageFigures(msgspec.Struct, frozen=True):
    """The figures of one language; `partial` and `failed` count files whose parse was incomplete or impossible."""

    language: str
    files: int
    symbols: int
    partial: int
    failed: int
    references: int
    settled: float


class StatsAnswer(Envelope[Read], frozen=True, kw_only=True):
    """The answer of index_stats: `edges` by type; sizes in bytes."""

    generation: int
    files: int
    symbols: int
    edges: dict[str, int]
    open_references: int
    languages: list[LanguageFigures]
    skipped: dict[str, int]
    database_bytes: int
    blobs_bytes: int

"""The whole graph, put together from the parts that the daemon sends: nodes in the order of their places, edges made of
references as the analysis makes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec

from codeagentd.analysis.graph import Edge, Graph, Node, Reference, file_of, joined
from codeagentd.model.analysis import Community, Findings
from codeagentd.model.ids import FILE_SHIFT
from codeagentd.model.kinds import EDGE_OF_REFERENCE, ReferenceKind, SymbolKind

Json = dict[str, Any]

UNPLACED: Final = -1  # the community of what came after the analysis
CONTAINS: Final = "contains"
# by the kind of an edge
RELATIONS: Final = {0: CONTAINS} | {int(kind): edge for kind, edge in EDGE_OF_REFERENCE.items()}


class Exported(NamedTuple):
    """A node beside what the analysis's Node says of it: id and place in the file; what the last analysis counted."""

    id: str
    path: str
    language: str
    line: int
    line_end: int
    access: str
    community: int
    degree: int
    fan_in: int
    fan_out: int

    def kind_of(self, node: Node) -> str:
        """The contract's word for the kind of a node."""
        return SymbolKind(node.kind).label


class Whole(msgspec.Struct, frozen=True):
    """A whole graph. `nodes` says more of each of `graph.nodes`, in the same order; `at` is the place of a node's
    number in it, `paths` are those of files by number.
    """

    name: str
    head: str
    generation: int
    report: str
    gaps: list[str]
    findings: Findings
    communities: list[Community]
    graph: Graph
    nodes: list[Exported]
    at: dict[int, int]
    paths: dict[int, str]

    def site(self, edge: int) -> tuple[str, int]:
        """Path and line of the first place that makes an edge; the path of its source and 0 where there is none."""
        file, line = divmod(self.graph.sites[edge], 1 << FILE_SHIFT)
        return self.paths[file] if line else self.nodes[self.graph.edges[edge].source].path, line


def received(name: str, parts: Iterable[Json]) -> Whole:
    """The graph that the parts make up (surface.export); `name` is what the repository is called."""
    head: Json = {}
    files: list[list[Any]] = []
    symbols: list[list[Any]] = []
    references: list[list[int]] = []
    for part in parts:
        files += part.get("files", ())
        symbols += part.get("symbols", ())
        references += part.get("references", ())
        head |= {key: value for key, value in part.items() if key not in ("files", "symbols", "references")}
    paths = {number: (path, language) for number, path, language in files}
    # file, first line, the longest first, label, id
    symbols.sort(key=lambda row: (paths[row[4]][0], row[9], -row[10], row[3], row[1]))
    nodes = [Node(row[0], row[2], row[3], row[5], row[4], row[6], bool(row[7]), bool(row[8])) for row in symbols]
    exported = [Exported(row[1], *paths[row[4]], *row[9:]) for row in symbols]
    graph = joined(
        nodes, {number: file_of(*rest) for number, rest in paths.items()}, (Reference(*row) for row in references)
    )
    return Whole(
        name, head["head"], head["generation"], head["report"], head["gaps"],
        msgspec.convert(head["findings"], Findings), msgspec.convert(head["communities"], list[Community]), graph,
        exported, {node.number: place for place, node in enumerate(nodes)},
        {number: path for number, (path, _) in paths.items()},
    )  # fmt: skip


def relation(edge: Edge) -> str:
    """The contract's word for the relation of an edge."""
    return RELATIONS[edge.kind]


assert set(RELATIONS) == {0, *map(int, ReferenceKind)}

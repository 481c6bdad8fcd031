"""The whole graph, built from the parts that the daemon sends: nodes in the order of their indexes, edges made from
references as in the analysis.
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

UNPLACED: Final = -1  # the community of nodes that are newer than the analysis
CONTAINS: Final = "contains"
# relations by the kind of an edge
RELATIONS: Final = {0: CONTAINS} | {int(kind): edge for kind, edge in EDGE_OF_REFERENCE.items()}


class Exported(NamedTuple):
    """The fields of a node beside those of the analysis's Node: its id, its place in the file, and the metrics of the
    last analysis.
    """

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
        """Return the name of the kind of `node` in answers."""
        return SymbolKind(node.kind).label


class Whole(msgspec.Struct, frozen=True):
    """A whole graph. `nodes` has further fields of each of `graph.nodes`, in the same order. `at` maps a node's number
    to its index; `paths` maps a file's number to its path.
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
        """Return path and line of the first reference that makes the edge with the index `edge`; the path of its source
        and 0 if there is none.
        """
        file, line = divmod(self.graph.sites[edge], 1 << FILE_SHIFT)
        return self.paths[file] if line else self.nodes[self.graph.edges[edge].source].path, line


def received(name: str, parts: Iterable[Json]) -> Whole:
    """Return the graph built from its `parts` (surface.export); `name` is the repository's name."""
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
    # sort by file, first line, length (longest first), label, id
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
    """Return the name of the relation of `edge` in answers."""
    return RELATIONS[edge.kind]


assert set(RELATIONS) == {0, *map(int, ReferenceKind)}

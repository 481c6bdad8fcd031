"""Rows of symbols and of edges: each begins with its place in a file, `line:column` or `first-last`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from codeagentd.model.file_kinds import is_product
from codeagentd.model.results.change_results import ChangedNode, Dependent
from codeagentd.model.results.graph_results import (
    EXTRACTED,
    AffectedNode,
    GraphNeighbour,
    Hub,
    MatchedNode,
    Member,
    NodeLabel,
    SubgraphEdge,
    SubgraphNode,
)
from codeagentd.model.results.graph_results import NodeCandidate as GraphCandidate
from codeagentd.model.results.retrieval_results import (
    FoundSymbol,
    ImpactNode,
    Place,
    RefSite,
    Related,
    Relation,
    SymbolCard,
)
from codeagentd.model.results.symbol_results import Neighbour, OutlineItem, Site, SourceSpan, SymbolHit

from .names import local_name, shortened, within

LONGEST_SIGNATURE: Final = 44  # characters of a signature in an outline, where each row has a line to find it by
MANY: Final = 40  # rows of dependents above which only the first of each file are listed
FIRST: Final = 2
LONGEST_LINE: Final = 120  # characters of a line of source in a row
LONGEST_IN_HITS: Final = 100  # characters of a signature in a search result

_SURE: Final = frozenset({"exact", EXTRACTED, ""})
_USUAL: Final = frozenset({"calls", "references"})  # plain uses
_CALLABLE: Final = frozenset({"function", "method", "constructor"})
_PLAIN: Final = frozenset({*_CALLABLE, "variable", "field", "constant", "property", "enum_member"})

Item = TypeVar("Item")
Grouped = dict[str, Any]
Row = tuple[str, str]  # path, text


def grouped(rows: Iterable[tuple[str, str]]) -> Grouped:
    """Return rows (path, text) below their paths, in the order in which the paths first appear; what is no part of the
    product, such as tests, follows.
    """
    result: dict[str, list[str]] = {}
    for path, text in rows:
        result.setdefault(path, []).append(text)
    return dict(sorted(result.items(), key=lambda item: not is_product(item[0])))


def incoming(items: Sequence[Neighbour]) -> Grouped:
    """Return the neighbours from which edges come, each once: the lines where it refers to the symbol, and its name.

    Below the name of the definition that they refer to, if there are several.
    """
    return _by_definition(items, _incoming)


def dependents_of(items: Sequence[Neighbour]) -> Grouped:
    """Return dependents as `incoming`. Where there are many, only the first of each file are listed: what matters is
    which files depend on the symbol.
    """
    rows = incoming(items)
    if any(item.of for item in items) or sum(map(len, rows.values())) <= MANY:
        return rows
    return {path: _first(below) for path, below in rows.items()}


def _first(rows: Sequence[str]) -> list[str]:
    more = len(rows) - FIRST
    return [*rows[:FIRST], f"and {more} more"] if more > 1 else list(rows)


def outgoing(items: Sequence[Neighbour]) -> Grouped:
    """Return the neighbours to which edges lead: where each begins, its name, and the places that refer to it."""
    return _by_definition(items, _outgoing)


def _by_definition(items: Sequence[Neighbour], rows: Callable[[Sequence[Neighbour]], Iterable[Row]]) -> Grouped:
    if not any(item.of for item in items):
        return grouped(rows(items))
    owners = dict.fromkeys(item.of for item in items)
    return {owner: grouped(rows([item for item in items if item.of == owner])) for owner in owners}


def _incoming(items: Sequence[Neighbour]) -> Iterable[Row]:
    """Rows of neighbours: one for all edges from a symbol, or one for each line of source where lines are shown."""
    edges: dict[tuple[str, str, str], list[Neighbour]] = {}
    for item in items:
        for path in dict.fromkeys(site.file_path for site in item.sites) or (item.file_path,):
            edges.setdefault((path, item.qualified_name, item.confidence), []).append(item)
    for (path, name, confidence), several in edges.items():
        rest = f"{within(name, several[0].file_path)}{_relations(several)}{doubt(confidence)}"
        lines = {site.line: site for item in several for site in reversed(item.sites) if site.file_path == path}
        sites = [lines[line] for line in sorted(lines)]
        if any(site.text for site in sites):
            yield from ((path, f"{_place(site)} {rest} | {shortened(site.text, LONGEST_LINE)}") for site in sites)
        else:
            yield path, f"{_places(sites) or several[0].line_start} {rest}"


def _relations(edges: Sequence[Neighbour]) -> str:
    """The relations of edges that are no plain uses; making an object is one where the type is called."""
    named = dict.fromkeys(edge.edge_type for edge in edges if edge.edge_type not in _USUAL)
    if len(edges) > 1:
        named.pop("constructs", None)
    return f" {', '.join(named)}" if named else ""


def _outgoing(items: Sequence[Neighbour]) -> Iterable[Row]:
    for item in items:
        name = f"{item.line_start} {within(item.qualified_name, item.file_path)}"
        where = f" at {_places(item.sites)}" if item.sites else ""
        text = "".join(f" | {shortened(site.text, LONGEST_LINE)}" for site in item.sites[:1] if site.text)
        yield item.file_path, f"{name}{_relation(item.edge_type, item.confidence)}{where}{text}"


def _place(site: Site) -> str:
    return f"{site.line}:{site.column}"


def _places(sites: Sequence[Site]) -> str:
    return ",".join(map(_place, sites))


def _relation(edge_type: str, confidence: str) -> str:
    relation = "" if edge_type in _USUAL else f" {edge_type}"
    return relation + doubt(confidence)


def doubt(confidence: str) -> str:
    """Return the mark of an edge that is not proved; '' for one that is."""
    return "" if confidence in _SURE else f" ({confidence.lower()})"


def symbol_hits(items: Sequence[SymbolHit]) -> list[str]:
    """Return symbols in the order of their rank: path, lines, kind, name, signature."""
    return [
        f"{item.file_path}:{_lines(item.line_start, item.line_end)} {item.node_type} "
        f"{local_name(item.qualified_name, item.file_path) or item.name}"
        f"{_signature(item.parameter_signature, item.return_type, LONGEST_IN_HITS)}"
        for item in items
    ]


def outline(items: Sequence[OutlineItem]) -> list[str]:
    """Return the symbols of a file, each indented below the symbol that encloses it."""
    rows: list[str] = []
    enclosing: list[str] = []
    for item in items:
        while enclosing and not item.qualified_name.startswith(enclosing[-1]):
            enclosing.pop()
        kind = "" if item.node_type in _PLAIN else f"{item.node_type} "
        rows.append(
            f"{_lines(item.line_start, item.line_end)} {'  ' * len(enclosing)}{kind}{item.name}"
            f"{_signature(item.parameter_signature, item.return_type, LONGEST_SIGNATURE)}"
        )
        enclosing.append(f"{item.qualified_name}.")
    return rows


def _lines(first: int, last: int) -> str:
    return str(first) if last <= first else f"{first}-{last}"


def _signature(parameters: str | None, returns: str | None, length: int) -> str:
    return shortened(f"{parameters or ''}{f' -> {returns}' if returns else ''}", length)


def re_exports(items: Sequence[str]) -> Grouped:
    """Return the re-exports of a file, `kind name: path:line` each, below the files that define them."""
    rows = []
    for item in items:
        name, _, place = item.partition(": ")
        path, _, line = place.rpartition(":")
        kind, _, bare = name.partition(" ")
        rows.append((path, f"{line} {bare if kind in _PLAIN else name}") if path else ("", item))
    return grouped(rows)


def spans(items: Sequence[SourceSpan]) -> list[str]:
    """Return the places of a symbol, the primary one first."""
    return [f"{item.file_path}:{_lines(item.line_start, item.line_end)}" for item in items]


def candidate(item: dict[str, Any]) -> str:
    """Return a candidate of an error about a name as `path:line kind name`; the place can be passed as the name."""
    if "qualified_name" not in item:
        return f"{item.get('file', '')}:{item.get('line', 0)} {item.get('kind', '')} {item.get('label', '')}"
    return (
        f"{item['file_path']}:{item['line_start']} {item['node_type']} "
        f"{local_name(item['qualified_name'], item['file_path'])}{item.get('parameter_signature') or ''}"
    )


def _by_distance(rows: Iterable[tuple[int, str, str]]) -> Grouped:
    """Rows (hops, path, text) below their distance and path."""
    result: dict[int, list[tuple[str, str]]] = {}
    for hops, path, text in rows:
        result.setdefault(hops, []).append((path, text))
    return {f"{hops} hop{'s' * (hops != 1)}": grouped(below) for hops, below in result.items()}


def affected(items: Sequence[AffectedNode]) -> Grouped:
    """Return what depends on a symbol, by distance and file."""
    return _by_distance(
        (
            item.depth,
            item.file,
            f"{item.line} {_label(item.label, item.file)}{_relation(item.via_relation, item.confidence)}",
        )
        for item in items
    )


def impact(items: Sequence[ImpactNode]) -> Grouped:
    """Return the reached symbols, by distance and file."""
    return _by_distance(
        (
            item.distance,
            item.path,
            f"{item.line} {within(item.name, item.path)}{_relation(item.via_edge, item.via_confidence)}",
        )
        for item in items
    )


def dependents(items: Sequence[Dependent]) -> Grouped:
    """Return the dependents of a change, by distance and file; `reason` is why one is listed."""
    return _by_distance(
        (
            item.depth,
            item.file,
            f"{_label(item.label, item.file)}{_relation(item.via_relation, item.confidence)}"
            + (f" - {item.reason}" if item.reason else ""),
        )
        for item in items
    )


def _label(label: str, path: str) -> str:
    return "(module)" if label == path else label


def changed(items: Sequence[ChangedNode]) -> Grouped:
    """Return the nodes of changed files, with the number of other symbols that depend on each."""
    return grouped(
        (item.file, f"{item.line} {item.kind} {item.label}" + (f", used by {item.outside}" if item.outside else ""))
        for item in items
    )


def neighbors(items: Sequence[GraphNeighbour]) -> Grouped:
    """Return the nodes around a node: `<-` for edges from them, `->` for edges to them."""
    return grouped((item.file, _neighbor(item)) for item in items)


def _neighbor(item: GraphNeighbour) -> str:
    arrow = "->" if item.direction == "out" else "<-"
    return f"{item.line} {arrow} {_label(item.label, item.file)} {item.relation}{doubt(item.confidence)}"


def related(items: Sequence[Related]) -> Grouped:
    """Return callers with their calls, or callees and tests with the line where each begins."""
    return grouped(row for item in items for row in _related(item))


def _related(item: Related) -> Iterable[tuple[str, str]]:
    name = f"{within(item.name, item.path)}{doubt(item.confidence)}"
    if not item.sites:
        yield item.path, f"{item.line} {name}"
    for site in item.sites:
        yield site.file_path, f"{_place(site)} {name} | {shortened(site.text, LONGEST_LINE)}"


def relations(items: Sequence[Relation]) -> list[str]:
    """Return the neighbours of definitions, a line each."""
    return [
        f"{item.path}:{item.line} {within(item.symbol, item.path)}"
        + (f" called by {item.callers}" if item.callers else "")
        + (f"; calls {item.callees}" if item.callees else "")
        for item in items
    ]


def places(items: Sequence[RefSite]) -> Grouped:
    """Return the places that refer to a symbol."""
    return grouped(
        (
            item.path,
            f"{item.line}:{item.column} {within(item.within, item.path) if item.within else '(module)'}"
            f"{_relation(item.kind, item.confidence)}" + (f" of {item.of}" if item.of else ""),
        )
        for item in items
    )


def definitions(items: Sequence[FoundSymbol]) -> list[str]:
    """Return definitions, the best first."""
    return [
        f"{item.path}:{_lines(item.lines[0], item.lines[-1])} {item.kind} {local_name(item.qualified_name, item.path)}"
        f" {shortened(item.signature, LONGEST_IN_HITS)}".rstrip()
        for item in items
    ]


def card(item: SymbolCard) -> str:
    """Return a symbol and its place."""
    return f"{item.path}:{item.line} {item.kind} {within(item.name, item.path)}"


def cards(items: Sequence[SymbolCard]) -> list[str]:
    """Return symbols and their places."""
    return [card(item) for item in items]


def spots(items: Sequence[Place]) -> list[str]:
    """Return places of definitions."""
    return [f"{item.path}:{_lines(item.lines[0], item.lines[-1])}" for item in items]


def labelled(items: Sequence[NodeLabel | GraphCandidate]) -> list[str]:
    """Return nodes with their places."""
    return [f"{item.file}:{item.line} {_label(item.label, item.file)}" for item in items]


def hubs(items: Sequence[Hub]) -> list[str]:
    """Return nodes with the number of their connections."""
    return [
        f"{item.file} {_label(item.label, item.file)} {item.degree} connections, {item.dependents} dependents"
        for item in items
    ]


def members(items: Sequence[Member]) -> Grouped:
    """Return the members of a community by file."""
    return grouped((item.file, _label(item.label, item.file)) for item in items)


def subgraph_nodes(items: Sequence[SubgraphNode]) -> Grouped:
    """Return the nodes of a part of the graph by file."""
    return grouped((item.source_file, f"{item.line} {_label(item.label, item.source_file)}") for item in items)


def subgraph_edges(items: Sequence[SubgraphEdge]) -> list[str]:
    """Return the edges of a part of the graph."""
    return [f"{item.source} {item.relation} {item.target}{doubt(item.confidence)}" for item in items]


def matched(item: MatchedNode) -> str:
    """Return a node that a structural search has matched."""
    return f"{item.file}:{item.line} {item.kind} {_label(item.label, item.file)} loc {item.loc}"

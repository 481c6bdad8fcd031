"""Rows of edges: each begins with the place of the edge in its file, and stands below the path of that file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from codeagentd.model.file_kinds import is_product
from codeagentd.model.results.graph_results import EXTRACTED
from codeagentd.model.results.retrieval_results import RefSite, Related, Relation
from codeagentd.model.results.symbol_results import Neighbour, Site

from .names import shortened, within

MANY: Final = 40  # rows of dependents above which only the first of each file are listed
FIRST: Final = 2
LONGEST_LINE: Final = 120  # characters of a line of source in a row

_SURE: Final = frozenset({"exact", EXTRACTED, ""})
_USUAL: Final = frozenset({"calls", "references"})  # plain uses

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
        yield item.file_path, f"{name}{relation(item.edge_type, item.confidence)}{where}{text}"


def _place(site: Site) -> str:
    return f"{site.line}:{site.column}"


def _places(sites: Sequence[Site]) -> str:
    return ",".join(map(_place, sites))


def relation(edge_type: str, confidence: str) -> str:
    """Return the relation of an edge, unless it is a plain use, and the mark of one that is not proved."""
    return ("" if edge_type in _USUAL else f" {edge_type}") + doubt(confidence)


def doubt(confidence: str) -> str:
    """Return the mark of an edge that is not proved; '' for one that is."""
    return "" if confidence in _SURE else f" ({confidence.lower()})"


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
            f"{relation(item.kind, item.confidence)}" + (f" of {item.of}" if item.of else ""),
        )
        for item in items
    )

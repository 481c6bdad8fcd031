"""Rows of symbols: each begins with the lines of the symbol in its file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from codeagentd.model.results.retrieval_results import FoundSymbol, Place, SymbolCard
from codeagentd.model.results.symbol_results import OutlineItem, SourceSpan, SymbolHit

from .edge_rows import Grouped, grouped
from .names import local_name, shortened, within

LONGEST_SIGNATURE: Final = 44  # characters of a signature in an outline, where each row has a line to find it by
LONGEST_IN_HITS: Final = 100  # characters of a signature in a search result

_PLAIN: Final = frozenset(
    {"function", "method", "constructor", "variable", "field", "constant", "property", "enum_member"}
)


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

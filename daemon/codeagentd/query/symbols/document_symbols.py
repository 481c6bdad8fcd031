"""The symbols of a file, nested by containment."""

from __future__ import annotations

from typing import Final

import msgspec

from codeagentd.model.results.lens_results import DocumentSymbol, Range
from codeagentd.query.paging import Key, Slice, cut
from codeagentd.store.connection import Database

from .lookup import LABELS
from .outline import IndexedFile

_PLACE: Final = ("after_line", "after_last", "after_col", "after_uid")
_START: Final[Key] = (-1, 0, 0, b"")


def document_symbols(
    db: Database, file: IndexedFile, nested: bool, after: Key | None, limit: int
) -> Slice[DocumentSymbol]:
    """Return the symbols of `file` in line order; with `nested`, inner symbols are inside outer ones that are on the
    same page.
    """
    parameters = {"file": file.id, "limit": limit + 1, **dict(zip(_PLACE, after or _START, strict=True))}
    rows, following = cut(db.all("lens.document_symbols", parameters), limit, len(_PLACE))
    flat = [_symbol(row) for row in rows]
    return Slice(_nested(flat) if nested else flat, following)


def _symbol(row: Key) -> DocumentSymbol:
    line_start, _, _, _, name, qualified_name, kind, line_end, parent = row
    return DocumentSymbol(name, LABELS[kind], Range(line_start, line_end), qualified_name, parent)


def _nested(flat: list[DocumentSymbol]) -> list[DocumentSymbol]:
    """Put each symbol below the last symbol before it that has its parent's name.

    The list is processed from its end, so that the children of a value exist before the value.
    """
    children: dict[int, list[DocumentSymbol]] = {}
    tops: list[DocumentSymbol] = []
    latest: dict[str, int] = {}
    parents: list[int | None] = []
    for number, symbol in enumerate(flat):
        parents.append(latest.get(symbol.parent))
        latest[symbol.qualified_name] = number
    for number in range(len(flat) - 1, -1, -1):
        inner = children.pop(number, [])[::-1]
        above = parents[number]
        whole = msgspec.structs.replace(
            flat[number], children=inner, parent=flat[number].parent if above is None else ""
        )
        (tops if above is None else children.setdefault(above, [])).append(whole)
    return tops[::-1]

"""The symbols and imports of one document, with the ids that they have in the index where it knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from codeagentd.model.facts import FileFacts
from codeagentd.model.kinds import SymbolKind
from codeagentd.pipeline.batch.symbol_matching import alternative
from codeagentd.pipeline.rows.index_rows import FileRows, ImportRow
from codeagentd.pipeline.rows.symbol_row import (
    BASES,
    FLAGS,
    KIND,
    LINE,
    NAME,
    PARENT,
    QUALIFIED,
    RETURNS,
    SHARED,
    SIGNATURE,
    TYPE,
    UID,
    SymbolRow,
)
from codeagentd.resolve.symbol_table import File, Import, Symbol

from .index_state import IndexState

# ids of symbols and files that the index does not have; its own are far lower, and what lies outside of the repository
# has ids below zero
FIRST_TEMPORARY: Final = 1 << 40
_HEAD: Final = 21  # the position of the head in a row of symbols
_NAMESPACE: Final = int(SymbolKind.NAMESPACE)


class DocumentSymbols(NamedTuple):
    """The symbols of a document. `ids` are in the order of its facts; `own` are the symbols that only the document
    determines: those that other files declare too stay as the index has them.
    """

    file: File
    ids: Sequence[int]
    own: Mapping[int, Symbol]
    qualified_names: Mapping[int, str]
    imports: Sequence[Import]
    packages: Sequence[str]  # qualified names of its namespaces, longest first


def symbols_of(index: IndexState, file: File, facts: FileFacts, rows: FileRows) -> DocumentSymbols:
    """Return the symbols of the document `file`, whose id and symbol are temporary where the index lacks the file."""
    ids = _ids(index, file, rows.symbols)
    is_shared = [
        bool(row[SHARED]) and index.is_declared_elsewhere(ids[at], file.id) for at, row in enumerate(rows.symbols)
    ]
    own = {
        ids[at]: _symbol(row, ids, file.id, ids[at])
        for at, row in enumerate(rows.symbols)
        if not is_shared[at]
    }  # fmt: skip
    names = {ids[at]: row[QUALIFIED] for at, row in enumerate(rows.symbols)}
    packages = {row[QUALIFIED] for row in rows.symbols if row[KIND] == _NAMESPACE}
    return DocumentSymbols(
        File(file.id, file.path, facts.language, file.project, ids[0], file.module),
        ids,
        own,
        names,
        tuple(Import(row.local, row.module, row.name, row.exported) for row in rows.imports),
        sorted(packages, key=lambda name: (-len(name), name)),
    )


def definitions_of(rows: FileRows) -> tuple[tuple[object, ...], tuple[ImportRow, ...]]:
    """Return everything of a document that resolution may see, without positions: while it stays the same, so do the
    results of lookups.
    """
    return tuple(_without_place(row) for row in rows.symbols), tuple(rows.imports)


def _without_place(row: SymbolRow) -> tuple[object, ...]:
    return (
        row[UID], row[PARENT], row[KIND], row[FLAGS], row[NAME], row[QUALIFIED], row[SIGNATURE], row[RETURNS],
        row[BASES], row[TYPE], row[SHARED], row[_HEAD],
    )  # fmt: skip


def _ids(index: IndexState, file: File, rows: Sequence[SymbolRow]) -> list[int]:
    """Return the ids of the symbols with these rows, found as the writer finds them."""
    known, used = index.ids_by_uid(file.id), set[bytes]()
    results = []
    for at, row in enumerate(rows):
        uid = index.identity(row[UID])
        if row[SHARED]:
            number = known.get(uid) or index.symbol_with_uid(uid)
        else:
            while uid in used or (uid not in known and index.symbol_with_uid(uid)):
                uid = alternative(uid, file.path)
            used.add(uid)
            number = known.get(uid, 0)
        results.append(number or FIRST_TEMPORARY + at)
    return results


def _symbol(row: SymbolRow, ids: Sequence[int], file: int, number: int) -> Symbol:
    parent = ids[row[PARENT]] if row[PARENT] >= 0 else 0
    return Symbol(
        number, row[NAME], row[KIND], row[FLAGS], parent, file, row[LINE],
        tuple(row[BASES].split(",")) if row[BASES] else (), row[SIGNATURE] or "", row[RETURNS] or "", row[TYPE],
        row[_HEAD],
    )  # fmt: skip

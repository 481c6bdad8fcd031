"""Symbols that several files define together: namespaces, partial classes, functions with their prototypes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.store.connection import Database

from .columns import ACCESS, BASES, BODY, FILE, FLAGS, KEY, KIND, LINE_START, PARENT, QUALIFIED, UID, columns_of
from .derive import FileRows, unpack_ids
from .reach import Reach


class SharedSymbols:
    """Keeps the one row of a shared symbol true to all of its spans. `rows_of` gives the rows of an indexed file."""

    def __init__(self, database: Database, rows_of: Callable[[int], FileRows | None]) -> None:
        self._database = database
        self._rows_of = rows_of
        self._known: dict[int, tuple[FileRows, list[int]] | None] = {}

    def remember(self, file: int, rows: FileRows, ids: list[int]) -> None:
        """What a file of the batch says, so that it is not made again."""
        self._known[file] = (rows, ids)

    def forget(self) -> None:
        """The batch is written."""
        self._known.clear()

    def settle(self, symbol: int, reach: Reach) -> None:
        """Let the first span (by path and line) of a shared symbol be its primary one; without spans it goes."""
        spans = self._database.all("world.spans_of_symbol", (symbol,))
        row = self._database.one("world.symbol_row_by_id", (symbol,))
        if row is None:
            return
        if not spans:
            self._database.run("writer.delete_symbol", (symbol,))
            self._database.run("writer.delete_words", (symbol,))
            reach.names.add(row[KEY])
            return
        files = list(dict.fromkeys(span[0] for span in spans))
        if row[KIND] == SymbolKind.NAMESPACE:
            if row[FILE] == files[0] and row[LINE_START] == spans[0][2]:
                return
            files = files[:1]  # a namespace says the same everywhere, in thousands of files
        parts = [part for file in files if (part := self._part(file, symbol))]
        if parts:
            united = _declared(parts, row[UID]) if row[KIND] not in TYPES and row[KIND] != SymbolKind.NAMESPACE else _united(parts, row[UID])
            if united[BASES] != row[BASES]:
                reach.rebased.add(symbol)
            if (united[PARENT], united[KIND], united[FILE]) != (row[PARENT], row[KIND], row[FILE]):
                reach.names.add(row[KEY])
            if united != row:
                self._database.run("writer.delete_symbol", (symbol,))
                self._database.run_many("writer.put_symbol", [united])

    def _part(self, file: int, symbol: int) -> Part | None:
        """The columns that one file's share of a symbol would give it, and whether a type holds it there."""
        if file not in self._known:
            content, rows = self._database.one("world.content", (file,)), self._rows_of(file)
            self._known[file] = (rows, list(unpack_ids(content[1]))) if content is not None and rows is not None else None
        if (known := self._known[file]) is None:
            return None
        rows, ids = known
        row = rows.symbols[ids.index(symbol)]
        return columns_of(row, symbol, b"", file, ids), row.parent >= 0 and rows.symbols[row.parent].kind in TYPES


Part = tuple[tuple[Any, ...], bool]


def _united(parts: Sequence[Part], uid: bytes) -> tuple[Any, ...]:
    """The first part's columns, with the bases and flags of all: a partial class may say them anywhere."""
    united = list(parts[0][0])
    united[UID] = uid
    for part, _ in parts[1:]:
        united[FLAGS] |= part[FLAGS]
        united[ACCESS] = united[ACCESS] if united[ACCESS] == "public" else part[ACCESS]
    united[BASES] = ",".join(dict.fromkeys(base for part, _ in parts for base in part[BASES].split(",") if base))
    return tuple(united)


def _declared(parts: Sequence[Part], uid: bytes) -> tuple[Any, ...]:
    """The definition's columns, else the first declaration's; a member is what its class says that it is, wherever it is defined."""
    united = list(next((part for part, _ in parts if part[BODY]), parts[0][0]))
    united[UID] = uid
    for part, _ in parts:
        united[FLAGS] |= part[FLAGS]
    for part, is_member in parts:
        if is_member:
            united[PARENT], united[KIND], united[ACCESS], united[QUALIFIED] = part[PARENT], part[KIND], part[ACCESS], part[QUALIFIED]
            break
    return tuple(united)

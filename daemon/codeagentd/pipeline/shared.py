"""Symbols that several files define together: namespaces, partial classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codeagentd.model.kinds import SymbolKind
from codeagentd.store.connection import Database

from .columns import ACCESS, BASES, BODY, FILE, FLAGS, KEY, KIND, LINE_START, PARENT, UID, columns_of
from .derive import FileRows, unpack_ids
from .reach import Reach


class SharedSymbols:
    """Keeps the one row of a shared symbol true to all of its spans. `rows_of` gives the rows of an indexed file."""

    def __init__(self, database: Database, rows_of: Callable[[int], FileRows | None]) -> None:
        self._database = database
        self._rows_of = rows_of

    def settle(self, symbol: int, reach: Reach, is_fresh: bool = False) -> None:
        """Let the first span (by path and line) of a shared symbol be its primary one; without spans and members it goes.

        Args: is_fresh: this batch has written its row.
        """
        spans = self._database.all("world.spans_of_symbol", (symbol,))
        row = self._database.one("world.symbol_row_by_id", (symbol,))
        if row is None or (is_fresh and row[BODY] and {span[0] for span in spans} == {row[FILE]}):
            return
        files = list(dict.fromkeys(span[0] for span in spans))
        if not files and row[KIND] != SymbolKind.NAMESPACE:
            files = [file for (file,) in self._database.all("world.files_of_members", (symbol,))][:1]
        if not files:
            self._database.run("writer.delete_symbol", (symbol,))
            self._database.run("writer.delete_words", (symbol,))
            reach.names.add(row[KEY])
            return
        if row[KIND] == SymbolKind.NAMESPACE:
            is_held = self._database.value("world.kind", (row[PARENT],)) is not None  # a new file may have got the number of one that went
            if row[FILE] == files[0] and row[LINE_START] == spans[0][2] and is_held:
                return
            files = files[:1]  # a namespace says the same everywhere, in thousands of files
        parts = [part for file in files if (part := self._part(file, symbol))]
        parts.sort(key=_is_stub)
        if parts:
            united = _united(parts, row[UID])
            if united[BASES] != row[BASES]:
                reach.rebased.add(symbol)
            if united != row:
                self._database.run("writer.delete_symbol", (symbol,))
                self._database.run_many("writer.put_symbol", [united])

    def _part(self, file: int, symbol: int) -> tuple[Any, ...] | None:
        """The columns that one file's share of a symbol would give it."""
        content = self._database.one("world.content", (file,))
        rows = self._rows_of(file)
        if content is None or rows is None:
            return None
        ids = list(unpack_ids(content[1]))
        return columns_of(rows.symbols[ids.index(symbol)], symbol, b"", file, ids)


def _is_stub(part: tuple[Any, ...]) -> bool:
    return not part[BODY]


def _united(parts: Sequence[tuple[Any, ...]], uid: bytes) -> tuple[Any, ...]:
    """The first part's columns, with the bases and flags of all: a partial class may say them anywhere."""
    united = list(parts[0])
    united[UID] = uid
    for part in parts[1:]:
        united[FLAGS] |= part[FLAGS]
        united[ACCESS] = united[ACCESS] if united[ACCESS] == "public" else part[ACCESS]
    united[BASES] = ",".join(dict.fromkeys(base for part in parts for base in part[BASES].split(",") if base))
    return tuple(united)

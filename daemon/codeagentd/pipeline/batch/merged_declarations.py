"""Symbols that several files define together: namespaces, partial classes, functions with their prototypes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from codeagentd.model.identifier_words import words_of
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.pipeline.invalidation.api_changes import ApiChanges, packages
from codeagentd.pipeline.rows.index_rows import FileRows, unpack_ids
from codeagentd.pipeline.rows.symbol_row import (
    ACCESS,
    BASES,
    BODY,
    FILE,
    FLAGS,
    ID,
    KEY,
    KIND,
    LINE,
    LINE_END,
    LINE_START,
    NAME,
    PARENT,
    QUALIFIED,
    UID,
    interface_of,
    place,
    words_row,
)
from codeagentd.store.connection import Database

from .previous_state import SharedSymbolState

Parts = dict[int, list[tuple[Any, ...]]]  # rows of one file by symbol

REMEMBERED: Final = 50  # files whose rows are kept while stubs are merged

encode_row = msgspec.msgpack.encode
_decode_row = msgspec.msgpack.decode


class SharedSymbols:
    """Keeps the row of each symbol that several files declare consistent with all of its spans. `rows_of` derives the
    rows of an indexed file.
    """

    def __init__(self, database: Database, rows_of: Callable[[int], FileRows | None]) -> None:
        self._database = database
        self._rows_of = rows_of
        self._known: dict[int, Parts] = {}  # by file
        self._before: dict[int, Parts] = {}  # of the files of the batch, as they were before it
        self._edited: set[int] = set()  # symbols of which the batch has more than moved some part

    def remember_before(self, file: int, symbols: Iterable[int]) -> None:
        """Remember the parts of the shared `symbols` that the file with id `file`, which is in the batch, has in the
        index. To be called before its content there is replaced.
        """
        self._before[file] = self._derived(file)
        self._edited.update(symbol for symbol in symbols if symbol not in self._before[file])  # its facts are lost

    def remember(self, file: int, rows: FileRows) -> None:
        """Remember the rows of the file with id `file`, which is in the batch, so that they are not derived again."""
        self._known[file] = _by_symbol(rows)

    def forget(self) -> None:
        """Forget the rows of the batch's files, after it was written."""
        self._known.clear()
        self._before.clear()
        self._edited.clear()

    def merge_parts(self) -> None:
        """Merge the parts that a first index has collected with the row of each symbol."""
        for symbol, parts in groupby(self._database.each("bulk.parts"), key=lambda part: part[0]):
            row = self._database.row("world.symbol_row_by_id", (symbol,))
            files = dict.fromkeys(span[0] for span in self._database.all("world.spans_of_symbol", (symbol,)))
            if row is None or not files:
                continue  # a stub, which may have no members left
            by_file = defaultdict(list, {row[FILE]: [row]})
            for _, file, encoded in parts:
                by_file[file].append(tuple(_decode_row(encoded)))
            if row[KIND] == SymbolKind.NAMESPACE:
                files = dict.fromkeys(list(files)[:1])
            if collected := [part for file in files for part in by_file[file]]:
                self._unite(row, collected, list(files), ApiChanges())
        self._database.run("bulk.drop_parts")

    def merge_stubs(self) -> None:
        """Derive the row of each type that no file defines from its first member, after a first index."""
        for (symbol,) in self._database.all("world.stubs"):
            self.merge(symbol, ApiChanges())
            if len(self._known) > REMEMBERED:
                self.forget()
        self.forget()

    def merge_batch(self, touched: set[int], changes: ApiChanges, was: Mapping[int, SharedSymbolState]) -> None:
        """Derive the rows of the shared symbols `touched` after the batch's files were written. Args: was: what these
        files declared of them before.
        """
        for file in self._known.keys() | self._before.keys():
            before, now = self._before.get(file, {}), self._known.get(file, {})
            self._edited.update(
                symbol
                for symbol in touched.intersection(before.keys() | now.keys())
                if [*map(_without_place, before.get(symbol, ()))] != [*map(_without_place, now.get(symbol, ()))]
            )
        for symbol in sorted(touched):
            if not self._has_moved(symbol):
                self.merge(symbol, changes, was.get(symbol))
        self.forget()

    def merge(self, symbol: int, changes: ApiChanges, was: SharedSymbolState | None = None) -> None:
        """Derive the row of a shared symbol from its primary part: the one that says most, the first by path and line
        of several. A symbol without spans and members is removed.

        Args: was: what a file of the batch declared of it before.
        """
        spans = self._database.all("world.spans_of_symbol", (symbol,))
        row = self._database.row("world.symbol_row_by_id", (symbol,))
        if row is None:
            return
        files = list(dict.fromkeys(span[0] for span in spans))
        if not files and row[KIND] != SymbolKind.NAMESPACE:
            files = [file for (file,) in self._database.all("world.files_of_members", (symbol,))][:1]
        if not files:
            self._database.run("writer.delete_symbol", (symbol,))
            self._database.run("writer.delete_words", (symbol,))
            self._note(row, changes, was)
            return
        if row[KIND] == SymbolKind.NAMESPACE:
            if (
                row[FILE] == files[0] and row[LINE_START] == spans[0][2] and files[0] not in self._known
                and self._database.value("world.symbol_by_id", (row[PARENT],))
            ):  # fmt: skip
                return  # numbers of files are used again, those of symbols are not
            files = files[:1]  # a namespace has the same columns in each of its thousands of files
        if parts := [part for file in files for part in self._parts(file, symbol)]:
            self._unite(row, parts, files, changes)

    def _unite(
        self, row: tuple[Any, ...], parts: list[tuple[Any, ...]], files: Sequence[int], changes: ApiChanges
    ) -> None:
        """Replace the row of a symbol by what its parts, which are in the order of `files`, give it together."""
        parts.sort(key=_rank)
        is_declared = row[KIND] not in TYPES and row[KIND] != SymbolKind.NAMESPACE
        united = self._declared(parts, row[UID]) if is_declared else _united(parts, row[UID])
        if united[BASES] != row[BASES]:
            changes.rebased.add(row[ID])
        if united[BASES] and united[FILE] != row[FILE]:
            # its bases are stored with another file now
            changes.declaring |= {united[FILE], row[FILE]}.intersection(files)
        if row[KIND] != SymbolKind.NAMESPACE and _visible_part(united, is_declared=is_declared) != _visible_part(
            row, is_declared=is_declared
        ):
            self._note(row, changes)
            self._note(united, changes)
            changes.declaring.update(files if is_declared else ())
        self._replace(row, united)

    def _replace(self, row: tuple[Any, ...], united: tuple[Any, ...]) -> None:
        if united != row:
            self._database.run("writer.delete_symbol", (row[ID],))
            self._database.run("writer.delete_words", (row[ID],))
            self._database.run_many("writer.put_symbol", [united])
            self._database.run_many("writer.put_words", [words_row(list(united), words_of(united[NAME]))])

    def _has_moved(self, symbol: int) -> bool:
        """Whether the batch has only moved the parts of a symbol, or changed bodies. Its row gets the new place then,
        without a look at the parts in other files, of which there may be thousands.
        """
        row = None if symbol in self._edited else self._database.row("world.symbol_row_by_id", (symbol,))
        if row is None or row[KIND] == SymbolKind.NAMESPACE:
            return False
        if row[FILE] not in self._before:
            return True
        own = self._before[row[FILE]].get(symbol, [])
        chosen = [
            number for number, part in enumerate(own) if part[LINE_START : LINE + 1] == row[LINE_START : LINE + 1]
        ]
        if len(chosen) != 1:
            return False
        part, moved = self._known[row[FILE]][symbol][chosen[0]], list(row)
        moved[LINE_START:ACCESS], moved[BODY] = part[LINE_START:ACCESS], part[BODY]
        self._replace(row, tuple(moved))
        return True

    def _note(self, row: Sequence[Any], changes: ApiChanges, was: SharedSymbolState | None = None) -> None:
        """Record that the name of a symbol has another meaning now; its owner may have been removed with it."""
        owner_kind = self._database.value("world.kind", (row[PARENT],)) or (
            was.owner_kind if was and was.owner == row[PARENT] else 0
        )
        language = self._database.value("world.language_of_file", (row[FILE],))
        for key in (row[KEY], *(packages(self._database, row[QUALIFIED]) if row[KIND] == SymbolKind.NAMESPACE else ())):
            changes.note(key, row[KIND], language, owner_kind, row[ID], row[PARENT] or 0, by_name=True)

    def _parts(self, file: int, symbol: int) -> list[tuple[Any, ...]]:
        """Return the columns that one file's declarations of a symbol would give it."""
        if file not in self._known:
            self._known[file] = self._derived(file)
        return self._known[file].get(symbol, [])

    def _derived(self, file: int) -> Parts:
        """Derive the parts of a file from its facts; none if these are lost."""
        content, rows = self._database.row("world.content", (file,)), self._rows_of(file)
        if content is None or rows is None:
            return {}
        place(rows.symbols, file, list(unpack_ids(content[1])), [row[UID] for row in rows.symbols])
        return _by_symbol(rows)

    def _declared(self, parts: Sequence[tuple[Any, ...]], uid: bytes) -> tuple[Any, ...]:
        """Return the columns of the definition, else of the first declaration. Access and owner of a member are those
        that its class declares.
        """
        united = list(next((part for part in parts if part[BODY]), parts[0]))
        united[UID] = uid
        for part in parts:
            united[FLAGS] |= part[FLAGS]
        member = next((part for part in parts if self._database.value("world.kind", (part[PARENT],), 0) in TYPES), None)
        if member is not None:
            united[PARENT], united[KIND], united[ACCESS], united[QUALIFIED] = (
                member[PARENT],
                member[KIND],
                member[ACCESS],
                member[QUALIFIED],
            )
        return tuple(united)


def _by_symbol(rows: FileRows) -> Parts:
    parts: Parts = defaultdict(list)
    for row in rows.symbols:
        parts[row[ID]].append(tuple(row))  # a document may show a class twice
    return parts


def _without_place(part: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what of a part decides, beside other parts, on the row of a symbol: everything but its place and the
    digest of its body. The length counts among parts of types.
    """
    length = part[LINE_END] - part[LINE_START] if part[KIND] in TYPES else 0
    return (*part[:LINE_START], length, *part[ACCESS:BODY], bool(part[BODY]), *part[BODY + 1 :])


def _rank(part: Sequence[Any]) -> tuple[Any, ...]:
    """The order of the parts of a symbol: definitions before declarations and extensions; of the parts of a type those
    with bases, then those with documentation, then the longest.
    """
    is_fallback = not part[BODY] or _is_extension(part)
    if part[KIND] not in TYPES:
        return (is_fallback,)
    lines = part[LINE_END] - part[LINE_START]
    return (is_fallback, not part[BASES], not part[FLAGS] & SymbolFlag.DOC_COMMENT, -lines)


def _united(parts: Sequence[tuple[Any, ...]], uid: bytes) -> tuple[Any, ...]:
    """Return the first part's columns, with the bases and flags of all parts: any part of a partial class may declare
    them.
    """
    united = list(parts[0])
    united[UID] = uid
    for part in parts[1:]:
        united[FLAGS] |= part[FLAGS]
        united[ACCESS] = united[ACCESS] if united[ACCESS] == "public" else part[ACCESS]
    united[BASES] = ",".join(dict.fromkeys(base for part in parts for base in part[BASES].split(",") if base))
    return tuple(united)


def _visible_part(row: Sequence[Any], *, is_declared: bool) -> tuple[Any, ...]:
    """Return the columns of a shared symbol that other files can notice; the bases of a type are compared separately
    (ApiChanges.rebased).
    """
    return interface_of(row) if is_declared else interface_of([*row[:BASES], "", *row[BASES + 1 :]])


def _is_extension(part: Sequence[Any]) -> bool:
    """Whether a part only adds members to a type that another part declares."""
    return bool(part[KIND] == SymbolKind.TYPE)

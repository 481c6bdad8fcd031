"""The committer: writes the outcomes of a batch as rows of index.db, replaces old rows, and reports changed names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from codeagentd.languages.language import languages
from codeagentd.languages.versions import version_of
from codeagentd.model.facts import AUTOMATIC
from codeagentd.model.heading_anchors import anchor_of
from codeagentd.model.ids import FILE_SHIFT, numbers_of
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.pipeline.invalidation.api_changes import ApiChanges, Imports, importers, packages
from codeagentd.pipeline.invalidation.member_dependencies import is_found_by_name
from codeagentd.pipeline.rows.index_rows import FileRows, key_of, pack_ids
from codeagentd.pipeline.rows.symbol_row import (
    BASES,
    FLAGS,
    ID,
    KEY,
    KIND,
    NAME,
    PARENT,
    QUALIFIED,
    SHARED,
    SIGNATURE,
    TYPE,
    SymbolRow,
    interface_of,
    is_stub,
    place,
    span_of,
    words_row,
)
from codeagentd.pipeline.workers.messages import Extracted
from codeagentd.resolve.symbol_table import File
from codeagentd.store.connection import Database, Row

from .merged_declarations import SharedSymbols, encode_row
from .previous_state import OldFile, SharedSymbolState, includes, note_declared, shared_states
from .symbol_ids import Numbering

CALLABLES = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY})

# language, module and import name of a file that is only counted
_NOT_READ: Final[tuple[str | None, str, str]] = (None, "", "")


class Context(msgspec.Struct, frozen=True, gc=False):
    """The properties of a file besides its content: its language (None: only counted), the id of its project, its
    module name, and the other name that imports use ('' = the same).
    """

    language: str | None
    project: int
    module: str = ""
    imported: str = ""


class Committer:
    """Writes the outcomes of a batch as rows of index.db and blobs.db, with their ids. One instance lives as long as
    the writer; `apply` is called inside a transaction.
    """

    def __init__(self, database: Database, blobs: Database, rows_of: Callable[[int], FileRows | None]) -> None:
        self._database = database
        self._blobs = blobs
        self._shared = SharedSymbols(database, rows_of)
        self.numbering = Numbering(database)
        self._next_file = 1  # in a first index
        self._clear()

    def _clear(self) -> None:
        """Drop the rows that a failed batch has left."""
        self._files: list[dict[str, Any]] = []
        self._times: list[tuple[int, int]] = []
        self._facts: list[tuple[Any, ...]] = []
        self._imports: list[tuple[Any, ...]] = []
        self._fresh: list[SymbolRow] = []
        self._words: list[tuple[Any, ...]] = []
        self._names: dict[int, str] = {}
        self._crossed: list[tuple[int, bytes]] = []
        self._fresh_shared: set[int] = set()
        self._parts: list[tuple[int, int, bytes]] = []

    def begin_bulk(self) -> None:
        """Begin or continue a first index: until `end_bulk`, files have no earlier state, and what several files
        declare of a symbol is only collected.
        """
        self.numbering.begin_bulk()
        self._next_file = int(self._database.value("bulk.next_file"))

    def end_bulk(self) -> None:
        """End the collecting of a first index."""
        self.numbering.end_bulk()

    def merge_parts(self) -> None:
        """Merge what the files of a first index declare together. To be called when all of them were written."""
        self._shared.merge_parts()

    def merge_stubs(self) -> None:
        """Add a row for each type that no file defines, as its first member implies it. To be called after
        `merge_parts`, with the secondary indexes.
        """
        self._shared.merge_stubs()

    def apply(self, outcomes: Sequence[Extracted], contexts: Mapping[str, Context]) -> ApiChanges:
        """Write one batch and return its API changes; a file whose outcome has no rows loses those in the index.
        `contexts`: by path.
        """
        self._clear()
        old = (
            {}
            if self.numbering.is_bulk
            else {outcome.path: old_file for outcome in outcomes if (old_file := self._old(outcome.path))}
        )
        first_new = self.numbering.next_id
        ids, uids = self.numbering.identify(outcomes, old)
        changes = ApiChanges()
        before = {file.path: self._remove(file, ids) for file in old.values()}
        for file in old.values():
            if before[file.path]:
                self._shared.remember_before(file.id, before[file.path])
        was = {symbol: state for shared in before.values() for symbol, state in shared.items()}
        touched = set(was)
        self._drop_vanished(old, ids, changes)
        for outcome, symbol_ids, symbol_uids in zip(outcomes, ids, uids, strict=True):
            touched |= self._write(
                outcome, contexts[outcome.path], symbol_ids, symbol_uids, old.get(outcome.path), changes, first_new
            )
            if not self.numbering.is_bulk:
                language = contexts[outcome.path].language or (
                    old[outcome.path].language if outcome.path in old else None
                )
                note_declared(
                    before.get(outcome.path, {}),
                    outcome,
                    language,
                    changes,
                    is_edit=outcome.path in old and outcome.rows is not None,
                )
                _note_global(outcome, contexts[outcome.path], old.get(outcome.path), changes)
                _note_included(outcome, contexts[outcome.path], old.get(outcome.path), changes)
        self._flush()
        self._shared.merge_batch(touched, changes, was)
        return changes

    def _flush(self) -> None:
        """Insert the rows that the batch has collected; FTS5 requires ascending row ids."""
        self._blobs.run_many("blobs.put_facts", self._facts)
        self._database.run_many("writer.put_new_file", self._files)
        self._database.run_many("writer.put_time", self._times)
        self._database.run_many("writer.put_import", self._imports)
        self._database.run_many("boundaries.put", self._crossed)
        self._database.run_many("writer.put_symbol", self._fresh)
        self._database.run_many("writer.put_words", sorted(self._words))
        self._database.run_many("bulk.put_part", self._parts)
        new = sorted(
            (key, name) for key, name in self._names.items() if not self._database.value("writer.has_name", (key,))
        )
        self._database.run_many("writer.put_name", new)
        self._database.run_many("writer.put_name_trigrams", new)
        self._clear()

    # -- what was there
    def _old(self, path: str) -> OldFile | None:
        row = self._database.row("world.file_row", (path,))
        if row is None:
            return None
        imports = self._database.all("world.imports", numbers_of(row[0]))
        return OldFile(
            row[0],
            path,
            row[1] or b"",
            row[2],
            row[4],
            row[5],
            self._database.all("world.symbol_rows", (row[0],)),
            imports,
        )

    def _remove(self, old: OldFile, ids: list[list[int]]) -> dict[int, SharedSymbolState]:
        """Remove the rows that belong to a file. Returns the shared symbols that it had spans of."""
        shared = {
            symbol: SharedSymbolState(*state)
            for symbol, *state in self._database.all("world.shared_of_file", (old.id,))
        }
        shared |= shared_states(old.rows)
        self._database.run("writer.delete_imports", numbers_of(old.id))
        self._database.run("writer.delete_spans_of_file", (old.id,))
        return shared

    def _drop_vanished(self, old: Mapping[str, OldFile], ids: list[list[int]], changes: ApiChanges) -> None:
        remaining = {symbol for symbols in ids for symbol in symbols}
        for file in old.values():
            kinds = {row[ID]: row[KIND] for row in file.rows}
            for row in file.rows:
                if row[ID] not in remaining and not row[SHARED]:
                    self._note(row, kinds, file.language, changes)
                    self._database.run("writer.delete_symbol", (row[ID],))
                    self._database.run("writer.delete_words", (row[ID],))

    def _note(self, row: Sequence[Any], kinds: Mapping[int, int], language: str | None, changes: ApiChanges) -> None:
        """Record that a symbol was added or removed, or changed for other files. Symbols inside functions only count
        where the language keeps them visible outside.

        Args: kinds: of its file's symbols by id.
        """
        kind, known = kinds.get(row[PARENT], 0), languages().get(language or "")
        if kind not in CALLABLES or (known is not None and known.symbols.bound == "none"):
            anchors = (
                (key_of(anchor_of(row[NAME])), key_of(row[TYPE].removeprefix("#")))
                if row[KIND] == SymbolKind.SECTION
                else ()
            )
            if row[KIND] in TYPES and row[SIGNATURE]:
                changes.constructed.add(row[ID])  # its header is a constructor
            if row[FLAGS] & SymbolFlag.AUTOMATIC:
                changes.note(key_of(AUTOMATIC), row[KIND], language)  # files with tests need not mention its name
            parts = packages(self._database, row[QUALIFIED]) if row[KIND] == SymbolKind.NAMESPACE else ()
            for key in (row[KEY], *anchors, *parts):
                by_name = is_found_by_name(row[KIND], kind, row[BASES], row[SIGNATURE])
                changes.note(key, row[KIND], language, kind, row[ID], row[PARENT], by_name)

    # -- rows
    def _write(
        self,
        outcome: Extracted,
        context: Context,
        ids: list[int],
        uids: list[bytes],
        old: OldFile | None,
        changes: ApiChanges,
        first_new: int,
    ) -> set[int]:
        """Write one file. Returns the shared symbols that have to be merged. `first_new`: the first id that the batch
        has given to new symbols.
        """
        if not self.numbering.is_bulk:
            self._note_module(outcome, context, old, changes)
        if old and outcome.rows is None and old.language:
            changes.imports.append(
                Imports(File(old.id, old.path, old.language, 0, 0, old.module), frozenset(old.imports), is_there=False)
            )
        if outcome.status == "gone":
            if old:
                self._database.run("writer.delete_refs", numbers_of(old.id))
                self._database.run("writer.delete_file", (old.id,))
            return set()
        if self.numbering.is_bulk:
            file, self._next_file = self._next_file, self._next_file + 1
            self._files.append(self._file_columns(outcome, context, ids) | {"id": file})
        else:
            file = int(self._database.value("writer.put_file", self._file_columns(outcome, context, ids)))
        self._times.append((file, outcome.mtime_ns))
        if old:
            self._database.run("boundaries.drop", (file,))
        if outcome.rows is None:
            if old:
                self._database.run("writer.delete_refs", numbers_of(file))
            return set()
        changes.files.append(file)
        if outcome.rows.boundaries:
            self._crossed.append((file, outcome.rows.boundaries))
        if outcome.blob:
            self._facts.append((outcome.digest, context.language, version_of(context.language or ""), outcome.blob))
        before = {row[ID]: row for row in old.rows} if old else {}
        first, imports = (
            file << FILE_SHIFT,
            [(row.local, row.module, row.name, int(row.exported)) for row in outcome.rows.imports],
        )
        self._imports += [(first + number, *row) for number, row in enumerate(imports)]
        differing = {*(old.imports if old else ())} ^ {*imports}
        if differing and not self.numbering.is_bulk:
            changed = File(file, outcome.path, context.language or "", context.project, ids[0], context.module)
            changes.imports.append(Imports(changed, frozenset(differing), is_there=True))
        if old and differing:
            changes.locals[file] = (
                None if any(row[2] == "*" for row in differing) else {key_of(row[0]) for row in differing}
            )
        place(outcome.rows.symbols, file, ids, uids)
        if self.numbering.is_bulk:
            self._collect(outcome.rows, file, first_new)
            return set()
        if any(row[SHARED] for row in outcome.rows.symbols):
            self._shared.remember(file, outcome.rows)
        return self._write_symbols(outcome.rows, file, context.language, before, changes)

    def _note_module(self, outcome: Extracted, context: Context, old: OldFile | None, changes: ApiChanges) -> None:
        """Record a file that was added or removed, or has another name or language than before: other files may import
        it. Ids distinguish languages, also that of the file itself.
        """
        was = (old.language, old.module, old.imported) if old else _NOT_READ
        now = (context.language, context.module, context.imported) if outcome.rows else _NOT_READ
        if was == now:
            return
        changes.has_other_modules = True
        for language, module, imported in (was, now):
            if language:
                changes.modules |= importers(self._database, outcome.path, module, imported, context.project)

    def _file_columns(self, outcome: Extracted, context: Context, ids: list[int]) -> dict[str, Any]:
        rows = outcome.rows
        return {
            "path": outcome.path, "language": context.language if rows else None, "project": context.project,
            "status": outcome.status, "reason": outcome.reason, "generated": outcome.generated, "size": outcome.size,
            "digest": outcome.digest or None, "module": context.module if rows else "",
            "import_name": context.imported if rows else "", "names": rows.names if rows else None,
            "symbols": pack_ids(ids) if rows else None,
        }  # fmt: skip

    def _collect(self, rows: FileRows, file: int, first_new: int) -> None:
        """Write the symbols of one file in a first index. Of a symbol that has a row already they are parts."""
        self._put_spans(rows, file, "bulk.put_span")
        for row, words in zip(rows.symbols, rows.words, strict=True):
            symbol = row[ID]
            if row[SHARED]:
                if symbol < first_new or symbol in self._fresh_shared:
                    self._parts.append((symbol, file, encode_row(row)))
                    continue
                self._fresh_shared.add(symbol)
            self._fresh.append(row)
            self._words.append(words_row(row, words))

    def _write_symbols(
        self, rows: FileRows, file: int, language: str | None, before: Mapping[int, Row], changes: ApiChanges
    ) -> set[int]:
        shared = {row[ID] for row in rows.symbols if row[SHARED]}
        if shared or rows.spans:
            self._put_spans(rows, file, "writer.put_span")
        changed: list[Sequence[Any]] = []
        for row, words in zip(rows.symbols, rows.words, strict=True):
            symbol = row[ID]
            if row[SHARED]:
                if self._is_there(symbol):
                    shared.add(symbol)
                    continue
                self._fresh_shared.add(symbol)
            was: Sequence[Any] | None = before.get(symbol) or self._row(symbol)
            if was == tuple(row):
                continue
            if was is None or interface_of(was) != interface_of(row):
                changed += [row] if was is None else [was, row]
                if was is not None and was[BASES] != row[BASES]:
                    changes.rebased.add(symbol)
            if was is not None:
                self._database.run("writer.delete_words", (symbol,))
                self._database.run("writer.delete_symbol", (symbol,))
            self._fresh.append(row)
            self._words.append(words_row(row, words))
            self._names[row[KEY]] = row[NAME]
        kinds = {row[ID]: row[KIND] for row in (*rows.symbols, *before.values())} if changed else {}
        for state in changed:
            self._note(state, kinds, language, changes)
        return shared

    def _is_there(self, symbol: int) -> bool:
        """Whether a shared symbol has a row already."""
        return symbol in self._fresh_shared or bool(self._database.value("world.symbol_by_id", (symbol,)))

    def _row(self, symbol: int) -> Row | None:
        return self._database.row("world.symbol_row_by_id", (symbol,))

    def _put_spans(self, rows: FileRows, file: int, statement: str) -> None:
        """Write all spans of the symbols that have several, or may have some in other files."""
        several = {index for index, *_ in rows.spans}
        first = [
            span_of(row)
            for index, row in enumerate(rows.symbols)
            if (row[SHARED] and not is_stub(row)) or index in several
        ]
        further = [(rows.symbols[index][ID], file, *lines) for index, *lines in rows.spans]
        self._database.run_many(statement, first + further)


def _note_global(outcome: Extracted, context: Context, old: OldFile | None, changes: ApiChanges) -> None:
    """Record imports that apply to all files of a project and were added or removed."""
    concerned = {
        language
        for language in (context.language, old.language if old else None)
        if language and languages()[language].symbols.global_imports
    }
    if concerned:
        was = {row for row in old.imports if row[3]} if old else set()
        now = (
            {(row.local, row.module, row.name, 1) for row in outcome.rows.imports if row.exported}
            if outcome.rows
            else set()
        )
        changes.languages |= concerned if was != now else set()


def _note_included(outcome: Extracted, context: Context, old: OldFile | None, changes: ApiChanges) -> None:
    """Record a file that was added or removed, or includes other files than before, because that changes the names that
    its includers see.
    """
    if includes(context.language) or (old is not None and includes(old.language)):
        modules = {row.module for row in outcome.rows.imports} if outcome.rows else set()
        if old is None or outcome.rows is None or modules != {module for _, module, *_ in old.imports}:
            changes.included.add(outcome.path)

"""Outcomes of a batch to rows of index.db: ids are given, old rows replaced, changed names reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from codeagentd.model.anchors import anchor_of
from codeagentd.model.facts import EXTRACTOR_VERSION
from codeagentd.model.ids import FILE_SHIFT
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.scan.rename import match_moves
from codeagentd.store.connection import Database, Row

from .columns import BASES, BODY, FILE, FLAGS, ID, KEY, KIND, NAME, PARENT, QUALIFIED, SHARED, UID, columns_of
from .derive import FileRows, SymbolRow, key_of, pack_ids
from .identity import Fresh, Known, alternative, chain_of, match
from .jobs import Extracted
from .reach import Clause, Reach
from .shared import SharedSymbols

EXPORTED = int(SymbolFlag.EXPORTED)
OF_FOLDERS = frozenset({"__init__", "index", "_index", "README"})  # files that go by their folder's name
CALLABLES = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY})


class Context(msgspec.Struct, frozen=True, gc=False):
    """What a path means to the index besides its content."""

    language: str | None
    project: int
    module: str = ""
    imported: str = ""


class OldFile(msgspec.Struct):
    """A file of the batch as the index had it."""

    id: int
    path: str
    digest: bytes
    module: str
    imported: str
    rows: list[Row]


class Committer:
    """Gives ids and writes rows. One instance lives as long as the writer; call `apply` inside a transaction."""

    def __init__(self, database: Database, blobs: Database, rows_of: Callable[[int], FileRows | None]) -> None:
        self._database = database
        self._blobs = blobs
        self._shared = SharedSymbols(database, rows_of)
        self._identities: dict[bytes, bytes] = dict(database.all("writer.identities"))
        self._next = int(database.value("writer.next_symbol"))
        self._bulk: dict[bytes, int] | None = None
        self._bulk_names: set[int] = set()
        self._files: list[dict[str, Any]] = []
        self._next_file = 1
        self._fresh: list[tuple[Any, ...]] = []
        self._words: list[tuple[Any, ...]] = []
        self._names: dict[int, str] = {}
        self._fresh_shared: set[int] = set()

    def begin_bulk(self) -> None:
        """The index is empty: ids are looked up in memory until `end_bulk`."""
        self._bulk = {}

    def end_bulk(self) -> None:
        """From here on look ids up in the database."""
        self._bulk = None
        self._bulk_names = set()

    def apply(self, outcomes: Sequence[Extracted], contexts: Mapping[str, Context]) -> Reach:
        """Write one batch; outcomes without rows lose what the index had of them."""
        old = {} if self._bulk is not None else {outcome.path: found for outcome in outcomes if (found := self._old(outcome.path))}
        ids, uids = self._identify(outcomes, old)
        reach = Reach()
        touched = {symbol for file in old.values() for symbol in self._remove(file, ids)}
        self._drop_vanished(old, ids, reach)
        for outcome, symbol_ids, symbol_uids in zip(outcomes, ids, uids, strict=True):
            touched |= self._write(outcome, contexts[outcome.path], symbol_ids, symbol_uids, old.get(outcome.path), reach)
        self._flush()
        for symbol in sorted(touched):
            self._shared.settle(symbol, reach)
        return reach

    def _flush(self) -> None:
        """Insert what the batch has gathered; FTS5 wants ascending row ids."""
        self._database.run_many("writer.put_new_file", self._files)
        self._files = []
        self._database.run_many("writer.put_symbol", self._fresh)
        self._database.run_many("writer.put_words", sorted(self._words))
        if self._bulk is not None:
            new = sorted((key, name) for key, name in self._names.items() if key not in self._bulk_names)
            self._bulk_names.update(self._names)
        else:
            new = sorted((key, name) for key, name in self._names.items() if not self._database.value("writer.has_name", (key,)))
        self._database.run_many("writer.put_name", new)
        self._database.run_many("writer.put_name_trigrams", new)
        self._fresh, self._words, self._names, self._fresh_shared = [], [], {}, set()

    # -- what was there
    def _old(self, path: str) -> OldFile | None:
        row = self._database.one("world.file_row", (path,))
        if row is None:
            return None
        return OldFile(row[0], path, row[1] or b"", row[4], row[5], self._database.all("world.symbol_rows", (row[0],)))

    def _remove(self, old: OldFile, ids: list[list[int]]) -> set[int]:
        """Remove what hangs on a file; returns the shared symbols that it had spans of."""
        first, last = old.id << FILE_SHIFT, ((old.id + 1) << FILE_SHIFT) - 1
        shared = {symbol for symbol, _ in self._database.all("world.shared_of_file", (old.id,))}
        self._database.run("writer.delete_imports", (first, last))
        self._database.run("writer.delete_spans_of_file", (old.id,))
        return shared

    def _drop_vanished(self, old: Mapping[str, OldFile], ids: list[list[int]], reach: Reach) -> None:
        kept = {symbol for symbols in ids for symbol in symbols}
        for file in old.values():
            kinds = {row[ID]: row[KIND] for row in file.rows}
            for row in file.rows:
                if row[ID] not in kept and not row[SHARED]:
                    self._note(row, kinds, reach, -1)
                    self._database.run("writer.delete_symbol", (row[ID],))
                    self._database.run("writer.delete_words", (row[ID],))

    @staticmethod
    def _note(row: Sequence[Any], kinds: Mapping[int, int], reach: Reach, count: int) -> None:
        """A symbol came (count 1) or went (-1), or shows another face to other files (both); `kinds` of its file's symbols by id."""
        kind = kinds.get(row[PARENT], 0)
        if kind in TYPES:
            reach.members.add((row[KEY], row[PARENT]))
            reach.balance[row[KEY]] += count
        elif kind not in CALLABLES:
            reach.names.add(row[KEY])
            if row[KIND] == SymbolKind.SECTION:
                reach.names.add(key_of(anchor_of(row[NAME])))

    # -- ids
    def _identify(self, outcomes: Sequence[Extracted], old: Mapping[str, OldFile]) -> tuple[list[list[int]], list[list[bytes]]]:
        """Ids and uids of every symbol of the batch, per outcome."""
        if self._bulk is not None:
            return self._number(outcomes, self._bulk)
        known = {row[UID]: row[ID] for file in old.values() for row in file.rows}
        ids: list[list[int]] = []
        uids: list[list[bytes]] = []
        taken: set[bytes] = set()
        for outcome in outcomes:
            rows = outcome.rows.symbols if outcome.rows else []
            chosen = [self._uid(row, outcome.path, known, taken) for row in rows]
            uids.append(chosen)
            ids.append([known.get(uid) or self._existing(uid) for uid in chosen])
        self._keep_renamed(outcomes, old, ids, uids)
        for symbol_ids, symbol_uids in zip(ids, uids, strict=True):
            for index, symbol in enumerate(symbol_ids):
                if not symbol:
                    uid = symbol_uids[index]
                    symbol_ids[index] = found = known.get(uid) or self._existing(uid) or self._next
                    known[uid] = found
                    if found == self._next:
                        self._next += 1
        return ids, uids

    def _number(self, outcomes: Sequence[Extracted], bulk: dict[bytes, int]) -> tuple[list[list[int]], list[list[bytes]]]:
        """The ids of a first index: nothing was there before, numbers ascend."""
        ids: list[list[int]] = []
        uids: list[list[bytes]] = []
        identities, following = self._identities, self._next
        for outcome in outcomes:
            numbers: list[int] = []
            chosen: list[bytes] = []
            for row in outcome.rows.symbols if outcome.rows else ():
                uid = identities.get(row.uid, row.uid)
                number = bulk.get(uid, 0)
                if number and not row.shared:
                    while uid in bulk:
                        uid = alternative(uid, outcome.path)
                    number = 0
                if not number:
                    bulk[uid] = number = following
                    following += 1
                numbers.append(number)
                chosen.append(uid)
            ids.append(numbers)
            uids.append(chosen)
        self._next = following
        return ids, uids

    def _uid(self, row: SymbolRow, path: str, known: Mapping[bytes, int], taken: set[bytes]) -> bytes:
        """The symbol's uid: kept through a rename, or another one when two symbols would have the same."""
        uid = self._identities.get(row.uid, row.uid)
        if row.shared:
            return uid
        if uid in taken or (uid not in known and self._existing(uid)):
            uid = alternative(uid, path)
            while uid in taken:
                uid = alternative(uid, path)
        taken.add(uid)
        return uid

    def _existing(self, uid: bytes) -> int:
        """The id of the symbol that has this uid in the index; 0 = none."""
        return int(self._database.value("world.by_uid", (uid,), 0))

    def _keep_renamed(self, outcomes: Sequence[Extracted], old: Mapping[str, OldFile], ids: list[list[int]], uids: list[list[bytes]]) -> None:
        kept = {symbol for symbols in ids for symbol in symbols}
        gone = [known for file in old.values() for known in _known_symbols(file) if known.id not in kept]
        if not gone:
            return
        fresh = [
            Fresh((at, index), outcome.path, chain_of(outcome.rows.symbols, index), outcome.rows.symbols[index].kind, outcome.rows.symbols[index].body)
            for at, outcome in enumerate(outcomes)
            if outcome.rows
            for index, symbol in enumerate(ids[at])
            if not symbol and not outcome.rows.symbols[index].shared
        ]
        present = {outcome.path for outcome in outcomes if outcome.rows}
        moves = match_moves(
            {path: file.digest for path, file in old.items() if path not in present}, {o.path: o.digest for o in outcomes if o.rows and o.path not in old}
        )
        for (at, index), known in match(gone, fresh, moves).items():
            derived = outcomes[at].rows.symbols[index].uid  # type: ignore[union-attr]  # fresh symbols have rows
            ids[at][index], uids[at][index] = known.id, known.uid
            self._identities[derived] = known.uid
            self._database.run("writer.put_identity", (derived, known.uid))

    # -- rows
    def _write(self, outcome: Extracted, context: Context, ids: list[int], uids: list[bytes], old: OldFile | None, reach: Reach) -> set[int]:
        """Write one file; returns the shared symbols that have to be settled."""
        if outcome.status == "gone":
            if old:
                self._database.run("writer.delete_refs", (old.id << FILE_SHIFT, ((old.id + 1) << FILE_SHIFT) - 1))
                self._database.run("writer.delete_file", (old.id,))
                reach.modules |= self._importers(old.path, old.module, old.imported)
            return set()
        if self._bulk is not None:
            file, self._next_file = self._next_file, self._next_file + 1
            self._files.append(self._file_columns(outcome, context, ids) | {"id": file})
        else:
            file = int(self._database.value("writer.put_file", self._file_columns(outcome, context, ids)))
        if outcome.rows is None:
            if old:
                self._database.run("writer.delete_refs", (file << FILE_SHIFT, ((file + 1) << FILE_SHIFT) - 1))
            return set()
        reach.files.append(file)
        if old is None and self._bulk is None:
            reach.modules |= self._importers(outcome.path, context.module, context.imported)
        if outcome.blob:
            self._blobs.run("blobs.put_facts", (outcome.digest, context.language, EXTRACTOR_VERSION, outcome.blob))
        before = {row[ID]: row for row in old.rows} if old else {}
        imports = outcome.rows.imports
        self._database.run_many(
            "writer.put_import", (((file << FILE_SHIFT) + number, row.local, row.module, row.name, row.exported) for number, row in enumerate(imports))
        )
        return self._write_symbols(outcome.rows.symbols, file, ids, uids, before, reach)

    def _importers(self, path: str, module: str, imported: str) -> set[Clause]:
        """Who may import a file that came or went: files that mention its name and its folder's, or lie in its folder."""
        folder, _, name = path.rpartition("/")
        stem, last = name.partition(".")[0], folder.rpartition("/")[2]
        clauses = set()
        if last and (stem in OF_FOLDERS or not self._database.value("world.others_below", (f"{folder}/", f"{folder}0", path))):
            clauses.add(Clause(key_of(last)))  # the folder's own name begins or ceases to mean something
        whole = all("." in name or "/" in name for name in (module, imported) if name)
        for said in {stem, stem.lstrip("_")} if stem not in OF_FOLDERS else ():
            clauses.add(Clause(key_of(said), not (whole and last and module), (key_of(last),), f"{folder}/"))
        return clauses

    def _file_columns(self, outcome: Extracted, context: Context, ids: list[int]) -> dict[str, Any]:
        rows = outcome.rows
        return {
            "path": outcome.path, "language": context.language if rows else None, "project": context.project, "status": outcome.status,
            "reason": outcome.reason, "generated": outcome.generated, "size": outcome.size, "mtime_ns": outcome.mtime_ns, "digest": outcome.digest or None,
            "module": context.module if rows else "", "import_name": context.imported if rows else "", "names": rows.names if rows else None,
            "symbols": pack_ids(ids) if rows else None,
        }  # fmt: skip

    def _write_symbols(self, rows: Sequence[SymbolRow], file: int, ids: list[int], uids: list[bytes], before: Mapping[int, Row], reach: Reach) -> set[int]:
        shared: set[int] = set()
        if self._bulk is not None and not any(row.shared or row.more_lines for row in rows):
            self._fresh += [columns_of(row, symbol, uid, file, ids) for row, symbol, uid in zip(rows, ids, uids, strict=True)]
            self._words += [(symbol, row.name, row.words, row.qualified_name, row.signature, row.returns) for row, symbol in zip(rows, ids, strict=True)]
            self._names.update((row.key, row.name) for row in rows)
            return shared
        changed: list[tuple[Sequence[Any], int]] = []
        for row, symbol, uid in zip(rows, ids, uids, strict=True):
            columns = columns_of(row, symbol, uid, file, ids)
            if row.shared:
                shared.add(symbol)
                self._spans(row, symbol, file)
                if symbol in self._fresh_shared or self._database.value("world.symbol_by_id", (symbol,)):
                    continue
                self._fresh_shared.add(symbol)
            elif row.more_lines:
                self._spans(row, symbol, file)
            was: Sequence[Any] | None = before.get(symbol) or (self._row(symbol) if self._bulk is None else None)
            if was == columns:
                continue
            if was is None or _interface(was) != _interface(columns):
                changed += [(columns, 1)] if was is None else [(was, -1), (columns, 1)]
                if was is not None and was[BASES] != row.bases:
                    reach.rebased.add(symbol)
            if was is not None:
                self._database.run("writer.delete_words", (symbol,))
                self._database.run("writer.delete_symbol", (symbol,))
            self._fresh.append(columns)
            self._words.append((symbol, row.name, row.words, row.qualified_name, row.signature, row.returns))
            self._names[row.key] = row.name
        kinds = {symbol: row.kind for symbol, row in zip(ids, rows, strict=True)} | {symbol: row[KIND] for symbol, row in before.items()} if changed else {}
        for face, count in changed:
            self._note(face, kinds, reach, count)
        return shared

    def _row(self, symbol: int) -> Row | None:
        return self._database.one("world.symbol_row_by_id", (symbol,))

    def _spans(self, row: SymbolRow, symbol: int, file: int) -> None:
        places = ((row.line_start, row.line_end, row.line), *row.more_lines)
        self._database.run_many("writer.put_span", ((symbol, file, *place) for place in places))


def _interface(row: Sequence[Any]) -> tuple[Any, ...]:
    """What other files can notice of a symbol."""
    return row[KEY], row[QUALIFIED], row[PARENT], row[KIND], row[FLAGS] & EXPORTED, row[BASES], row[FILE]


def _known_symbols(file: OldFile) -> list[Known]:
    by_id = {row[ID]: row for row in file.rows}

    def names(row: Row) -> tuple[str, ...]:
        chain: list[str] = []
        current: Row | None = row
        while current is not None and current[PARENT] is not None:
            chain.append(current[NAME])
            current = by_id.get(current[PARENT])
        return tuple(reversed(chain))

    return [Known(row[ID], row[UID], file.path, names(row), row[KIND], row[BODY]) for row in file.rows]

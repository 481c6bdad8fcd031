"""Ids and uids of the symbols of a batch: a symbol keeps those it had, also under another name or in another file;
other symbols get new ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeagentd.pipeline.rows.symbol_row import BODY, ID, KIND, SHARED, UID, SymbolRow
from codeagentd.pipeline.workers.messages import Extracted
from codeagentd.scan.rename import match_moves
from codeagentd.store.connection import Database
from codeagentd.store.temporary_ids import TemporaryIds

from .previous_state import OldFile
from .symbol_matching import Fresh, alternative, chain_of, match


class Numbering:
    """Assigns ids and uids to symbols, inside the writer's transactions. One instance lives as long as the writer."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._identities: dict[bytes, bytes] = dict(database.all("writer.identities"))
        self._next = int(database.value("writer.next_symbol"))
        self._shared: TemporaryIds | None = None  # while a first index is written

    @property
    def is_bulk(self) -> bool:
        """Whether a first index is being written."""
        return self._shared is not None

    def begin_bulk(self) -> None:
        """Begin or continue a first index, which has no indexes to look uids up in. Until `end_bulk` only the symbols
        that several files share are looked up, apart from the database.
        """
        self.end_bulk()
        self._next = int(self._database.value("writer.next_symbol"))
        self._shared = TemporaryIds(self._database.each("bulk.shared_ids"))

    def end_bulk(self) -> None:
        """End a first index: ids are looked up in the database again."""
        if self._shared is not None:
            self._shared.close()
        self._shared = None

    @property
    def next_id(self) -> int:
        """The id that the next new symbol gets."""
        return self._next

    def next_symbol(self) -> int:
        """Return the id for a new symbol that no file defines."""
        self._next += 1
        return self._next - 1

    def identify(
        self, outcomes: Sequence[Extracted], old: Mapping[str, OldFile]
    ) -> tuple[list[list[int]], list[list[bytes]]]:
        """Return the ids and the uids of the batch's symbols: two lists with one entry for each outcome, each in the
        order of its symbols. `old`: the batch's files before it, by path.
        """
        if self._shared is not None:
            return self._number(outcomes, self._shared)
        known = {row[UID]: row[ID] for file in old.values() for row in file.rows}
        ids: list[list[int]] = []
        uids: list[list[bytes]] = []
        used: set[bytes] = set()
        for outcome in outcomes:
            rows = outcome.rows.symbols if outcome.rows else []
            chosen = [self._uid(row, outcome.path, known, used) for row in rows]
            uids.append(chosen)
            ids.append([known.get(uid) or self._existing(uid) for uid in chosen])
        self._keep_renamed(outcomes, old, ids, uids)
        for symbol_ids, symbol_uids in zip(ids, uids, strict=True):
            for index, symbol in enumerate(symbol_ids):
                if not symbol:
                    uid = symbol_uids[index]
                    symbol_ids[index] = symbol_id = known.get(uid) or self._existing(uid) or self._next
                    known[uid] = symbol_id
                    if symbol_id == self._next:
                        self._next += 1
        return ids, uids

    def _number(self, outcomes: Sequence[Extracted], shared: TemporaryIds) -> tuple[list[list[int]], list[list[bytes]]]:
        """Return the ids of a first index, in ascending order: there is no earlier state. Symbols of different files
        that have the same uid are told apart at its end.
        """
        rows_of = [outcome.rows.symbols if outcome.rows else [] for outcome in outcomes]
        known = shared.find({row[UID] for rows in rows_of for row in rows if row[SHARED]})
        new: dict[bytes, int] = {}
        ids: list[list[int]] = []
        uids: list[list[bytes]] = []
        for outcome, rows in zip(outcomes, rows_of, strict=True):
            chosen, numbers, own = [], [], set[bytes]()
            for row in rows:
                uid = row[UID]
                if row[SHARED]:
                    number = known.get(uid) or new.get(uid)
                    if number is None:
                        number = new[uid] = self._next
                        self._next += 1
                else:
                    while uid in own:
                        uid = alternative(uid, outcome.path)
                    own.add(uid)
                    number = self._next
                    self._next += 1
                chosen.append(uid)
                numbers.append(number)
            ids.append(numbers)
            uids.append(chosen)
        shared.add(new.items())
        return ids, uids

    def _uid(self, row: SymbolRow, path: str, known: Mapping[bytes, int], used: set[bytes]) -> bytes:
        """Return the symbol's uid: the one it had before a rename, or an alternative when two symbols would have the
        same.
        """
        derived: bytes = row[UID]
        uid = self._identities.get(derived, derived)
        if row[SHARED]:
            return uid
        while uid in used or (uid not in known and self._existing(uid)):
            uid = alternative(uid, path)
        used.add(uid)
        return uid

    def _existing(self, uid: bytes) -> int:
        """Return the id of the symbol that has this uid in the index; 0 = none."""
        return int(self._database.value("world.by_uid", (uid,), 0))

    def _keep_renamed(
        self, outcomes: Sequence[Extracted], old: Mapping[str, OldFile], ids: list[list[int]], uids: list[list[bytes]]
    ) -> None:
        identified = {symbol for symbols in ids for symbol in symbols}
        gone = [known for file in old.values() for known in file.known() if known.id not in identified]
        if not gone:
            return
        fresh = [
            Fresh((at, index), outcome.path, chain_of(outcome.rows.symbols, index), row[KIND], row[BODY])
            for at, outcome in enumerate(outcomes)
            if outcome.rows
            for index, row in enumerate(outcome.rows.symbols)
            if not ids[at][index] and not row[SHARED]
        ]
        present = {outcome.path for outcome in outcomes if outcome.rows}
        moves = match_moves(
            {path: file.digest for path, file in old.items() if path not in present},
            {o.path: o.digest for o in outcomes if o.rows and o.path not in old},
        )
        for (at, index), known in match(gone, fresh, moves).items():
            derived = outcomes[at].rows.symbols[index][UID]  # type: ignore[union-attr]  # fresh symbols have rows
            ids[at][index], uids[at][index] = known.id, known.uid
            self._identities[derived] = known.uid
            self._database.run("writer.put_identity", (derived, known.uid))

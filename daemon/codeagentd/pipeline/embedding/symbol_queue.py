"""The embedding process's view of the index: the ranking of the symbols, and those whose text has to be looked at next.

The symbols are ranked once, which reads the whole index; the daemon keeps the ranks. After that no step depends on the
size of the index: what is due by rank, and the files that have changed, are found by indexes of their own.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict, deque
from itertools import chain
from typing import Final, NamedTuple

from codeagentd.languages.language import OTHER
from codeagentd.model.embedding import EMBEDDED_KINDS
from codeagentd.model.file_kinds import DOCUMENTS
from codeagentd.store.connection import Database

from .messages import Ranked

KINDS: Final = json.dumps([int(kind) for kind in EMBEDDED_KINDS])
# languages whose symbols have a vector only where the budget has room for all others: nothing refers to their sections,
# and a kernel has more of them than functions that are called
LAST: Final = json.dumps(sorted(DOCUMENTS - {"markdown"}))
UNNAMED: Final = json.dumps([OTHER])  # languages without symbols but their files
AT_ONCE: Final = 64  # symbols of one answer: a third of a second
PLANNED: Final = 4_096  # symbols that are due, by rank; a plan has those of a file together, so that it is read once
FILES_AT_ONCE: Final = 1_024  # changed files of one answer: most of them have no symbol that was chosen
RANKS_AT_ONCE: Final = 4_096  # ranks of one answer: a transaction of 20 ms


class Batch(NamedTuple):
    """The next symbols, as (symbol id, file id), and what will be done with them; the other fields as in Filled."""

    symbols: list[tuple[int, int]]
    looked_at: list[int]
    files: list[tuple[int, bytes | None]]
    chosen: list[int]
    has_left_out: bool
    left: int


class _ChangedFile(NamedTuple):
    """A file that has changed, with its symbols that are still to be looked at: (symbol id, whether it is chosen)."""

    file: int
    digest: bytes | None
    symbols: deque[tuple[int, bool]]


class SymbolQueue:
    """The symbols that the embedding process works on. Used by one thread."""

    def __init__(self) -> None:
        self._ranked = array("q")
        self._due = bytearray()
        self._first = 0
        self._eligible = self._files = 0
        self._is_ranking = False
        self._planned: deque[tuple[int, int | None]] = deque()
        self._changed: deque[_ChangedFile] = deque()
        self._left: int | None = None

    def rank(self, database: Database, budget: int) -> None:
        """Rank the symbols of the index, at most `budget` of them (0: all): the symbol with most references first."""
        self._eligible = database.value("vectors.eligible", (KINDS, UNNAMED))
        self._files = database.value("vectors.files_count")
        self._ranked, self._due, self._first, self._is_ranking = array("q"), bytearray(), 0, True
        for symbol, is_due in database.each("vectors.ranked", (KINDS, LAST, UNNAMED, budget or -1)):
            self._ranked.append(symbol)
            self._due.append(is_due)
        self._planned.clear()
        self._changed.clear()
        self._left = None

    def next_ranks(self) -> Ranked | None:
        """Return the next part of a ranking; None when there is none to send."""
        if not self._is_ranking:
            return None
        first, end = self._first, min(self._first + RANKS_AT_ONCE, len(self._ranked))
        symbols, due = self._ranked[first:end].tolist(), [bool(flag) for flag in self._due[first:end]]
        self._first, self._is_ranking = end, end < len(self._ranked)
        if not self._is_ranking:
            self._ranked, self._due = array("q"), bytearray()
        return Ranked(first, symbols, due, not self._is_ranking, self._eligible, self._files)

    def take(self, database: Database) -> Batch:
        """Return the next symbols: those of changed files first, then those that are due, by rank."""
        _, budget, _, chosen, _, _ = database.row("vectors.ranking") or (0, 0, 0, 0, 0, 0)
        room = budget - chosen if budget else PLANNED
        batch = self._take_changed(database, room)
        if self._left is None:
            self._left = database.value("vectors.due_count")
        if not self._planned:
            self._planned.extend(_by_file(database.all("vectors.due", (PLANNED,))))
        while self._planned and len(batch.symbols) < AT_ONCE:
            symbol, file = self._planned.popleft()
            batch.looked_at.append(symbol)
            if file is not None:
                batch.symbols.append((symbol, file))
        self._left = max(0, self._left - len(batch.looked_at))
        pending = sum(len(changed.symbols) for changed in self._changed)
        return batch._replace(left=self._left + pending if batch.symbols or batch.looked_at else 0)

    def _take_changed(self, database: Database, room: int) -> Batch:
        batch, has_left_out = Batch([], [], [], [], has_left_out=False, left=0), False
        if not self._changed:
            for file, digest in database.all("vectors.changed_files", (FILES_AT_ONCE,)):
                symbols = [(symbol, bool(is_chosen)) for symbol, is_chosen in _pending(database, file)]
                self._changed.append(_ChangedFile(file, digest, deque(symbols)))
        while self._changed and len(batch.symbols) < AT_ONCE:
            changed = self._changed[0]
            while changed.symbols and len(batch.symbols) < AT_ONCE:
                symbol, is_chosen = changed.symbols.popleft()
                if not is_chosen and room <= len(batch.chosen):
                    has_left_out = True
                    continue
                batch.symbols.append((symbol, changed.file))
                if not is_chosen:
                    batch.chosen.append(symbol)
            if not changed.symbols:
                batch.files.append((changed.file, changed.digest))
                self._changed.popleft()
        return batch._replace(has_left_out=has_left_out)


def _pending(database: Database, file: int) -> list[tuple[int, int]]:
    return database.all("vectors.pending_of_file", (file, KINDS, UNNAMED))


def _by_file(planned: list[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
    """The symbols of a plan with those of a file together, in the order of each file's first."""
    files: dict[int | None, list[tuple[int, int | None]]] = defaultdict(list)
    for symbol in planned:
        files[symbol[1]].append(symbol)
    return list(chain.from_iterable(files.values()))

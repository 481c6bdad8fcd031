"""The ranking of the symbols as the index keeps it: which of them have a vector, within the budget."""

from __future__ import annotations

from itertools import count
from typing import Final, NamedTuple

from codeagentd.store.connection import Database

from .messages import Fill, Filled, Rank, Ranked

ALL: Final = 0  # the budget that leaves no symbol out
RENEWED: Final = 0.1  # share of files that have changed, after which the symbols are ranked again
FILLED: Final = 0.9  # share of the budget; with fewer symbols, others that were left out may have a place now
OWN_BUDGET: Final = "vectors_budget"  # key of meta: the budget of this index, in place of the setting


class _RankingRow(NamedTuple):
    """The row of the table `ranking`."""

    number: int
    budget: int
    eligible: int | None
    chosen: int
    files: int
    changed: int


class SymbolRanking:
    """The ranking that an index has: when it has to be made again, and its rows. Methods with a database belong to the
    writer's thread; `budget` and `eligible` may be read from any thread.
    """

    def __init__(self, budget: int) -> None:
        self._setting = budget
        self._row: _RankingRow | None = None
        self._is_outgrown = False  # a symbol has found no place although there was one for all
        self._is_running = False
        self.budget = budget
        self.eligible = 0  # symbols that may have a vector, where they are more than the budget; else 0

    def open(self, database: Database) -> None:
        """Read the budget and the ranking that `database` has."""
        self.budget = int(database.value("writer.meta", (OWN_BUDGET,), self._setting))
        self._read(database)

    def set_budget(self, database: Database, budget: int | None) -> None:
        """Keep `budget` as that of this index; None: that of the setting again."""
        with database.transaction():
            if budget is None:
                database.run("writer.delete_meta", (OWN_BUDGET,))
            else:
                database.run("writer.put_meta", (OWN_BUDGET, budget))
        self.open(database)

    def _read(self, database: Database) -> None:
        row = database.row("vectors.ranking")
        self._row = row = _RankingRow(*row) if row else None
        if row and row.eligible is not None:
            self.eligible = row.eligible if 0 < row.budget < row.eligible else 0

    @property
    def _is_due(self) -> bool:
        row = self._row
        if self._is_running:
            return False
        if row is None or row.eligible is None or row.budget != self.budget or self._is_outgrown:
            return True
        return bool(self.eligible) and (row.changed > RENEWED * row.files or row.chosen < FILLED * row.budget)

    def next_request(self, database: Database) -> Rank | Fill:
        """Return the request for the embedding process. Before a ranking begins the index notes that, so that no file
        that changes from now on is forgotten.
        """
        self._read(database)  # it may be another index than before: one that was lost is built again
        if not self._is_due:
            return Fill()
        number = self._row.number + 1 if self._row else 1
        with database.transaction():
            database.run("vectors.begin_ranking", (number, self.budget))
        self._read(database)
        self._is_running, self._is_outgrown = True, False
        return Rank(self.budget)

    def interrupt(self) -> None:
        """Note that the process has ended: a ranking that it has not finished begins again."""
        self._is_running = False

    def write_ranks(self, database: Database, ranked: Ranked) -> None:
        """Write a part of a ranking; after the last one the vectors of all other symbols are dropped."""
        assert self._row is not None  # it began
        number = self._row.number
        with database.transaction():
            database.run_many(
                "vectors.put_rank",
                [
                    (symbol, rank, number, is_due)
                    for rank, symbol, is_due in zip(count(ranked.first), ranked.symbols, ranked.due, strict=False)
                ],
            )
            if ranked.is_last:
                for statement in ("vectors.drop_unranked", "vectors.drop_unchosen", "vectors.drop_orphaned_values"):
                    database.run(statement)
                database.run("vectors.end_ranking", (ranked.eligible, ranked.files))
        if ranked.is_last:
            self._is_running = False
            self._read(database)

    def write_progress(self, database: Database, filled: Filled) -> None:
        """Write which symbols and files are done. To be called in the transaction that writes their vectors."""
        database.run_many("vectors.choose", [(symbol,) for symbol in filled.chosen])
        database.run_many("vectors.looked_at", [(symbol,) for symbol in filled.looked_at])
        database.run_many("vectors.file_done", filled.files)
        if filled.chosen or filled.files:
            database.run("vectors.count_changes", (len(filled.chosen), len(filled.files)))
        self._read(database)
        self._is_outgrown = filled.has_left_out and not self.eligible

    def drop_orphans(self, database: Database) -> None:
        """Delete the ranks of symbols that are gone. To be called in a transaction."""
        database.run("vectors.drop_orphaned_ranks")
        database.run("vectors.count_chosen")
        self._read(database)

"""Vectors without a model: the order in which symbols get them, and which have one."""

from __future__ import annotations

import json

from codeagentd.pipeline.embedding.messages import Filled, Rank
from codeagentd.pipeline.embedding.symbol_queue import SymbolQueue
from codeagentd.pipeline.embedding.symbol_ranking import SymbolRanking
from codeagentd.store.connection import Database
from tests.harness.stored_rows import stored_rows


class Filling:
    """What the embedding process and the daemon do between them, but for the vectors: every symbol counts as done."""

    def __init__(self, database: Database, budget: int) -> None:
        self.database = database
        self.ranking = SymbolRanking(budget)
        self.ranking.open(database)
        self.queue = SymbolQueue()
        self.rankings = 0

    def fill(self) -> list[str]:
        """Work until nothing is left; the names of the symbols in their order."""
        done: list[str] = []
        while True:
            request = self.ranking.next_request(self.database)
            if isinstance(request, Rank):
                self.rankings += 1
                self.queue.rank(self.database, request.budget)
            while ranks := self.queue.next_ranks():
                self.ranking.write_ranks(self.database, ranks)
            batch = self.queue.take(self.database)
            if not (batch.symbols or batch.looked_at or batch.files):
                return done
            done += [self.name(symbol) for symbol, _ in batch.symbols]
            with self.database.transaction():
                rows = [(symbol, b"", self.digest(file), b"") for symbol, file in batch.symbols]
                self.database.run_many("vectors.put", rows)
                self.ranking.write_progress(
                    self.database, Filled([], batch.left, batch.looked_at, batch.files, batch.chosen, batch.has_left_out, is_all=False)
                )  # fmt: skip

    def name(self, symbol: int) -> str:
        symbol_row = stored_rows(self.database).symbol_of_id(symbol)
        assert symbol_row is not None
        return symbol_row.qualified_name

    def digest(self, file: int) -> bytes:
        ((_, _, _, digest),) = self.database.all("vectors.files", (json.dumps([file]),))
        return bytes(digest)

    def symbols(self) -> set[str]:
        """The symbols that have a vector."""
        return {self.name(symbol) for symbol in stored_rows(self.database).symbols_with_vectors()}

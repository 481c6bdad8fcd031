"""Merges of full-text segments, a few pages at a time: each commit may add a segment, and a search reads all of
them.
"""

from __future__ import annotations

from typing import Final

from .connection import Database

TABLES: Final = ("symbols_fts", "names_trigram", "chunks_fts")
PAGES_AT_ONCE: Final = 500  # of 4 kB: 10 to 50 ms, and little for the log
WHOLE: Final = (
    0.75  # of an index in its largest segment counts as merged: else each commit would cause all of it to be rewritten
)

_SOME: Final = 2  # the least number of rows that FTS5 reports as changed by a merge that did something


class Segments:
    """The full-text segments of one index.db, and the table of which a merge has begun."""

    def __init__(self) -> None:
        self._begun = ""

    def merge(self, database: Database) -> bool:
        """Merge a part of the segments in `database`, in a transaction of its own; return False where no merge
        is due.
        """
        if self._begun and _merged(database, self._begun, PAGES_AT_ONCE):
            return True
        self._begun = next((table for table in TABLES if _is_scattered(database, table)), "")
        return bool(self._begun) and _merged(database, self._begun, -PAGES_AT_ONCE)


def _is_scattered(database: Database, table: str) -> bool:
    pages = [count for (count,) in database.all(f"segments.of_{table}")]
    return bool(pages) and max(pages) < WHOLE * sum(pages)


def _merged(database: Database, table: str, pages: int) -> bool:
    before = database.connection.total_changes()
    database.run(f"segments.merge_{table}", (pages,))
    return database.connection.total_changes() - before >= _SOME

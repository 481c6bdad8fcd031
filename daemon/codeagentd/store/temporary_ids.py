"""Ids by uid that are needed for a while: a private database that SQLite keeps on the disk and removes by itself, so
that the memory which it takes does not depend on how many there are.
"""

from __future__ import annotations

from collections.abc import Iterable

import apsw

CACHE_KB = 16_000  # of its pages in memory; the operating system has the rest


class TemporaryIds:
    """A mapping of uids to ids. It is lost when it is closed, or when the process ends."""

    def __init__(self, known: Iterable[tuple[bytes, int]] = ()) -> None:
        self._connection = apsw.Connection("")  # a private file, without a name
        for statement in (
            f"PRAGMA cache_size=-{CACHE_KB}",
            "PRAGMA journal_mode=off",
            "PRAGMA synchronous=off",
            "CREATE TABLE ids(uid BLOB PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID",
            "BEGIN",
        ):
            self._connection.execute(statement).fetchall()
        self.add(known)

    def find(self, uids: Iterable[bytes]) -> dict[bytes, int]:
        """Return the ids of those of `uids` that are known."""
        find = self._connection.cursor()
        rows = ((uid, row) for uid in uids if (row := find.execute(_FIND, (uid,)).fetchone()))
        return {uid: row[0] for uid, row in rows}

    def add(self, entries: Iterable[tuple[bytes, int]]) -> None:
        """Add (uid, id) pairs, of which none is known yet."""
        self._connection.executemany("INSERT INTO ids(uid, id) VALUES (?, ?)", entries)

    def close(self) -> None:
        """Remove the mapping."""
        self._connection.close(True)


_FIND = "SELECT id FROM ids WHERE uid = ?"

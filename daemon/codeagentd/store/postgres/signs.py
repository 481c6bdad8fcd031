"""The signs of the vectors of a team's memories, in this process: to compare all of them on the server would take twice
as long, for each daemon of the team.

A row may be out of date: its memory may have changed, been deleted, or not be visible any more. The vectors of the
nearest, which are read from the server for every search, decide.
"""

from __future__ import annotations

import array
import sys
import threading
import time
from collections.abc import Iterable
from typing import Any, Final

import apsw

from codeagentd.store.memory_backend import MemoryConnection, Narrowing

from .local_functions import sqlite

RELOAD_S: Final = 3_600.0  # after which all are read again: rows of what was deleted are gone then
_SCHEMA: Final = """
CREATE TABLE signs(
  memory INTEGER PRIMARY KEY, model INTEGER NOT NULL, type TEXT NOT NULL, project TEXT NOT NULL, bits BLOB NOT NULL
)
"""
_NEAREST: Final = """
SELECT memory FROM signs
WHERE model = :model AND (:type IS NULL OR type = :type) AND (:project IS NULL OR project = :project)
ORDER BY vec_distance_hamming(vec_bit(bits), vec_bit(:bits)), memory LIMIT :limit
"""


class Signs:
    """The signs that a role sees. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._table: apsw.Connection | None = None
        self._since = "0"
        self._loaded_at = 0.0

    def forget(self) -> None:
        """Read all again the next time: another server may have taken the place of this one."""
        with self._lock:
            self._table = None

    def nearest(self, db: MemoryConnection, vector: bytes, model: int, narrowing: Narrowing, limit: int) -> list[int]:
        """Return the `limit` memories whose vectors have the signs most like those of `vector`; tags are not looked
        at.
        """
        with self._lock:
            table = self._refreshed(db)
            parameters: dict[str, Any] = {
                "bits": packed(vector), "model": model, "limit": limit, "type": narrowing.type,
                "project": narrowing.project,
            }  # fmt: skip
            return [int(number) for (number,) in table.execute(_NEAREST, parameters)]

    def _refreshed(self, db: MemoryConnection) -> apsw.Connection:
        if self._table is None or time.monotonic() - self._loaded_at > RELOAD_S:
            self._table, self._since, self._loaded_at = sqlite(), "0", time.monotonic()
            self._table.execute(_SCHEMA)
        first, *rows = db.all("recall.changed_bits", {"since": self._since})
        with self._table:
            self._table.executemany("REPLACE INTO signs VALUES (?, ?, ?, ?, ?)", _stored(rows))
        self._since = first[2]
        return self._table


def _stored(rows: Iterable[tuple[Any, ...]]) -> Iterable[tuple[Any, ...]]:
    """The rows with the bits alone: PostgreSQL sends their number before them, in four bytes."""
    return ((memory, model, kind, project, bytes(bits)[4:]) for memory, model, kind, project, bits in rows)


def numbers_of(vector: bytes) -> list[float]:
    """Return the numbers of a vector of float32, in little endian."""
    numbers = array.array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()


def digits(vector: bytes) -> str:
    """Return the signs of a vector as PostgreSQL's text of bits: 1 above zero, else 0."""
    return "".join(["1" if number > 0 else "0" for number in numbers_of(vector)])


def packed(vector: bytes) -> bytes:
    """Return the signs of a vector as PostgreSQL sends bits: eight in a byte, the first one highest."""
    text = digits(vector)
    size = (len(text) + 7) // 8
    return int(text.ljust(8 * size, "0") or "0", 2).to_bytes(size, "big")

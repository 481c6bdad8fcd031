"""sqlite-vec: distances between vectors as SQL functions."""

from __future__ import annotations

from pathlib import Path

import sqlite_vec

from .connection import Database


def with_vectors(path: Path | str, *, writable: bool = False) -> Database:
    """A connection whose statements may use vec_distance_cosine and its like."""
    database = Database(path, writable=writable)
    database.connection.enable_load_extension(True)
    database.connection.load_extension(sqlite_vec.loadable_path())
    database.connection.enable_load_extension(False)
    return database

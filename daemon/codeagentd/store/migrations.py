"""Numbered migrations: store/schema/NNNN_*.sql, run in order, recorded in user_version."""

from __future__ import annotations

import functools
import re
from importlib import resources

from codeagentd.base import failpoints

from .connection import Database

_INDEX = re.compile(r"^CREATE (?:UNIQUE )?INDEX (\w+) .*?;", re.MULTILINE | re.DOTALL)


@functools.cache
def migrations(kind: str) -> list[str]:
    """The scripts of one kind of database (index, blobs) in order; number n is at n - 1."""
    folder = resources.files("codeagentd.store") / "schema"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [(folder / name).read_text(encoding="utf-8") for name in names if re.fullmatch(rf"\d+_{kind}\w*\.sql", name)]


def schema_version(kind: str) -> int:
    """The version that this build writes."""
    return len(migrations(kind))


def migrate(database: Database, kind: str) -> bool:
    """Bring a database up to date; what a migration deletes leaves no trace.

    Returns: False when it was written by a newer build, and must not be touched.
    """
    version = int(database.connection.pragma("user_version"))
    scripts = migrations(kind)
    if version > len(scripts):
        return False
    if 0 < version < len(scripts):
        database.overwrite_deleted()
    for number in range(version, len(scripts)):
        with database.transaction():
            database.connection.execute(scripts[number])
            failpoints.point("migrate.step")
            database.connection.execute(f"PRAGMA user_version={number + 1}")
    return True


def indexes() -> dict[str, str]:
    """The plain indexes of index.db, name to statement: a first index is written without them and
    gets them at the end.
    """
    return {match[1]: match[0] for script in migrations("index") for match in _INDEX.finditer(script)}

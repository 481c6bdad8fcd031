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
    """Return the scripts of databases of this kind (index, blobs) in order; number n is at n - 1."""
    folder = resources.files("codeagentd.store") / "schema"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [(folder / name).read_text(encoding="utf-8") for name in names if re.fullmatch(rf"\d+_{kind}\w*\.sql", name)]


def schema_version(kind: str) -> int:
    """Return the schema version of databases of this kind that this build writes."""
    return len(migrations(kind))


def migrate(database: Database, kind: str) -> bool:
    """Migrate `database`, of this kind, to the version of this build; data that a migration deletes are overwritten on
    the disk.

    Returns: False when a newer build wrote the database, which must then not be touched.
    """
    version = int(database.connection.pragma("user_version"))
    scripts = migrations(kind)
    if version > len(scripts):
        return False
    if 0 < version < len(scripts):
        database.overwrite_deleted()
    for number in range(version, len(scripts)):
        with database.transaction():
            if int(database.connection.pragma("user_version")) > number:
                continue  # another process has done this step meanwhile
            database.connection.execute(scripts[number])
            failpoints.point("migrate.step")
            database.connection.execute(f"PRAGMA user_version={number + 1}")
    return True


def indexes() -> dict[str, str]:
    """Return the plain indexes of index.db, name to statement. A first index is written without them; they are created
    at its end.
    """
    return {match[1]: match[0] for script in migrations("index") for match in _INDEX.finditer(script)}

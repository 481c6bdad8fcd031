"""The swap of an index for its successor, which was built beside it. A process that opens the index gets the one or the
other, complete.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Final

import apsw

from codeagentd.base import failpoints

from .connection import Database
from .migrations import schema_version
from .opening import LOGS, copied, remove
from .seeding import home_of

PATIENCE_MS: Final = 1_000  # for others who are reading


def is_outdated(path: Path, kind: str) -> bool:
    """Whether there is a finished database at `path` that this build would migrate. `kind`: its schema."""
    try:
        with contextlib.closing(Database(path, patience_ms=PATIENCE_MS)) as database:
            is_bulk = kind == "index" and database.value("writer.meta", ("bulk",), 0)
            return 0 < int(database.connection.pragma("user_version")) < schema_version(kind) and not is_bulk
    except apsw.Error:
        return False


def copy(path: Path, target: Path) -> None:
    """Copy the database at `path` in its present state to `target`. Another process may be writing the database.
    Errors: OSError.
    """
    try:
        with contextlib.closing(Database(path)) as source:
            copied(source, target).close()
    except apsw.Error as error:
        raise OSError(f"{path.name} cannot be copied: {error}") from error


def replace(path: Path, successor: Path) -> bool:
    """Put `successor` in the place of the older index at `path`. Return whether that was done. No process writes the
    older index any more.

    The acknowledged writes of windows are copied into the successor, and its generation continues from the higher of
    both, since `path` may have had commits after it was copied.
    """
    try:
        if not is_outdated(path, "index"):
            return False
        with contextlib.closing(Database(path, writable=True, patience_ms=PATIENCE_MS)) as old:
            if not (_copy_progress(old, path, successor) and (old.is_shared or old.fold(truncate=True))):
                return False
    except apsw.Error:
        return False
    remove(path, LOGS)  # empty, and belonging to no database once the name is another file's
    failpoints.point("succeed.replacing")
    os.replace(successor, path)
    failpoints.point("succeed.replaced")
    return True


def _copy_progress(old: Database, path: Path, successor: Path) -> bool:
    """Copy the generation and the acknowledged writes into the successor; return whether its log was folded. False, or
    apsw.Error, when another process uses it.
    """
    with contextlib.closing(Database(successor, writable=True, patience_ms=PATIENCE_MS)) as new:
        with new.transaction():
            generation = max(int(database.value("writer.meta", ("generation",), 0)) for database in (old, new))
            new.run("writer.put_meta", ("generation", generation + 1))
            new.run("writer.put_meta", ("born", time.time_ns()))
            new.run("writer.put_meta", ("home", home_of(path)))
            new.run_many("writer.put_write", old.all("writer.all_writes"))
        return new.fold(truncate=True)

"""Opening of databases that may be missing, old, newer than this version, or broken."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import apsw

from .connection import CORRUPT, Database, Unreadable
from .migrations import indexes, migrate, schema_version

FULL: Final = (apsw.FullError, apsw.IOError)
# errors that may pass
UNUSABLE: Final = (*FULL, apsw.CantOpenError, apsw.ReadOnlyError, apsw.BusyError, apsw.LockedError, Unreadable)
UNFIT: Final = (apsw.SQLError, apsw.ConstraintError)  # errors of a migration that cannot be applied
SET_ASIDE: Final = ".corrupt"
# times that a database looks corrupt and is found whole; then it is taken for corrupt, since a check does not see
# everything
LOOKS: Final = 3
LOGS: Final = ("-wal", "-shm")  # the suffixes of SQLite's log files
_PARTS: Final = ("", *LOGS)


def own(path: Path, kind: str) -> Path:
    """Return the path of this build's database. This is `path` itself, unless a newer build has written that and goes
    on using it; then it is a file with the number of this build's schema in its name.
    """
    with contextlib.suppress(apsw.Error), contextlib.closing(Database(path)) as database:
        if int(database.connection.pragma("user_version")) > schema_version(kind):
            return path.with_name(f"{path.stem}.v{schema_version(kind)}{path.suffix}")
    return path


def open_disposable(path: Path, kind: str) -> tuple[Database, str]:
    """Open the database at `path`, which can be rebuilt, for writing.

    Returns: (database, note); the note says why the database had to be created again, '' when it had not.
    """
    note = ""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for look in range(1, LOOKS + 1):
        try:
            database, why = _opened(path, kind)
            if not why:
                return database, ""
            database.close()
            set_aside(path)
            note = f"{path.name} {why}; it was set aside as {path.name}{SET_ASIDE} and begun anew"
        except CORRUPT:
            note = examine(path, is_believed=look == LOOKS)
        if note:
            break
    database = Database(path, writable=True)
    migrate(database, kind)
    return database, note


def _opened(path: Path, kind: str) -> tuple[Database, str]:
    """Open a database; return it and the reason why it cannot be used as it is ('' if it can). Errors: CORRUPT."""
    database = Database(path, writable=True)
    try:
        is_known = migrate(database, kind)
        if is_known and _is_sound(database, kind):
            return database, ""
        return database, "was not finished" if is_known else "was written by a newer version"
    except UNFIT as error:
        return database, f"could not be brought up to date ({error})"
    except BaseException:
        database.close()
        raise


def copied(source: Database, path: Path) -> Database:
    """Copy the present state of `source` to `path`, and return the copy, open for writing. It is not safe against a
    crash.
    """
    database = Database(path, writable=True)
    database.connection.execute("PRAGMA synchronous=off")
    with database.connection.backup("main", source.connection, "main") as backup:
        while not backup.done:
            backup.step(-1)
    return database


def remove(path: Path, parts: Iterable[str] = _PARTS) -> None:
    """Remove the database at `path` and its log files, or only the files with the suffixes `parts`."""
    for part in parts:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{path}{part}")


def set_aside(path: Path) -> None:
    """Rename the database at `path` and its log files, replacing those that were set aside before."""
    for part in _PARTS:
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{path}{part}", f"{path}{SET_ASIDE}{part}")


_ENDLESS: Final = 1  # the mark of a first index by an older build, which cannot go on


def _is_sound(database: Database, kind: str) -> bool:
    """Whether an index is whole, or a first index can go on. Reads enough to notice a broken header or schema."""
    if kind != "index":
        database.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return True
    stage = database.value("writer.meta", ("bulk",), 0)
    return stage > _ENDLESS or (stage == 0 and all(map(database.has_index, indexes())))


def examine(path: Path, *, is_believed: bool = False) -> str:
    """Check the database at `path`, after it has looked corrupt, and set it aside if it is; `is_believed`: without the
    check. A disk that fails for a moment makes a sound database look corrupt.

    Returns: a note that says so, '' for a database that stays. Errors: those of UNUSABLE.
    """
    if not (path.exists() and (is_believed or is_damaged(path))):
        return ""
    set_aside(path)
    return f"{path.name} was corrupt; it was set aside as {path.name}{SET_ASIDE} and rebuilt"


def is_damaged(path: Path) -> bool:
    """Whether the database at `path` is corrupt, and not only unreadable because its disk fails. Errors: those of
    UNUSABLE.
    """
    try:
        with contextlib.closing(Database(path)) as database:
            return str(database.connection.pragma("quick_check")) != "ok"
    except CORRUPT:
        return True

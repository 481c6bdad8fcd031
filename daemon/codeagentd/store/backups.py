"""Backups of databases that cannot be rebuilt: made while the database is in use, complete or absent, and restored
without losing the file that they replace.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import apsw

from codeagent_protocol.errors import StoreFailed

from .connection import CORRUPT
from .opening import FULL

PATIENCE_MS: Final = 10_000  # a restore waits so long for a current write
PAGES: Final = 4_000  # pages copied at once, before other work has a turn
FOLDER: Final = "backups"
_PARTS: Final = ("", "-wal", "-shm")


def backups_of(path: Path) -> list[Path]:
    """Return the backups of the database at `path`, the newest first."""
    result = (path.parent / FOLDER).glob(f"{path.stem}-*.db")
    return sorted(result, key=lambda file: (file.stat().st_mtime, file.name), reverse=True)


def backup(path: Path, label: str = "", target: Path | None = None) -> Path:
    """Copy the database at `path` as it is now; return the path of the copy: `target`, or without it one beside the
    database with `label` in its name.

    Errors: db_error for a place that cannot be used; SQLite's message for a damaged database.
    """
    place = target or path.parent / FOLDER / f"{path.stem}-{_stamp()}{label and f'-{label}'}.db"
    if place.exists() and place.samefile(path):
        raise StoreFailed(
            f"{place} is the database itself",
            remedy="name another file; without one, the copy is put among the kept ones",
        )
    try:
        _put(path, place)
    except (*FULL, apsw.CantOpenError, apsw.ReadOnlyError, OSError) as error:
        raise StoreFailed(
            f"{place} cannot be written: {error}", remedy="make room for it, or name another file"
        ) from None
    return place


def _put(path: Path, place: Path) -> None:
    """Copy a file under a temporary name and rename it, so that the place has a complete copy or none."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = place.with_name(f".{place.name}.{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        unfinished.unlink()
    try:
        _copy(path, unfinished)
        os.chmod(unfinished, 0o600)
        _sync(unfinished)
        os.replace(unfinished, place)
    finally:
        for part in ("", "-journal", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{unfinished}{part}")
    _sync(place.parent)


def restore(path: Path, source: Path) -> Path | None:
    """Put the copy `source` in the place of the database at `path`. Return the path under which the replaced file is
    kept (None: there was no file). Running daemons go on with the new file.

    Errors: db_error for a source that is no sound database, and while another process writes.
    """
    if not is_sound(source):
        raise StoreFailed(
            f"{source} is no sound copy of {path.name}",
            remedy="name another file; `codeagentd memory backup --list` shows those that are kept",
        )
    fresh = backup(source, target=path.with_name(f".{path.name}.new"))
    aside = path.with_name(f"{path.name}.replaced-{_stamp()}")
    try:
        with _alone(path):
            is_new = not path.exists()
            _exchange(path, fresh, aside)
    finally:
        fresh.unlink(missing_ok=True)
    return None if is_new else aside


def _exchange(path: Path, fresh: Path, aside: Path) -> None:
    for part in _PARTS:
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{path}{part}", f"{aside}{part}")
    os.replace(fresh, path)
    _sync(path.parent)


def is_sound(path: Path) -> bool:
    """Whether the file at `path` is a complete database that was migrated."""
    if not path.is_file():
        return False
    with (
        contextlib.suppress(apsw.Error),
        contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection,
    ):
        checked = connection.execute("PRAGMA integrity_check(1)").fetchone()
        return bool(checked == ("ok",) and connection.pragma("user_version"))
    return False


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the write lock of the database that is replaced, if it can be locked, so that no process is in the middle of
    a write.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(*CORRUPT, apsw.CantOpenError, apsw.IOError):
            connection = stack.enter_context(
                contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE))
            )
            connection.set_busy_timeout(PATIENCE_MS)
            try:
                connection.execute("BEGIN IMMEDIATE")
            except apsw.BusyError:
                raise StoreFailed(
                    f"{path.name} is being written by another process", remedy="try again in a moment"
                ) from None
        yield


def _stamp() -> str:
    """Return the current time as a part of a file name that no other copy has."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")


def _copy(source: Path, target: Path) -> None:
    with (
        contextlib.closing(apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)) as old,
        contextlib.closing(apsw.Connection(str(target))) as new,
    ):
        with new.backup("main", old, "main") as work:
            while not work.done:
                work.step(PAGES)
        new.execute("PRAGMA journal_mode=delete")  # one file, without companions


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

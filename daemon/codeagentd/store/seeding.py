"""Seeding of an index from that of another worktree, whose daemon may be writing it: as a hard link to the same file,
else as a copy; complete, or not at all.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import apsw

from codeagentd.base import failpoints

from .connection import Database
from .foreign_index import ForeignIndex, Unreadable
from .opening import LOGS, copied, remove
from .shared_files import File, in_use

UNFINISHED: Final = ".unfinished"
# ends the second name of a file that was shared: while it has one, no process writes what another may be reading
LEFT: Final = ".left"
AT_ONCE: Final = 1 << 30  # bytes that the kernel is asked to copy by one call
PATIENCE_MS: Final = 1_000  # for others who are writing


def seed(path: Path, sources: Iterable[Path], *, may_share: bool = True) -> bool:
    """Begin the index at `path` from the first of the indexes `sources` that can be read now, unless `path` exists;
    return whether an index was begun so.

    A hard link takes disk space only for later changes; a copy takes that of the file, except on Btrfs and XFS, which
    share its blocks. `may_share` False: a copy, for a process that is to have both indexes open.
    """
    if path.exists():
        return False
    part = path.with_name(f"{path.name}{UNFINISHED}")
    for source in sources:
        for name in (part, path):
            remove(name)  # a log without a database file is a leftover
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            ForeignIndex(source).close()
            if not (may_share and _shared(source, part)):
                _copy(source, part)
            os.replace(part, path)
            return True
        except (Unreadable, apsw.Error, OSError):
            continue
        finally:
            remove(part)
    return False


def adopt_location(database: Database, path: Path) -> None:
    """Adapt `database`, begun as another worktree's index, to the location `path`. Its recorded file times, those of
    the other worktree, are no longer trusted.
    """
    if database.value("writer.meta", ("home",)) != home_of(path):
        with database.transaction():
            database.run("writer.distrust_times")
            database.run("writer.put_meta", ("born", time.time_ns()))
            database.run("writer.put_meta", ("home", home_of(path)))


def home_of(path: Path) -> str:
    """Return the location that the index.db at `path` records, so that it is recognised where it is copied to another
    worktree.
    """
    return str(path.absolute())


def detach_file(database: Database, path: Path) -> None:
    """Replace the shared file at `path` by a file of the index alone, with the content of the shared file and the log;
    `database` is closed. Errors: apsw.Error, OSError.

    The shared file keeps a name here until `unlink_shared`, for its readers.
    """
    part = path.with_name(f"{path.name}{UNFINISHED}")
    try:
        copied(database, part).close()
        _reach_disk(part)
        failpoints.point("part.copied")
        database.close()
        unlink_shared(path)
        os.link(path, f"{path}{LEFT}")
        os.replace(part, path)
        # the file has everything that the log has: a process that finds the log may read it again
        failpoints.point("part.replaced")
        remove(path, LOGS)
    finally:
        remove(part)


def unlink_shared(path: Path) -> None:
    """Remove the second name at which the shared file of the index at `path` was kept, once it has no readers here any
    more.
    """
    with contextlib.suppress(OSError):
        os.unlink(f"{path}{LEFT}")


def _shared(source: Path, target: Path) -> bool:
    """Give the file of an index a second name; return False where that is impossible, or where the log cannot be folded
    into the file just now.
    """
    if in_use.is_open(source):  # by this process, which can have it open under one name only
        return False
    with (
        contextlib.suppress(OSError, apsw.Error),
        contextlib.closing(Database(source, writable=True, patience_ms=PATIENCE_MS)) as database,
    ):
        return database.share(target)
    return False


def _copy(source: Path, target: Path) -> None:
    """Copy file and log while no process folds the log or restarts it, which an open snapshot prevents."""
    remove(target)
    with File(source).undisturbed(), contextlib.closing(ForeignIndex(source)):
        _copy_file(source, target)
        with contextlib.suppress(FileNotFoundError):
            _copy_file(Path(f"{source}-wal"), Path(f"{target}-wal"))
    with contextlib.closing(Database(target, writable=True)) as database:
        database.fold(truncate=True)


def _copy_file(source: Path, target: Path) -> None:
    if not hasattr(os, "copy_file_range"):
        shutil.copyfile(source, target)
        return
    with source.open("rb") as old, target.open("wb") as new:
        try:
            while os.copy_file_range(old.fileno(), new.fileno(), AT_ONCE):
                pass
        except OSError:  # between file systems that cannot
            old.seek(0)
            new.seek(0)
            new.truncate()
            shutil.copyfileobj(old, new)


def _reach_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())

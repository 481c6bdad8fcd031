"""Beginning an index as a copy of one that another daemon may be writing: whole and consistent, or none at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import apsw

from .connection import Database
from .foreign import ForeignIndex, Unreadable
from .opening import checkpoint

UNFINISHED: Final = ".unfinished"
AT_ONCE: Final = 1 << 30  # bytes that the kernel is asked to copy by one call
_PARTS: Final = ("", "-wal", "-shm")


def seed(path: Path, sources: Iterable[Path]) -> bool:
    """Copy the first of these indexes that can be read now, unless there is one already; whether there is one now that was copied.

    Where the file system shares the blocks of copies (Btrfs, XFS), the copy costs what changes in it.
    """
    if path.exists():
        return False
    part = path.with_name(f"{path.name}{UNFINISHED}")
    for source in sources:
        _remove(part)
        try:
            _copy(source, part)
            _begin(part)
            os.replace(part, path)
            return True
        except (Unreadable, apsw.Error, OSError):
            continue
        finally:
            _remove(part)
    return False


def _copy(source: Path, target: Path) -> None:
    """Copy database and log under an open snapshot: until it is closed the log is not begun anew, and has whatever a checkpoint moves meanwhile."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.closing(ForeignIndex(source)):
        _copy_file(source, target)
        with contextlib.suppress(FileNotFoundError):
            _copy_file(Path(f"{source}-wal"), Path(f"{target}-wal"))


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


def _begin(path: Path) -> None:
    """Make a copy an index of its own: no file is known by its time, and nobody's writes are recorded."""
    with contextlib.closing(Database(path, writable=True)) as database:
        with database.transaction():
            database.run("writer.distrust_times")
            database.run("writer.forget_all_writes")
            database.run("writer.put_meta", ("born", time.time_ns()))
        checkpoint(database, truncate=True)


def _remove(path: Path) -> None:
    for part in _PARTS:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{path}{part}")

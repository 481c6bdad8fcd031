"""Garbage collection of blobs.db: removes content that no index of the repository has referred to for UNUSED_S, also
while daemons run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import apsw

from .connection import Database
from .foreign_index import ForeignIndex, Unreadable
from .migrations import schema_version

# seconds: the facts of a branch stay for the case that it is checked out again after a week
UNUSED_S: Final = 14 * 24 * 3600
SPARSE: Final = 4  # a file of which one page in so many is free is compacted

VersionOf = Callable[[str], int]  # of the facts of a language


class Swept(NamedTuple):
    """The numbers of contents that were removed (or would be), and their bytes."""

    facts: int = 0
    vectors: int = 0
    bytes: int = 0


class _Content(NamedTuple):
    """One row of blobs.db: its key in the table `unused`, its table, its primary key there, and its bytes."""

    key: bytes
    table: str
    primary: tuple[Any, ...]
    bytes: int


def sweep(blobs: Path, indexes: Sequence[Path], version_of: VersionOf, now: float, *, dry_run: bool) -> Swept:
    """Remove the content of `blobs` that was unused for UNUSED_S by all `indexes`, and note since when other content is
    unused. Returns what was removed, or with `dry_run` would be.

    Nothing is removed where an index cannot be read now, or a database is busy or damaged.
    """
    with contextlib.suppress(Unreadable, apsw.Error, OSError):
        used = set[bytes]().union(*(_used(index, version_of) for index in indexes))
        with contextlib.closing(Database(blobs, writable=not dry_run)) as database:
            if int(database.connection.pragma("user_version")) == schema_version("blobs"):
                return _sweep(database, used, int(now), dry_run=dry_run)
    return Swept()


def _used(path: Path, version_of: VersionOf) -> set[bytes]:
    """Return the keys, in the form of the table `unused`, of the content that an index refers to."""
    with contextlib.closing(ForeignIndex(path)) as index:
        facts = {_key(digest, language, version_of(language)) for digest, language in index.all("garbage.used_facts")}
        return facts | {passage for (passage,) in index.all("garbage.used_vectors")}


def _key(digest: bytes, language: str, version: int) -> bytes:
    return digest + f"{language} {version}".encode()


def _sweep(database: Database, used: set[bytes], now: int, *, dry_run: bool) -> Swept:
    left = [content for content in _contents(database) if content.key not in used]
    since: dict[bytes, int] = dict(database.all("garbage.unused"))
    old = [content for content in left if now - since.get(content.key, now) >= UNUSED_S]
    if not dry_run:
        with database.transaction():
            gone = (since.keys() - {content.key for content in left}) | {content.key for content in old}
            database.run_many("garbage.forget", [(key,) for key in gone])
            database.run_many("garbage.note", [(content.key, now) for content in left if content.key not in gone])
            for table in ("facts", "vector"):
                database.run_many(
                    f"garbage.delete_{table}", [content.primary for content in old if content.table == table]
                )
        _compact(database)
    vectors = sum(content.table == "vector" for content in old)
    return Swept(len(old) - vectors, vectors, sum(content.bytes for content in old))


def _contents(database: Database) -> list[_Content]:
    facts = [_Content(_key(*row[:3]), "facts", tuple(row[:3]), row[3]) for row in database.all("garbage.facts")]
    return facts + [_Content(passage, "vector", (passage,), size) for passage, size in database.all("garbage.vectors")]


def _compact(database: Database) -> None:
    """Return free disk space to the system where it is much; a later run does so where a process writes or
    reads now.
    """
    free, pages = (int(database.connection.pragma(name)) for name in ("freelist_count", "page_count"))
    if free * SPARSE > pages:
        with contextlib.suppress(apsw.BusyError, apsw.LockedError):
            database.connection.execute("VACUUM")

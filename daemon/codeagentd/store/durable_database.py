"""A database that cannot be rebuilt, written by several processes at once: opened, migrated and guarded so that
acknowledged writes are never lost.

Restoring a backup replaces the file under running daemons. They notice by its inode: a writer checks it once it has the
write lock, a reader before it begins.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NoReturn

import apsw

from codeagent_protocol.errors import StoreFailed
from codeagentd.base import failpoints

from .backups import backup
from .connection import CORRUPT, Database, ReaderPool, form_of
from .migrations import migrations
from .opening import FULL, is_damaged

BUSY_MS: Final = 10_000  # a write waits so long for those of other daemons, which take milliseconds each
READERS: Final = 4
# for each connection: the database grows for years, and a query reads little of it; the rest is in the system's page
# cache
CACHE_KB: Final = 500
# attempts to open a file that several processes make at once: switching to a write-ahead log does not wait for others
BEGINNINGS: Final = 20

_RESTORE: Final = "`codeagentd memory restore` brings a backup back; the damaged file is kept"


class DurableStore:
    """A database that cannot be rebuilt, opened when first used. Thread-safe: one writer in this process, several
    readers. `only_read`: the reason why this process must not write, '' where it may.

    Errors of every method: db_error, with a remedy.
    """

    def __init__(self, path: Path, kind: str, only_read: str = "") -> None:
        self.path = path
        self._kind = kind
        self._only_read = only_read
        self._read_as = (0, False)
        self._lock = threading.Lock()
        self._writer: Database | None = None
        self._opened_as = 0
        self._damaged_as = 0
        self._trouble: tuple[int, str, str] = (0, "", "")  # (inode, reason, remedy)
        self._readers = ReaderPool(path, READERS, cache_kb=CACHE_KB)

    @property
    def inode(self) -> int:
        """The inode of the file; 0 where there is no file yet."""
        try:
            return os.stat(self.path).st_ino
        except OSError:
            return 0

    @property
    def file(self) -> Path:
        """The file of the database."""
        return self.path

    @property
    def is_there(self) -> bool:
        """Whether there is a file."""
        return self.inode != 0

    def description(self) -> str:
        """Return for people where the database is."""
        return str(self.path)

    @property
    def trouble(self) -> tuple[str, str] | None:
        """(reason, remedy) if the file could not be used at the last attempt and was not replaced since; else None."""
        inode, reason, remedy = self._trouble
        return (reason, remedy) if reason and inode == self.inode else None

    @contextlib.contextmanager
    def write(self) -> Iterator[Database]:
        """Return a context with the writer's connection in a short transaction, exclusive among all processes.

        Its writes are on the disk when the block ends, and are undone when the block raises.
        """
        if self._only_read:
            raise StoreFailed(
                f"{self.path.name} is only read: {self._only_read}",
                remedy="keep it from a window outside of this sandbox",
            )
        with self._lock, self._coded():
            if self._damaged_as and self._damaged_as == self.inode and is_damaged(self.path):
                raise StoreFailed(f"{self.path.name} is damaged; nothing is written to it", remedy=_RESTORE)
            self._damaged_as = 0
            while True:
                database = self._current()
                with database.transaction():
                    if self.inode != self._opened_as:
                        continue  # the file was replaced while this waited for the lock
                    yield database
                self._trouble = (0, "", "")
                return

    @contextlib.contextmanager
    def read(self, patience_s: float = 0.0) -> Iterator[Database]:
        """Return a context with a connection in a read transaction: a consistent snapshot. A damaged database is read
        as far as possible.
        """
        with self._coded():
            if self._only_read:
                self._look()
            elif (
                self._writer is None or self.inode != self._opened_as
            ):  # else the read does not wait for a current write
                self._open_for_reading()
            with self._readers.read() as database:
                yield database

    def listen(self) -> NoReturn:
        """A file tells no changes. Errors: db_error."""
        raise StoreFailed(f"{self.path.name} is a file, which tells no changes", remedy="set memory.url")

    def close(self) -> None:
        """Close every connection; they are opened again when needed."""
        with self._lock:
            self._drop()
            self._readers.close()
            self._readers = ReaderPool(self.path, READERS, cache_kb=CACHE_KB)

    def shrink(self) -> None:
        """Free the page caches. The writer keeps its own while it writes or waits for other daemons."""
        if self._lock.acquire(blocking=False):
            try:
                if self._writer is not None:
                    self._writer.shrink()
            except apsw.Error:
                pass  # the next write meets and reports the same error
            finally:
                self._lock.release()
        self._readers.shrink()

    def _look(self) -> None:
        """Let the readers use the present file as it is. A process that may not write cannot migrate it."""
        with self._lock:
            if (form := form_of(self.path)) == self._read_as:
                return
            database = Database(self.path)
            version = int(database.connection.pragma("user_version"))
            database.close()
            if version != len(migrations(self._kind)):
                raise StoreFailed(
                    f"{self.path.name} was written by another version of codeagentd",
                    remedy="use it once outside of this sandbox",
                )
            self._readers.renew()
            self._read_as = form

    def _open_for_reading(self) -> None:
        with self._lock, contextlib.suppress(*CORRUPT, *FULL):
            if not (self._damaged_as and self._damaged_as == self.inode):
                self._current()

    def _current(self) -> Database:
        """Return the writer's connection to the file that has the name now."""
        if self._writer is None or self.inode != self._opened_as:
            self._drop()
            self._writer = self._open()
            self._opened_as = self.inode
            self._readers.renew()
        return self._writer

    def _drop(self) -> None:
        if self._writer:
            self._writer.close()
        self._writer = None

    def _open(self) -> Database:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for attempt in range(BEGINNINGS):
            try:
                database = Database(self.path, writable=True, cache_kb=CACHE_KB)
                break
            except apsw.BusyError:
                if attempt == BEGINNINGS - 1:
                    raise
        os.chmod(self.path, 0o600)
        try:
            database.connection.set_busy_timeout(BUSY_MS)
            database.connection.execute("PRAGMA synchronous=full; PRAGMA fullfsync=1; PRAGMA checkpoint_fullfsync=1")
            self._migrate(database)
        except BaseException:
            database.close()
            raise
        return database

    def _migrate(self, database: Database) -> None:
        """Migrate the database, once among all processes, after a backup of the old version."""
        scripts = migrations(self._kind)
        if int(database.connection.pragma("user_version")) == len(scripts):
            return
        with database.transaction():
            version = int(database.connection.pragma("user_version"))
            if version > len(scripts):
                why, remedy = (
                    f"{self.path.name} was written by a newer codeagentd",
                    "install that version; this one leaves the file alone",
                )
                raise self._noted(StoreFailed(why, remedy=remedy))
            if 0 < version < len(scripts):
                backup(self.path, f"v{version}")
            for number in range(version, len(scripts)):
                database.connection.execute(scripts[number])
                failpoints.point("migrate.memory")
                database.connection.execute(f"PRAGMA user_version={number + 1}")

    @contextlib.contextmanager
    def _coded(self) -> Iterator[None]:
        """Turn SQLite's errors into coded errors with a remedy; those that will not pass by themselves are
        remembered.
        """
        try:
            yield
        except CORRUPT:
            raise self._noted(self._examined()) from None
        except (apsw.BusyError, apsw.LockedError):
            raise StoreFailed(
                f"{self.path.name} is being written by another process", remedy="try again in a moment"
            ) from None
        except (*FULL, apsw.ReadOnlyError, apsw.CantOpenError, OSError) as error:
            raise self._noted(self._unusable(error)) from None

    def _unusable(self, error: Exception) -> StoreFailed:
        self._opened_as = 0  # the connection's cache may be incomplete: a new one is opened next time
        return StoreFailed(
            f"{self.path.name} cannot be used: {error}", remedy=f"make room for and access to {self.path.parent}"
        )

    def _examined(self) -> StoreFailed:
        """Return the error to report for a file that looks damaged: a failing disk makes a sound file look so."""
        try:
            is_broken = is_damaged(self.path)
        except (*FULL, apsw.CantOpenError) as error:
            return self._unusable(error)
        if not is_broken:
            return self._unusable(OSError("its disk has failed for a moment"))
        self._damaged_as = self.inode
        return StoreFailed(f"{self.path.name} is damaged", remedy=_RESTORE)

    def _noted(self, error: StoreFailed) -> StoreFailed:
        self._trouble = (self.inode, error.message, error.remedy)
        return error

"""SQLite connections: one writer, a pool of readers, the pragmas of both."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import apsw

from codeagent_protocol.errors import EngineUnavailable

from . import fts_weights
from .shared_files import File, in_use
from .sqlite_recall import SqliteRecall
from .statements import sql

BUSY_TIMEOUT_MS = 5_000  # longer than any transaction of the daemon
WRITER_CACHE_KB = 8_000  # with 16,000 a first index takes as long, and the daemon keeps the memory
READER_CACHE_KB = 4_000  # resident per reader; the operating system's page cache does the rest
PAGE_BYTES = 8_192  # half the writes of SQLite's 4,096 for rows that come in order
WAL_LIMIT_BYTES = 16 * 1024 * 1024  # a checkpoint truncates the log to this size
ROWS_AT_ONCE = 100  # rows of one statement in `insert`: a third of the time goes where a statement begins and ends


class Damaged(Exception):
    """Raised when a process of codeagentd reports that a database is corrupt."""


class Unreadable(Exception):
    """Raised when a process of codeagentd reports that it could not use a database, although the database may
    be sound.
    """


Row = tuple[Any, ...]
CORRUPT: Final = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, Damaged)
FAILING: Final = (apsw.IOError, apsw.CantOpenError)  # errors that a failing disk causes for a sound database
REPEATED: Final = apsw.ConstraintError  # the error of a unique index over rows that are not
QueryError = apsw.SQLError  # the error of a statement whose parameters SQLite cannot use: bad FTS5 syntax


def is_sealed(path: Path | str) -> bool:
    """Whether no process can write the database at `path` now: its directory cannot be written and there is no log.
    SQLite then has to open the file as immutable, since it can create no file beside it.
    """
    return not os.access(os.path.dirname(path) or os.curdir, os.W_OK) and not os.path.exists(f"{path}-wal")


def form_of(path: Path) -> tuple[int, bool]:
    """Return (inode, whether sealed) of the database at `path`. When this value changes, read-only connections have to
    be opened again: another file has the name, or a process has begun to write it.

    (0, False) without a file.
    """
    with contextlib.suppress(OSError):
        return os.stat(path).st_ino, is_sealed(path)
    return 0, False


def _extension() -> str:
    """Return the path of sqlite-vec's library.

    Its Python package is not imported: that would load numpy, 12 MB in each process.
    """
    spec = importlib.util.find_spec("sqlite_vec")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).with_name("vec0"))


VECTOR_EXTENSION: Final = _extension()  # path of the library


class Database:
    """One connection. Statements are named in store/sql/*.sql; parameters are positional or a mapping."""

    spans_machines = False

    def __init__(
        self, path: Path | str, *, writable: bool = False, patience_ms: int | None = None, cache_kb: int | None = None
    ) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE if writable else apsw.SQLITE_OPEN_READONLY
        address = f"{Path(path).absolute().as_uri()}?immutable=1" if not writable and is_sealed(path) else str(path)
        self.connection = apsw.Connection(address, flags=flags | apsw.SQLITE_OPEN_NOMUTEX | apsw.SQLITE_OPEN_URI)
        self._file = File(path)
        self._is_writable = writable
        if not in_use.note(self._file, self):
            self.connection.close()
            raise apsw.BusyError(f"{path} is open under another name")
        self.connection.set_busy_timeout(BUSY_TIMEOUT_MS if patience_ms is None else patience_ms)
        self.connection.enable_load_extension(True)
        self.connection.load_extension(VECTOR_EXTENSION)
        self.connection.enable_load_extension(False)  # no statement can load another one
        fts_weights.register(self.connection)
        cache = cache_kb or (WRITER_CACHE_KB if writable else READER_CACHE_KB)
        self.connection.execute(f"PRAGMA cache_size=-{cache}; PRAGMA temp_store=memory; PRAGMA foreign_keys=off")
        if writable:
            self.connection.execute(
                f"PRAGMA page_size={PAGE_BYTES}; PRAGMA journal_mode=wal; PRAGMA synchronous=normal"
            )
            self.connection.execute(f"PRAGMA journal_size_limit={WAL_LIMIT_BYTES}")
            self.connection.set_wal_hook(functools.partial(_grown, self._file))

    @property
    def recall(self) -> SqliteRecall:
        """Search over the memories of a memory.db."""
        return SqliteRecall(self)

    def overwrite_deleted(self) -> None:
        """Have this connection overwrite the data that it deletes from now on."""
        self.connection.execute("PRAGMA secure_delete=on")

    def all(self, name: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        """Return every row of the statement `name`."""
        return self.connection.execute(sql(name), parameters).fetchall()

    def each(self, name: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> Iterator[Row]:
        """Iterate over the rows of the statement `name` without loading all of them into memory."""
        return iter(self.connection.execute(sql(name), parameters))

    def row(self, name: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> Row | None:
        """Return the first row of the statement `name`, or None."""
        return self.connection.execute(sql(name), parameters).fetchone()

    def value(self, name: str, parameters: Sequence[Any] | dict[str, Any] = (), default: Any = None) -> Any:
        """Return the first column of the first row of the statement `name`, or `default` without a row."""
        row = self.row(name, parameters)
        return default if row is None else row[0]

    def run(self, name: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> None:
        """Execute the statement `name` for its effect."""
        self.connection.execute(sql(name), parameters)

    def run_many(self, name: str, rows: Any) -> None:
        """Execute the statement `name` once for each of `rows`, its parameters."""
        self.connection.executemany(sql(name), rows)

    def insert(self, name: str, columns: int, values: Sequence[Any]) -> None:
        """Execute the statement `name`, an `INSERT … VALUES (…);`, for many rows: `values` has `columns` values for
        each row, one row after the other.
        """
        step = ROWS_AT_ONCE * columns
        whole = len(values) // step * step
        head, _, row = sql(name).rpartition("VALUES ")
        many = f"{head}VALUES {', '.join([row.rstrip(';')] * ROWS_AT_ONCE)}"
        self.connection.executemany(many, (tuple(values[at : at + step]) for at in range(0, whole, step)))
        self.connection.executemany(sql(name), zip(*[iter(values[whole:])] * columns, strict=True))

    @contextlib.contextmanager
    def transaction(self, mode: str = "IMMEDIATE") -> Iterator[None]:
        """Run the block between BEGIN and COMMIT; roll back when it raises."""
        self.connection.execute(f"BEGIN {mode}")
        try:
            yield
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    @contextlib.contextmanager
    def sorting_on_disk(self) -> Iterator[None]:
        """Return a context in which sorting takes room on the disk, not in memory. It has to begin and end outside of
        transactions, and drops temporary tables and triggers.
        """
        self.connection.execute("PRAGMA temp_store=file")
        try:
            yield
        finally:
            self.connection.execute("PRAGMA temp_store=memory")

    def has_index(self, name: str) -> bool:
        """Whether the database has the index `name`."""
        statement = "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?"
        return self.connection.execute(statement, (name,)).fetchone() is not None

    @property
    def is_shared(self) -> bool:
        """Whether the file of this database is that of another database too; its log is then never folded into the
        file.
        """
        return self._file.is_shared()

    @property
    def is_lost(self) -> bool:
        """Whether the name of this database no longer leads to the file that is open here: what is written here is then
        lost.

        May be called from any thread.
        """
        return self._file.is_lost()

    @property
    def blocks_second_name(self) -> bool:
        """Whether this process failed to open the same file under another name because it is open here."""
        return in_use.is_refused(self._file)

    def shrink(self) -> None:
        """Free the page cache; it fills again with the pages that are used."""
        self.connection.execute("PRAGMA shrink_memory")

    def fold(self, *, truncate: bool = False) -> bool:
        """Move the log into the file (checkpoint), unless the file is shared; with `truncate` also free the log's disk
        space. Readers are not blocked.

        Returns: whether the file has everything now.
        """
        return _fold(
            self.connection, self._file, apsw.SQLITE_CHECKPOINT_TRUNCATE if truncate else apsw.SQLITE_CHECKPOINT_PASSIVE
        )

    def share(self, name: Path) -> bool:
        """Give the file the second name `name`, under which it is a database of its own with the present content of
        this database.

        Returns: whether that was done. Errors: OSError, those of os.link.
        """
        with self._file.undisturbed() as quiet:
            if not quiet.may_name or not (self.is_shared or _moved(self.connection, apsw.SQLITE_CHECKPOINT_PASSIVE)):
                return False
            os.link(self._file.path, name)
            return True

    def close(self) -> None:
        """Close the connection; further use fails.

        Closing the last connection folds the log and removes it, unless the file is shared.
        """
        if self._is_writable:
            with self._file.undisturbed() as quiet, contextlib.suppress(apsw.ConnectionClosedError):
                self.connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(self.is_shared or not quiet.may_fold))
                self.connection.close()
        self.connection.close()
        in_use.forget(self._file, self)


def _grown(file: File, connection: apsw.Connection, database: str, pages: int) -> int:
    """Fold the log after a commit when it has become long: SQLite's hook for the write-ahead log."""
    if pages >= WAL_LIMIT_BYTES // PAGE_BYTES:
        with contextlib.suppress(apsw.Error, OSError):  # the next write meets and reports the same error
            _fold(connection, file, apsw.SQLITE_CHECKPOINT_PASSIVE)
    return apsw.SQLITE_OK


def _fold(connection: apsw.Connection, file: File, mode: int) -> bool:
    if file.is_shared():
        return False
    with file.undisturbed() as quiet:
        return quiet.may_fold and not file.is_shared() and _moved(connection, mode)


def _moved(connection: apsw.Connection, mode: int) -> bool:
    with contextlib.suppress(apsw.BusyError, apsw.LockedError):
        pages, moved = connection.wal_checkpoint(mode=mode)
        return pages == moved
    return False


_Idle = queue.LifoQueue[tuple[int, Database] | None]


class ReaderPool:
    """Read-only connections, lent to one request at a time. The connection that was used last is lent first, since its
    cache is warm. Each loan sees one consistent snapshot.

    `damaged` is called for a database that looks corrupt and can be rebuilt; the loan then ends with
    engine_unavailable, as it does where the disk fails. Without `damaged` the borrower gets SQLite's error.
    """

    def __init__(
        self, path: Path, size: int, damaged: Callable[[], None] | None = None, cache_kb: int | None = None
    ) -> None:
        self._damaged = damaged
        self._cache_kb = cache_kb
        self._retired = threading.Event()
        self._path = path
        self._epoch = 0
        self._idle: _Idle = queue.LifoQueue()
        self._beside: _Idle = queue.LifoQueue()
        for _ in range(size):
            self._idle.put(None)  # opened when first lent
            self._beside.put(None)

    def read(self) -> AbstractContextManager[Database]:
        """Borrow a connection inside a read transaction, for as long as the context lasts."""
        return self._lent(self._idle)

    def read_beside(self) -> AbstractContextManager[Database]:
        """Borrow a connection as `read` does, on a helper thread of a thread that has borrowed one. Each lent
        connection has one more for this purpose, so that no thread waits for a connection that its own request holds.
        """
        return self._lent(self._beside)

    @contextlib.contextmanager
    def _lent(self, idle: _Idle) -> Iterator[Database]:
        if self._retired.is_set():
            raise _unavailable()
        epoch, database = idle.get() or (self._epoch, None)
        if database is not None and epoch != self._epoch:
            database.close()
            database = None
        try:
            epoch = self._epoch
            database = database or Database(self._path, cache_kb=self._cache_kb)
            with database.transaction("DEFERRED"):
                yield database
        except FAILING as error:
            if database is not None:
                database.close()  # its cache may be incomplete
                database = None
            if self._damaged is None:
                raise
            raise EngineUnavailable(
                f"the index cannot be read: {error}",
                remedy="look after its disk; `codeagentd status` says where it stands",
            ) from None
        except apsw.Error as error:
            if self._damaged is None or not (self._retired.is_set() or isinstance(error, CORRUPT)):
                raise
            if epoch == self._epoch and not self._retired.is_set():  # else it is being rebuilt, or was rebuilt
                self._damaged()
            raise _unavailable() from None
        finally:
            idle.put((epoch, database) if database is not None else None)

    def retire(self) -> None:
        """Lend no connection until `renew`: the file behind the pool is about to be replaced."""
        self._retired.set()

    def renew(self) -> None:
        """Lend connections again, newly opened: the file behind the pool was replaced."""
        self._epoch += 1
        for idle in (self._idle, self._beside):
            for lent in [*_unborrowed(idle)]:
                if lent is not None:
                    lent[1].close()
                idle.put(None)
        self._retired.clear()

    def shrink(self) -> None:
        """Close the idle connections but the one that was used last, and free its page cache: others are only open
        since many once read at the same time. An error of that one appears at its next read.
        """
        for idle in (self._idle, self._beside):
            slots = [*_unborrowed(idle)]
            last, others = slots[:1], slots[1:]  # unused slots come last
            for lent in others:
                if lent is not None:
                    lent[1].close()
                idle.put(None)
            for lent in last:
                with contextlib.suppress(apsw.Error):
                    if lent is not None:
                        lent[1].shrink()
                idle.put(lent)

    def close(self) -> None:
        """Close the idle connections."""
        for idle in (self._idle, self._beside):
            for lent in _unborrowed(idle):
                if lent is not None:
                    lent[1].close()


def _unborrowed(idle: _Idle) -> Iterator[tuple[int, Database] | None]:
    """Take all connections that are not lent out of the pool."""
    with contextlib.suppress(queue.Empty):
        while True:
            yield idle.get_nowait()


def _unavailable() -> EngineUnavailable:
    return EngineUnavailable(
        "the index looks damaged; it is examined, and made again if it is", remedy="ask again in some seconds"
    )

"""The database of a team on a PostgreSQL server: few connections, given up soon when the server is away."""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeagent_protocol.errors import CodedError, StoreFailed
from codeagentd.store.memory_backend import ServerAway

from .driver import READ_ONLY, STATEMENT_S, ServerAddress, coded, driver
from .postgres_connection import PostgresConnection
from .postgres_listener import PostgresListener
from .schema_migrations import check
from .signs import Signs
from .word_rarities import WordRarities

if TYPE_CHECKING:
    import psycopg

OLDEST: Final = 150_000  # security_invoker of views, which row-level security needs
CONNECTIONS: Final = 6  # of one daemon at once: a team's daemons share the server's usual 100
IDLE_CONNECTIONS: Final = 2  # that stay open between two calls
PAUSE_S: Final = (0.5, 15.0)  # before another attempt to connect: the first pause, doubled up to the last
SKEW_S: Final = 5.0  # a difference of clocks that is worth a word
LOCK_MS: Final = 5_000  # a transaction waits so long for another one, which takes milliseconds
IDLE_MS: Final = 20_000  # the server ends a transaction that a stopped daemon left open

_READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"  # a server that is only read stays so
_GREETING: Final = f"""SELECT set_config('search_path', 'codeagent, public', false),
  set_config('lock_timeout', '{LOCK_MS}', false), set_config('idle_in_transaction_session_timeout', '{IDLE_MS}', false),
  set_config('statement_timeout', '{int(STATEMENT_S * 1_000)}', false), set_config('jit', 'off', false),
  session_user, extract(epoch FROM clock_timestamp())::float8,
  pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean,
  EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'codeagent'),
  EXISTS (SELECT 1 FROM pg_class WHERE relname = 'schema_versions' AND relnamespace = to_regnamespace('codeagent'))"""

_HAS_PGVECTOR: Final = """SELECT 1 FROM pg_attribute
WHERE attrelid = to_regclass('codeagent.memory_vectors') AND attname = 'embedding' AND NOT attisdropped"""


class Server(NamedTuple):
    """What the server said when a connection was made. `skew_s`: how far this machine's clock is ahead of it."""

    version: str
    role: str
    skew_s: float
    is_only_read: bool


class PostgresDatabase:
    """The connections of this process to the server. Thread-safe. `only_read`: the reason why this process must not
    write, '' where it may.
    """

    file = None

    def __init__(self, url: str, only_read: str = "") -> None:
        """Prepare the connections; none is made yet."""
        self._url = url
        self.server: Server | None = None
        self._only_read = only_read
        self._idle: list[psycopg.Connection[Any]] = []
        self._lock = threading.Lock()
        self._connecting = threading.Lock()
        self._room = threading.BoundedSemaphore(CONNECTIONS)
        self._fault: CodedError | None = None
        self._retry_at = 0.0
        self._pause_s = PAUSE_S[0]
        self._rarities = WordRarities()
        self._signs = Signs()

    @functools.cached_property
    def address(self) -> ServerAddress:
        """The server's address. Errors: db_error for a wrong url, and without the driver."""
        try:
            return ServerAddress(self._url)
        except StoreFailed as error:
            raise self._noted(error) from None

    @property
    def is_there(self) -> bool:
        """Whether the server answered the last time."""
        return self.server is not None and self._fault is None

    def description(self) -> str:
        """Return for people where the server is, which one, and as whom it is used."""
        server = self.server
        if server is None:
            return f"PostgreSQL at {self.address}" if "address" in self.__dict__ else "a PostgreSQL server"
        skew = f", this clock is {server.skew_s:+.0f} s off" if abs(server.skew_s) >= SKEW_S else ""
        state = ", only read" if server.is_only_read else ""
        return f"PostgreSQL {server.version} at {self.address} as {server.role}{state}{skew}"

    @property
    def trouble(self) -> tuple[str, str] | None:
        """(reason, remedy) if the server could not be used at the last attempt; else None."""
        fault = self._fault
        return (fault.message, fault.remedy) if fault else None

    @contextlib.contextmanager
    def write(self) -> Iterator[PostgresConnection]:
        """Return a context with a connection in a transaction. Errors: ServerAway; WriteConflict."""
        address = self.address
        if self._only_read:
            raise StoreFailed(
                f"{address} is only read: {self._only_read}",
                remedy="keep it from a window outside of this sandbox",
            )
        with self._transaction(_WRITE, STATEMENT_S) as connection:
            yield connection

    @contextlib.contextmanager
    def read(self, patience_s: float = 0.0) -> Iterator[PostgresConnection]:
        """Return a context with a connection that sees one consistent snapshot. Errors: ServerAway."""
        with self._transaction(_READ, patience_s or STATEMENT_S) as connection:
            yield connection

    def close(self) -> None:
        """Close the idle connections; others are opened when needed."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def shrink(self) -> None:
        """Close the idle connections."""
        self.close()

    def probe(self) -> None:
        """Try to reach the server now, however short ago it could not be reached. Errors: db_error."""
        self._retry_at = 0.0
        with self.read():
            pass

    def listen(self) -> PostgresListener:
        """Begin to hear changes, over a connection of its own. Errors: db_error."""
        connection = self._connected()
        try:
            return PostgresListener(connection, self._judged)
        except driver().Error as error:
            connection.close()
            raise self._judged(error) from None

    @contextlib.contextmanager
    def _transaction(self, begin: str, patience_s: float) -> Iterator[PostgresConnection]:
        """Return a context with a connection in a transaction.

        Statements are sent in a pipeline: one whose rows nobody waits for takes no round trip, and its error is raised
        by the next one whose rows are read, or at the end.
        """
        address = self.address
        if not self._room.acquire(timeout=STATEMENT_S):
            raise StoreFailed(f"all connections to {address} are in use", remedy="try again in a moment")
        connection = None
        is_committing = False
        try:
            connection = self._idle_connection(writes=begin == _WRITE) or self._connected()
            connection.patience_s = patience_s  # type: ignore[attr-defined]
            with connection.pipeline():
                connection.execute(begin)
                yield PostgresConnection(connection, self._rarities, self._signs)
                is_committing = True
                connection.execute("COMMIT")
            self._put_back(connection)
            connection = self._fault = None
        except (driver().Error, UnicodeError) as error:
            result = self._judged(error, is_unsure=is_committing)
            if connection is not None and isinstance(result, ServerAway):
                connection.close()
            raise result from None
        finally:
            if connection is not None:
                self._undo(connection)
            self._room.release()

    def _undo(self, connection: psycopg.Connection[Any]) -> None:
        try:
            if connection.closed:
                return
            connection.execute("ROLLBACK")
            self._put_back(connection)
        except driver().Error:
            connection.close()

    def _put_back(self, connection: psycopg.Connection[Any]) -> None:
        with self._lock:
            if len(self._idle) < IDLE_CONNECTIONS:
                self._idle.append(connection)
                return
        connection.close()

    def _idle_connection(self, *, writes: bool) -> psycopg.Connection[Any] | None:
        """Return an idle connection that its server has not closed; None without one. One that only reads is closed
        where a write needs another: it led to a standby, or to a server that has been opened for writing since.
        """
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return None
            with contextlib.suppress(driver().OperationalError):
                for _ in range(2):  # the first look may find the server's last words, the second its end
                    connection.pgconn.consume_input()
                if not (writes and connection.only_reads):  # type: ignore[attr-defined]
                    return connection
            connection.close()

    def _connected(self) -> psycopg.Connection[Any]:
        """Open a connection, unless that failed a moment ago."""
        with self._connecting:
            if self._fault and time.monotonic() < self._retry_at:
                raise type(self._fault)(self._fault.message, remedy=self._fault.remedy)
            try:
                connection = self.address.connect()
            except driver().Error as error:
                raise self._judged(error) from None
            try:
                self._greet(connection)
            except CodedError as error:
                connection.close()
                raise self._noted(error) from None
            except driver().Error as error:
                connection.close()
                raise self._judged(error) from None
            self._pause_s = PAUSE_S[0]
            return connection

    def _greet(self, connection: psycopg.Connection[Any]) -> None:
        """Set the connection up, and examine the server. Errors: db_error for one that cannot be used."""
        number = connection.info.server_version
        if number < OLDEST:
            raise StoreFailed(
                f"{self.address} is PostgreSQL {number // 10_000}; row-level security needs {OLDEST // 10_000}",
                remedy="name a newer server in memory.url",
            )
        row = connection.execute(_GREETING).fetchone()
        assert row is not None
        role, now, is_only_read, has_schema, has_versions = row[5:]
        text = str(connection.info.parameter_status("server_version") or number)
        connection.only_reads = is_only_read  # type: ignore[attr-defined]
        self.server = Server(text.split()[0], role, round(time.time() - now, 1), is_only_read)
        version = 0
        if has_schema and has_versions:
            last = connection.execute("SELECT coalesce(max(number), 0) FROM codeagent.schema_versions").fetchone()
            version = int(last[0]) if last else 0
        check(connection, version, self.address, may_write=not self._only_read and not is_only_read)
        connection.has_pgvector = connection.execute(_HAS_PGVECTOR).fetchone() is not None  # type: ignore[attr-defined]

    def _judged(self, error: Exception, *, is_unsure: bool = False) -> CodedError:
        """Return psycopg's error as a coded one; that the server is away is remembered."""
        result = coded(error, self.address, self.server.role if self.server else "")
        if not isinstance(result, ServerAway):
            return result
        result.is_unsure = is_unsure
        self.close()  # the next attempt may lead to another server
        self._signs.forget()
        if getattr(error, "sqlstate", "") == READ_ONLY:
            self._fault = result
            return result  # it can be read
        return self._noted(result)

    def _noted(self, error: CodedError) -> CodedError:
        """Remember a fault, and make no other connection for a moment."""
        self._fault = error
        self._retry_at = time.monotonic() + self._pause_s
        self._pause_s = min(PAUSE_S[1], self._pause_s * 2)
        return error

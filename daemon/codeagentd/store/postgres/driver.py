"""psycopg: imported when the first connection is made, and its errors as errors with codes and remedies."""

from __future__ import annotations

import functools
import re
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from codeagent_protocol.errors import CodedError, InvalidParameter, StoreFailed
from codeagentd.store.memory_backend import ServerAway, WriteConflict

if TYPE_CHECKING:
    import psycopg

CONNECT_S: Final = 2  # for one attempt to connect, also where a host accepts and says nothing
STATEMENT_S: Final = 10.0  # for one statement; a search takes some hundredths
HIDDEN: Final = "***"

_WAITING: Final = "memories are kept on this machine until it is back; `codeagentd memory status` says how many wait"
# SQLSTATE classes and codes of a server that may be usable again in a moment, or of another one that takes its place:
# connection, resources, operator intervention, system; a statement that took too long; a transaction that is only read,
# or was ended; a role or database that is not there yet
_AWAY: Final = re.compile(r"08|53|57P|58|57014|25006|25P0[34]|28|3D000")
_CONFLICTS: Final = re.compile(r"40|55P03|23505")
_PRIVILEGE: Final = ("42501", "42P01")  # tables of a schema that a role may not use are not found
READ_ONLY: Final = "25006"


@functools.cache
def driver() -> ModuleType:
    """Return psycopg. Errors: db_error when it is not installed."""
    try:
        import psycopg
    except ImportError as error:
        raise StoreFailed(
            f"memory.url names a PostgreSQL server, and its driver cannot be used: {error}",
            remedy="pip install 'codeagentd[postgres]'",
        ) from None
    return psycopg


def without_password(url: str) -> str:
    """Return a connection string without its password, to tell servers apart by; no text for people."""
    return re.sub(r"(//[^/@:]*):[^/]*@|\bpassword\s*=\s*(?:'(?:[^'\\]|\\.)*'|[^\s&]*)", r"\1@", url)


class ServerAddress:
    """A connection string of libpq, as a URL or as keywords; it never appears in a text, since it may have a
    password.
    """

    def __init__(self, url: str) -> None:
        """Parse `url`. Errors: db_error, without its text."""
        try:
            self.parts: dict[str, Any] = driver().conninfo.conninfo_to_dict(url)
        except driver().Error:
            raise StoreFailed(
                "memory.url is no connection string of PostgreSQL",
                remedy="write postgresql://USER@HOST/DATABASE; special characters of a password as %XX",
            ) from None

    def __str__(self) -> str:
        """Return the address for people: host, port and database."""
        host = self.parts.get("host") or self.parts.get("hostaddr") or self.parts.get("service") or "the usual socket"
        port = f":{self.parts['port']}" if "port" in self.parts else ""
        return f"{host}{port}/{self.parts.get('dbname', '')}"

    def clean(self, text: str) -> str:
        """Return `text` without the password, on one line."""
        password = str(self.parts.get("password") or "")
        line = " ".join(text.split())
        return line.replace(password, HIDDEN) if password else line

    def connect(self) -> psycopg.Connection[Any]:
        """Open a connection that commits each statement. Errors: those of psycopg."""
        connection: psycopg.Connection[Any] = _connection_class().connect(
            **{"connect_timeout": CONNECT_S, "application_name": "codeagentd", "tcp_user_timeout": 10_000} | self.parts,
            autocommit=True,
        )
        return connection


@functools.cache
def _connection_class() -> Any:
    class PatientConnection(driver().Connection):  # type: ignore[misc]
        """A connection whose statements end after `patience_s`, also when the server has stopped without a word."""

        patience_s = STATEMENT_S
        only_reads = False
        has_pgvector = False

        def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
            """Wait for the server, not longer than the patience."""
            if not arguments and options.get("timeout") is None:
                options["timeout"] = self.patience_s
            return super().wait(gen, *arguments, **options)

    return PatientConnection


def is_conflict(error: Exception) -> bool:
    """Whether a transaction ended because another one changes the same."""
    return bool(_CONFLICTS.match(getattr(error, "sqlstate", None) or ""))


def coded(error: Exception, address: ServerAddress, role: str = "") -> CodedError:
    """Return psycopg's `error` as one with a code and a remedy."""
    state = getattr(error, "sqlstate", None) or ""
    text = address.clean(str(error))[:300]
    if is_conflict(error):
        return WriteConflict(f"another change was in the way: {text}", remedy="try again")
    if state in _PRIVILEGE:
        return StoreFailed(
            f"{role or 'this role'} may not do that on {address}: {text.partition(' CONTEXT')[0]}",
            remedy="ask the database's owner for `codeagentd memory grant`",
        )
    if isinstance(error, (driver().DataError, UnicodeError)):
        return InvalidParameter(
            f"the team's database cannot hold a character of that: {text}", remedy="leave out NUL characters"
        )
    if not state or _AWAY.match(state):
        return ServerAway(f"the team's memories at {address} are away: {text}", remedy=_WAITING)
    return StoreFailed(f"{address} refused a statement: {text}", remedy="`codeagentd memory status` examines it")

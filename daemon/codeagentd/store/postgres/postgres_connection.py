"""A connection to the server in a transaction, which executes the named statements of store/postgres/sql."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from codeagentd.store.memory_backend import Parameters, Row
from codeagentd.store.statements import statements

from .postgres_recall import PostgresRecall
from .signs import Signs
from .word_rarities import WordRarities

if TYPE_CHECKING:
    import psycopg

PACKAGE: Final = "codeagentd.store.postgres"


class PostgresConnection:
    """One connection. Parameters are positional or a mapping, as for SQLite."""

    spans_machines = True

    def __init__(self, connection: psycopg.Connection[Any], rarities: WordRarities, signs: Signs) -> None:
        self.connection = connection
        self._rarities = rarities
        self._signs = signs

    @property
    def recall(self) -> PostgresRecall:
        """Search over the memories."""
        has_pgvector = getattr(self.connection, "has_pgvector", False)
        return PostgresRecall(self, self._rarities, self._signs, has_pgvector=has_pgvector)

    def all(self, name: str, parameters: Parameters = ()) -> list[Row]:
        """Return every row of the statement `name`."""
        return self._executed(name, parameters).fetchall()

    def each(self, name: str, parameters: Parameters = ()) -> Iterator[Row]:
        """Iterate over the rows of the statement `name`."""
        return iter(self._executed(name, parameters))

    def row(self, name: str, parameters: Parameters = ()) -> Row | None:
        """Return the first row of the statement `name`, or None."""
        return self._executed(name, parameters).fetchone()

    def value(self, name: str, parameters: Parameters = (), default: Any = None) -> Any:
        """Return the first column of the first row of the statement `name`, or `default` without a row."""
        row = self.row(name, parameters)
        return default if row is None else row[0]

    def run(self, name: str, parameters: Parameters = ()) -> None:
        """Execute the statement `name` for its effect."""
        self._executed(name, parameters)

    def run_many(self, name: str, rows: Any) -> None:
        """Execute the statement `name` once for each of `rows`, its parameters."""
        with self.connection.cursor() as cursor:
            cursor.executemany(_sql(name), rows)

    def _executed(self, name: str, parameters: Parameters) -> psycopg.Cursor[Row]:
        return self.connection.cursor(binary=True).execute(_sql(name), parameters, prepare=True)


def _sql(name: str) -> bytes:
    """Return the text of the statement with this full name. A KeyError means that no file has it."""
    return statements(PACKAGE)[name].encode()

"""What a database of the product has stored, by name, for tests that look behind the answers.

Files and symbols of the repository have numbers above zero, external ones below.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import apsw
import msgspec

from codeagentd.model.analysis import NodeRow
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.store.connection import Database, Row
from codeagentd.store.memory_backend import MemoryBackend

if TYPE_CHECKING:
    from codeagentd.store.postgres.postgres_connection import PostgresConnection

_FILES: Final = (
    "SELECT id, path, language, status, reason, size, digest, generated, chunked, clean IS NOT NULL, resolved, length(names), symbols"
    " FROM files ORDER BY path"
)
_SYMBOLS: Final = (
    "SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, f.path, s.line, s.col, s.line_start, s.line_end, s.flags, s.access, s.signature,"
    " s.parameters, s.returns, s.type, s.bases, s.body, s.parent IS NULL, p.qualified_name"
    " FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent"
)
_REFERENCES: Final = (
    "SELECT f.path, r.line, r.col, r.kind, r.confidence, r.origin, r.key, n.name, s.uid, s.qualified_name, r.target, t.uid, t.name,"
    " t.qualified_name, tf.path, t.line, t.id IS NOT NULL AND t.parent IS NULL"
    " FROM refs r JOIN files f ON f.id = r.id >> 20 JOIN symbols s ON s.id = r.source LEFT JOIN names n ON n.key = r.key"
    " LEFT JOIN symbols t ON t.id = r.target LEFT JOIN files tf ON tf.id = t.file ORDER BY r.id"
)


class StoredFile(msgspec.Struct, frozen=True):
    """A row of `files`."""

    id: int
    path: str
    language: str | None
    status: str
    reason: str
    size: int
    digest: bytes | None
    is_generated: int
    chunked: int  # 0: not yet, 1: with its text, 3: without
    is_clean: int  # it was searched for secrets, and has none
    is_resolved: int
    names: int | None  # bytes of the names that it mentions
    symbols: bytes | None


class StoredSymbol(msgspec.Struct, frozen=True):
    """A row of `symbols`, with the file of its primary span."""

    id: int
    uid: bytes
    name: str
    qualified_name: str
    kind: int
    path: str
    line: int
    col: int
    line_start: int
    line_end: int
    flags: int
    access: str
    signature: str | None
    parameters: int | None
    returns: str | None
    type: str
    bases: str
    body: int
    is_file: int
    parent: str | None  # its qualified name


class StoredReference(msgspec.Struct, frozen=True):
    """A row of `refs`, with what it leads to; `target_id` is None where it is left open."""

    path: str
    line: int
    col: int
    kind: int
    confidence: int
    origin: int
    key: int
    name: str | None  # None where no symbol of the repository has it
    source_uid: bytes
    source: str  # its qualified name
    target_id: int | None
    target_uid: bytes | None
    target_name: str | None
    target: str | None  # its qualified name
    target_path: str | None
    target_line: int | None
    is_to_file: int

    @property
    def is_internal(self) -> bool:
        """Whether it leads to a symbol of the repository."""
        return self.target_id is not None and self.target_id > 0


class StoredRows:
    """The rows of index.db. `query` runs a statement with its parameters, and may open a snapshot for it."""

    def __init__(self, query: Callable[..., list[Row]]) -> None:
        self._query = query

    def files(self, *, external: bool = False) -> list[StoredFile]:
        """The files of the repository by path, and those that stand for other packages."""
        files = [StoredFile(*row) for row in self._query(_FILES)]
        return [file for file in files if external or file.id > 0]

    def paths(self) -> list[str]:
        """The paths of the repository's files."""
        return [file.path for file in self.files()]

    def file(self, path: str) -> StoredFile | None:
        """A file."""
        return next((file for file in self.files() if file.path == path), None)

    def path_of(self, file: int) -> str:
        """The path of the file with this number; "" where there is none."""
        return next((known.path for known in self.files(external=True) if known.id == file), "")

    def symbols(self, *names: str, external: bool = False) -> list[StoredSymbol]:
        """The symbols of these names; without names all."""
        symbols = [StoredSymbol(*row) for row in self._query(f"{_SYMBOLS} ORDER BY s.id")]
        return [symbol for symbol in symbols if (external or symbol.id > 0) and (symbol.name in names or not names)]

    def symbol(self, qualified_name: str) -> StoredSymbol:
        """The one symbol with this qualified name."""
        (symbol,) = [symbol for symbol in self.symbols() if symbol.qualified_name == qualified_name]
        return symbol

    def symbol_of_id(self, number: int) -> StoredSymbol | None:
        """The symbol with this number."""
        return next((StoredSymbol(*row) for row in self._query(f"{_SYMBOLS} WHERE s.id = ?", number)), None)

    def name_of(self, key: int) -> str:
        """The name with this key; "" where no symbol of the repository has it."""
        return next((str(name) for (name,) in self._query("SELECT name FROM names WHERE key = ?", key)), "")

    def count_symbols(self, *names: str) -> int:
        """How many symbols have these names."""
        return len(self.symbols(*names))

    def references(self) -> list[StoredReference]:
        """All references, file by file."""
        return [StoredReference(*row) for row in self._query(_REFERENCES)]

    def callers(self, name: str) -> set[tuple[str, str, int]]:
        """The places where references lead to the symbols called `name`: (qualified name of the source, path, line)."""
        rows = self._query(
            "SELECT s.qualified_name, f.path, r.line FROM refs r JOIN symbols s ON s.id = r.source "
            "JOIN files f ON f.id = s.file JOIN symbols t ON t.id = r.target WHERE t.name = ?",
            name,
        )
        return {(source, path, line) for source, path, line in rows}

    def targets(self, name: str) -> list[str]:
        """The qualified name of what each reference to a symbol of this name leads to."""
        return [str(reference.target) for reference in self.references() if reference.target_name == name]

    def count_lost_references(self) -> int:
        """How many references lead to a symbol that is not there."""
        return self._count("refs WHERE target > 0 AND target NOT IN (SELECT id FROM symbols)")

    def spans(self) -> list[tuple[int, str, int]]:
        """(symbol, path, line) of each place of the symbols that have several."""
        rows = self._query("SELECT s.symbol, f.path, s.line FROM spans s JOIN files f ON f.id = s.file")
        return sorted((symbol, path, line) for symbol, path, line in rows)

    def used_elsewhere(self, without: Collection[int]) -> list[tuple[str, str, int, int, int, int, int]]:
        """(path, name, line, column, first line, last line, kind) of definitions that other files refer to, without
        some kinds of symbols.
        """
        kinds = ", ".join(map(str, map(int, without)))
        rows = self._query(
            "SELECT DISTINCT f.path, s.name, s.line, s.col, s.line_start, s.line_end, s.kind"
            " FROM refs r JOIN symbols s ON s.id = r.target JOIN files f ON f.id = s.file"
            f" WHERE f.id > 0 AND r.id >> 20 <> f.id AND s.kind NOT IN ({kinds}) ORDER BY f.path, s.line, s.col, s.name, s.kind"
        )
        return cast("list[tuple[str, str, int, int, int, int, int]]", rows)

    def mentions(self, kinds: Collection[int]) -> list[tuple[str, str, int, int, int, int, int]]:
        """As `used_elsewhere`, where references of some kinds mention a definition: its name and kind, their line."""
        rows = self._query(
            "SELECT f.path, s.name, r.line, r.col, r.line, r.line, s.kind"
            " FROM refs r JOIN symbols s ON s.id = r.target JOIN files f ON f.id = r.id >> 20"
            f" WHERE r.kind IN ({', '.join(map(str, map(int, kinds)))}) ORDER BY f.path, r.line, r.col, s.name, s.kind"
        )
        return cast("list[tuple[str, str, int, int, int, int, int]]", rows)

    def links(self) -> set[tuple[str, str]]:
        """(file, file that it uses) for files of the repository."""
        rows = self._query(
            "SELECT u.path, d.path FROM links l JOIN files u ON u.id = l.user JOIN files d ON d.id = l.used WHERE d.id > 0"
        )
        return {(user, used) for user, used in rows}

    def chunks(self) -> list[tuple[str, int, int]]:
        """(path, first line, last line) of each piece of text."""
        rows = self._query("SELECT f.path, c.line_start, c.line_end FROM chunks c JOIN files f ON f.id = c.id >> 20")
        return sorted((path, first, last) for path, first, last in rows)

    def count_chunks_with(self, word: str) -> int:
        """How many pieces of text have a word."""
        return self._count("chunks_fts WHERE chunks_fts MATCH ?", f'"{word}"')

    def count_symbols_with(self, word: str) -> int:
        """How many symbols full-text search finds by a word."""
        return self._count("symbols_fts WHERE symbols_fts MATCH ?", f'"{word}"')

    def segment_pages(self, table: str) -> list[int]:
        """The pages of each segment of a full-text table."""
        return [pages for (pages,) in self._query(f"SELECT count(*) FROM {table}_idx GROUP BY segid")]

    def symbols_with_vectors(self) -> list[int]:
        """The numbers of the symbols that have a vector."""
        return [symbol for (symbol,) in self._query("SELECT symbol FROM vectors ORDER BY symbol")]

    def communities(self) -> dict[str, int]:
        """The community of each symbol, by its qualified name."""
        rows = self._query("SELECT s.qualified_name, n.community FROM nodes n JOIN symbols s ON s.id = n.symbol")
        return dict(rows)

    def community_sums(self) -> dict[int, tuple[int, ...]]:
        """By community: (symbols, edges inside of it, certain, inferred and ambiguous ones, symbols without edges)."""
        rows = self._query("SELECT id, size, inside, exact, inferred, ambiguous, isolated FROM communities")
        return {community: tuple(sums) for community, *sums in rows}

    def nodes(self) -> list[NodeRow]:
        """What is stored of each node of the graph."""
        return [NodeRow(*row) for row in self._query("SELECT * FROM nodes")]

    def _count(self, rest: str, *parameters: object) -> int:
        ((count,),) = self._query(f"SELECT count(*) FROM {rest}", *parameters)
        return int(count)


def stored_rows(database: Database) -> StoredRows:
    """The rows of an open index."""
    return StoredRows(lambda query, *parameters: database.connection.execute(query, parameters).fetchall())


def rows_of_engine(engine: IndexingEngine) -> StoredRows:
    """The rows of an engine's index, as of each question."""

    def query(statement: str, *parameters: object) -> list[Row]:
        with engine.readers.read() as database:
            return database.connection.execute(statement, parameters).fetchall()

    return StoredRows(query)


def count_rows(connection: apsw.Connection, table: str) -> int:
    """How many rows a table has, of whichever database."""
    count: int
    ((count,),) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()  # type: ignore[assignment]
    return count


def everything_kept(store: MemoryBackend) -> list[tuple[str, bytes]]:
    """(name, content) of every file of a local memory database, or of every table on a server."""
    if store.file:
        return [(file.name, file.read_bytes()) for file in store.file.parent.iterdir() if file.is_file()]
    with store.read() as db:
        connection = cast("PostgresConnection", db).connection
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'codeagent'").fetchall()
        return [
            (str(table), str(connection.execute(f"SELECT t::text FROM {table} t".encode()).fetchall()).encode())
            for (table,) in tables
        ]


def count_facts(blobs: Path) -> int:
    """How many contents blobs.db has facts of."""
    connection = apsw.Connection(str(blobs), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return count_rows(connection, "facts")
    finally:
        connection.close()


def facts_by_key(blobs: Path) -> dict[tuple[bytes, str, int], bytes]:
    """The facts in a blobs.db, by digest, language and version."""
    database = Database(blobs)
    try:
        return {
            row[:3]: row[3] for row in database.connection.execute("SELECT digest, language, version, blob FROM facts")
        }
    finally:
        database.close()


def stored_vectors(blobs: Database) -> dict[Any, bytes]:
    """The vector of each passage that blobs.db has."""
    return dict(blobs.connection.execute("SELECT passage, vector FROM vectors"))

"""Does an index keep of each file what would be found now? All are resolved once more from the same facts, in memory, and nothing is written."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from codeagentd.languages.versions import version_of
from codeagentd.model.facts import FileFacts, unpack
from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import Confidence, Origin, ReferenceKind
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.workers.messages import STORED_COLUMNS
from codeagentd.pipeline.workers.resolver import Resolver
from codeagentd.store.connection import Database, Row

Rows = Counter[tuple[int, ...]]

_MISTAKEN: Final = "SELECT path, reason FROM files WHERE status = 'failed' AND reason LIKE 'internal error%'"
_FILES: Final = (
    "SELECT id, path, language, digest, symbols, resolved FROM files WHERE id > 0 AND symbols IS NOT NULL ORDER BY id"
)
_SYMBOL: Final = "SELECT s.qualified_name, f.path FROM symbols s JOIN files f ON f.id = s.file WHERE s.id = ?"
_NAME: Final = "SELECT name FROM names WHERE key = ?"


class Judge:
    """Judges one index, time and again: the facts of files are read once."""

    def __init__(self, index: Path, blobs: Path) -> None:
        self._index, self._blobs = index, blobs
        self._facts: dict[tuple[bytes, str], FileFacts] = {}

    def stale(self) -> Iterator[str]:
        """What differs, a line each: references, and bases of types."""
        with closing(Database(self._index)) as database, closing(Database(self._blobs)) as blobs:
            query = database.connection.execute
            query("BEGIN")
            world = StoredSymbolTable(database, ProjectMap.unpack(database.value("writer.meta", ("projects",))))
            world.warm()
            resolver = Resolver(database, world)
            yield from (f"{path}: {reason}" for path, reason in query(_MISTAKEN))
            files: list[Row] = query(_FILES).fetchall()
            for file, path, language, digest, symbols, is_resolved in files:
                if not is_resolved:
                    yield f"{path} is left to be resolved"
                linked = resolver.resolve(file, self._read(blobs, digest, language), symbols)
                if linked.failure:
                    yield f"{path}: {linked.failure}"
                found = _rows([row[1:] for row in database.all("writer.refs_of_file", numbers_of(file))])
                numbers = array("q", linked.columns).tolist()
                meant = _rows(
                    [tuple(numbers[at + 1 : at + STORED_COLUMNS]) for at in range(0, len(numbers), STORED_COLUMNS)]
                )
                for said, rows in (("kept", found - meant), ("found anew", meant - found)):
                    yield from (f"{path}, only {said}: {_told(database, row)}" for row in rows)
                if linked.heritage != (database.value("world.heritage", (file,)) or b""):
                    yield f"{path}: types have other bases than those that are kept"

    def _read(self, blobs: Database, digest: bytes, language: str) -> FileFacts:
        asked = (digest, language)
        if asked not in self._facts:
            self._facts[asked] = unpack(blobs.value("blobs.facts", (*asked, version_of(language))))
        return self._facts[asked]


def _rows(rows: list[tuple[int, ...]]) -> Rows:
    return Counter(rows)


def _told(database: Database, row: tuple[int, ...]) -> str:
    """A reference as people read it."""
    key, target, source, kind, confidence, origin, line, col = row
    query = database.connection.execute
    name = (query(_NAME, (key,)).fetchone() or (key,))[0]
    of, to = (" in ".join(query(_SYMBOL, (symbol,)).fetchone() or (str(symbol),)) for symbol in (source, target))
    said = f"{ReferenceKind(kind).name} {Confidence(confidence).name} {Origin(origin).name}".lower()
    return f"{line}:{col} `{name}` of {of} -> {to if target else 'open'} ({said})"

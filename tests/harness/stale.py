"""Does an index keep of each file what would be found now? All are resolved once more from the same facts, in memory, and nothing is written."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from codeagentd.languages.versions import version_of
from codeagentd.model.facts import FileFacts, unpack
from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import Confidence, Origin, ReferenceKind
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.workers.messages import STORED_COLUMNS
from codeagentd.pipeline.workers.resolver import Resolver
from codeagentd.store.connection import Database

from .stored_rows import stored_rows

Rows = Counter[tuple[int, ...]]


class Judge:
    """Judges one index, time and again: the facts of files are read once."""

    def __init__(self, index: Path, blobs: Path) -> None:
        self._index, self._blobs = index, blobs
        self._facts: dict[tuple[bytes, str], FileFacts] = {}

    def stale(self) -> Iterator[str]:
        """What differs, a line each: references, and bases of types."""
        with closing(Database(self._index)) as database, closing(Database(self._blobs)) as blobs:
            database.connection.execute("BEGIN")
            world = StoredSymbolTable(database, ProjectMap.unpack(database.value("writer.meta", ("projects",))))
            world.warm()
            resolver = Resolver(database, world)
            files = stored_rows(database).files()
            mistaken = [file for file in files if file.status == "failed" and file.reason.startswith("internal error")]
            yield from (f"{file.path}: {file.reason}" for file in mistaken)
            for row in sorted(files, key=lambda row: row.id):
                if row.symbols is None or row.digest is None or row.language is None:
                    continue
                file, path = row.id, row.path
                if not row.is_resolved:
                    yield f"{path} is left to be resolved"
                linked = resolver.resolve(file, self._read(blobs, row.digest, row.language), row.symbols)
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
            facts = unpack(blobs.value("blobs.facts", (*asked, version_of(language))))
            assert facts is not None, f"blobs.db has no facts of {language} for {digest.hex()}"
            self._facts[asked] = facts
        return self._facts[asked]


def _rows(rows: list[tuple[int, ...]]) -> Rows:
    return Counter(rows)


def _told(database: Database, row: tuple[int, ...]) -> str:
    """A reference as people read it."""
    key, target, source, kind, confidence, origin, line, col = row
    stored = stored_rows(database)
    name = stored.name_of(key) or key
    of, to = (
        f"{symbol.qualified_name} in {symbol.path}" if (symbol := stored.symbol_of_id(number)) else str(number)
        for number in (source, target)
    )
    said = f"{ReferenceKind(kind).name} {Confidence(confidence).name} {Origin(origin).name}".lower()
    return f"{line}:{col} `{name}` of {of} -> {to if target else 'open'} ({said})"

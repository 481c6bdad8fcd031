"""An index made by hand: the real schema in a real database file, filled row by row."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

import apsw

from codeagentd.model.identifier_words import split_words
from codeagentd.model.ids import FILE_SHIFT, derive_uid, name_key, node_id
from codeagentd.model.kinds import Confidence, Origin, ReferenceKind, SymbolKind
from codeagentd.store.connection import Database, ReaderPool
from codeagentd.store.migrations import migrations


@functools.cache
def _empty() -> bytes:
    """An empty index as a file's bytes: running the schema scripts for every test would take most of its time."""
    database = apsw.Connection(":memory:")
    for script in migrations("index"):
        database.execute(script)
    return database.serialize("main")


class SampleIndex:
    """Adds projects, files, symbols and references; ids are row ids, so that a test can name them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(_empty())
        self._db = apsw.Connection(str(path))
        self._db.execute("PRAGMA journal_mode=wal; PRAGMA synchronous=off")
        self._projects: dict[str, int] = {}
        self._references: dict[int, int] = {}
        self._symbols = 0

    def begin(self) -> None:
        """Begin one transaction for many rows."""
        self._db.execute("BEGIN")

    def commit(self) -> None:
        """End it."""
        self._db.execute("COMMIT")

    def file(
        self,
        path: str,
        language: str | None = "python",
        project: str = "python:.",
        status: str = "full",
        reason: str = "",
    ) -> int:
        """A file; its id."""
        self._db.execute(
            "INSERT INTO files(path, language, project, status, reason, size) VALUES (?, ?, ?, ?, ?, 0)",
            (path, language, self._project(project), status, reason),
        )
        return self._db.last_insert_rowid()

    def _project(self, key: str) -> int:
        if key not in self._projects:
            language, _, name = key.partition(":")
            self._db.execute(
                "INSERT INTO projects(key, language, name, root) VALUES (?, ?, ?, '')", (key, language, name)
            )
            self._projects[key] = self._db.last_insert_rowid()
        return self._projects[key]

    def symbol(
        self,
        file: int,
        qualified_name: str,
        kind: SymbolKind = SymbolKind.FUNCTION,
        parent: int | None = None,
        lines: tuple[int, int] = (1, 1),
        *,
        name: str = "",
        col: int = 0,
        flags: int = 0,
        access: str = "public",
        signature: str | None = None,
        parameters: int | None = None,
        returns: str | None = None,
        discriminator: str = "",
    ) -> int:
        """A symbol; its id. Its name is the last part of the qualified name unless given."""
        name = name or re.split(r"::|\.", qualified_name)[-1]
        uid = derive_uid("any", "any", qualified_name, str(int(kind)), f"{file}:{lines[0]}:{discriminator}")
        row = (
            uid,
            file,
            parent,
            int(kind),
            flags,
            name_key(name),
            name,
            qualified_name,
            *lines,
            lines[0],
            col,
            access,
            signature,
            parameters,
            returns,
        )
        self._db.execute(
            "INSERT INTO symbols(uid, file, parent, kind, flags, key, name, qualified_name, line_start, line_end, line, col, access, signature,"
            " parameters, returns, body) VALUES (" + "?, " * len(row) + "0)",
            row,
        )
        number = self._db.last_insert_rowid()
        self._db.execute(
            "INSERT INTO symbols_fts(rowid, name, words, qualified_name, signature, returns) VALUES (?, ?, ?, ?, ?, ?)",
            (number, name, " ".join(split_words(name)), qualified_name, signature, returns),
        )
        if not self._value("SELECT count(*) FROM names WHERE key = ?", name_key(name)):
            self._db.execute("INSERT INTO names(key, name) VALUES (?, ?)", (name_key(name), name))
            self._db.execute("INSERT INTO names_trigram(rowid, name) VALUES (?, ?)", (name_key(name), name))
        return number

    def span(self, symbol: int, file: int, first: int, last: int) -> None:
        """One place of a symbol that has several; the primary one is among them."""
        self._db.execute(
            "INSERT INTO spans(symbol, file, line_start, line_end, line) VALUES (?, ?, ?, ?, ?)",
            (symbol, file, first, last, first),
        )

    def reference(
        self,
        source: int,
        target: int | None,
        kind: ReferenceKind = ReferenceKind.CALL,
        line: int = 1,
        col: int = 0,
        *,
        name: str = "",
        confidence: Confidence = Confidence.EXACT,
        origin: Origin = Origin.SCOPE,
        file: int | None = None,
    ) -> None:
        """A reference, in the source's file unless told otherwise; `target` None: an open member reference by `name`."""
        place = file or self._value("SELECT file FROM symbols WHERE id = ?", source)
        number = self._references[place] = self._references.get(place, -1) + 1
        key = name_key(name) if name else self._value("SELECT key FROM symbols WHERE id = ?", target)
        row = (place << FILE_SHIFT | number, key, target, source, int(kind), int(confidence), int(origin), line, col)
        self._db.execute(
            "INSERT INTO refs(id, key, target, source, kind, confidence, origin, line, col) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            row,
        )

    def override(self, member: int, base: int, confidence: Confidence = Confidence.EXACT) -> None:
        """The reference of a member that overrides another, at the overriding one's line."""
        line = self._value("SELECT line FROM symbols WHERE id = ?", member)
        kind, origin = ReferenceKind.OVERRIDE, Origin.OVERRIDE
        self.reference(member, base, kind, line, confidence=confidence, origin=origin)

    def move_outside(self, symbol: int) -> None:
        """Give a symbol the number of one that is outside of the repository."""
        self._db.execute("UPDATE symbols SET id = -id WHERE id = ?", (symbol,))

    def node_id(self, symbol: int) -> str:
        """A symbol's id as answers show it."""
        uid = self._db.execute("SELECT uid FROM symbols WHERE id = ?", (symbol,)).fetchone()[0]
        return node_id(uid)

    def remove(self, *symbols: int) -> None:
        """Take symbols out of the index."""
        self._db.execute("DELETE FROM symbols WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(symbols),))

    def _value(self, statement: str, parameter: int | None) -> int:
        return int(self._db.execute(statement, (parameter,)).fetchone()[0])

    def database(self) -> Database:
        """A connection to read with."""
        return Database(self.path)

    def readers(self) -> ReaderPool:
        """A pool of such connections."""
        return ReaderPool(self.path, 2)

    def close(self) -> None:
        """Close the connection that fills it."""
        self._db.close()

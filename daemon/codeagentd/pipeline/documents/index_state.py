"""One state of index.db as documents are resolved against it: its rows, read when they are first needed, and kept."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Mapping

from codeagentd.model.namespace_macros import Opening
from codeagentd.pipeline.batch.repository_macros import known_openings
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.rows.symbol_row import ID, UID
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.scan.projects.detection import Detected
from codeagentd.store.connection import Database


class IndexState:
    """The index in one generation. Its methods read the database, and have to be called in one transaction of that
    generation each.
    """

    def __init__(self, database: Database, generation: int, projects: ProjectMap) -> None:
        self.database = database
        self.generation = generation
        self.projects = projects
        self.table = StoredSymbolTable(database, projects)
        self.paths: Collection[str] = StoredPaths(database)
        self._by_uid: dict[bytes, int] = {}
        self._identities: dict[bytes, bytes] = {}
        self._of_files: dict[int, Mapping[bytes, int]] = {}

    @functools.cached_property
    def openings(self) -> Mapping[str, Opening]:
        """The macros of the repository that open namespaces."""
        return known_openings(self.database)

    @functools.cached_property
    def dialect_sources(self) -> frozenset[str]:
        """The languages with dialects of which the repository has source files, as of languages.dialects."""
        return frozenset(str(self.database.value("writer.meta", ("sources",), "")).split())

    def identity(self, derived: bytes) -> bytes:
        """Return the uid of a symbol whose uid would be `derived`: another one where it was renamed or moved."""
        if derived not in self._identities:
            self._identities[derived] = self.database.value("world.identity", (derived,), derived)
        return self._identities[derived]

    def symbol_with_uid(self, uid: bytes) -> int:
        """Return the id of the symbol with this uid; 0 if there is none."""
        if uid not in self._by_uid:
            self._by_uid[uid] = int(self.database.value("world.by_uid", (uid,), 0))
        return self._by_uid[uid]

    def ids_by_uid(self, file: int) -> Mapping[bytes, int]:
        """Return the ids of the symbols whose rows name the file with the id `file`, by their uids."""
        if file not in self._of_files:
            rows = self.database.all("world.symbol_rows", (file,))
            self._of_files[file] = {row[UID]: row[ID] for row in rows}
        return self._of_files[file]

    def symbols_of(self, file: int) -> list[Symbol]:
        """Return the symbols whose rows name the file with the id `file`."""
        self.table.read_symbols_of(file)
        return [self.table.symbol(symbol) for symbol in self.ids_by_uid(file).values()]

    def access(self, symbol: int) -> str:
        """Return the access of a symbol that the index has: public, private, …; '' for any other."""
        return str(self.database.value("world.access", (symbol,), ""))

    def names_beginning(self, prefix: str, most: int) -> list[str]:
        """Return names of the repository that begin with `prefix`, of three letters or more and of whatever case; the
        shortest first.
        """
        text = prefix.lower()
        trigrams = " AND ".join(f'"{text[at : at + 3]}"' for at in range(len(text) - 2))
        begins = "".join(f"\\{sign}" if sign in "%_\\" else sign for sign in prefix) + "%"
        parameters = {"match": trigrams, "pattern": begins, "begins": begins, "text": "", "furthest": 0, "scan": most}
        return [name for _, name in self.database.all("lens.names_by_trigrams", parameters)]

    def is_declared_elsewhere(self, symbol: int, file: int) -> bool:
        """Whether another file than `file` declares the symbol with the id `symbol` too."""
        return any(other != file for other in self.table.declaring_files(symbol))


class ProjectsOfIndex:
    """The projects of the repository as the index has them; decoded again only when they have changed."""

    def __init__(self) -> None:
        self._packed = b""
        self._projects = ProjectMap()

    def read(self, database: Database) -> ProjectMap:
        """Return the projects with their ids."""
        packed = bytes(database.value("writer.meta", ("projects",), b""))
        if packed != self._packed:
            detected = ProjectMap.unpack(packed).detected if packed else Detected()
            self._packed, self._projects = packed, ProjectMap(detected)
        return self._projects.with_ids({key: number for number, key in database.all("writer.projects")})


class StoredPaths(Collection[str]):
    """The paths of all files of the index, looked up one by one: rules of module names ask about few."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __contains__(self, path: object) -> bool:
        return self._database.row("world.file_row", (path,)) is not None

    def __iter__(self) -> Iterator[str]:
        return (path for (path,) in self._database.each("federation.paths"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

"""The symbol table of resolution, over one connection to index.db."""

from __future__ import annotations

import functools
import json
import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import SymbolFlag
from codeagentd.model.parameters import language_family
from codeagentd.resolve.symbol_table import Aliases, File, Import, IncludeEdges, Symbol
from codeagentd.store.connection import Database, Row

from .index_rows import key_of
from .project_map import ProjectMap

_LOCAL: Final = int(SymbolFlag.LOCAL)


class StoredSymbolTable:
    """Implements `resolve.symbol_table.SymbolTable` over index.db. Rows are read when they are first needed, or all at
    once by `warm`, and kept. `include_edges`: those that are known, to which others are added.
    """

    def __init__(self, database: Database, projects: ProjectMap, include_edges: IncludeEdges | None = None) -> None:
        self.include_edges: IncludeEdges = {} if include_edges is None else include_edges
        self._database = database
        self.projects = projects
        self.is_warm = False
        self._files: dict[int, File] = {}
        self._paths: dict[str, File | None] = {}
        self._modules: dict[str, tuple[File, ...]] = {}
        self._namespaces: dict[str, bool] = {}
        self._packages: dict[str, bool] = {}
        self._declared: dict[int, Sequence[str]] = {}
        self._below: Mapping[int, Sequence[Symbol]] = {}  # of each symbol that `warm` has read: those inside it
        self._contents: dict[int, tuple[bytes, bytes]] = {}
        self._symbols: dict[int, Symbol] = {}
        self._members: dict[int, Mapping[str, Sequence[Symbol]]] = {}
        self._crowded: set[tuple[int, str]] = set()
        self._qualified: dict[tuple[str, str], Sequence[Symbol]] = {}
        self._named: dict[tuple[str, str], Sequence[Symbol]] = {}
        self._outside_types: dict[tuple[str, str], Sequence[Symbol]] = {}
        self._places: dict[int, Sequence[int]] = {}
        self._imports: dict[int, Sequence[Import]] = {}
        self._global: dict[tuple[str, int], tuple[Import, ...]] = {}
        self._names: dict[int, str] = {}
        self._keys: dict[str, dict[int, bool]] = defaultdict(dict)  # by the first language of a family
        self._value_keys: dict[tuple[int, str], bool] = {}

    def warm(self) -> None:
        """Read everything except the symbols of data languages. Where most files are resolved, that is faster than
        single queries.
        """
        modules: dict[str, list[File]] = defaultdict(list)
        for row in self._database.all("world.files"):
            file = self._file(row)
            for name in {row[5], row[6]} - {""}:
                modules[name].append(file)
                while (cut := name.rfind(".")) > 0:
                    name = name[:cut]
                    self._namespaces[name] = True
        self._modules = {name: tuple(sorted(files, key=_path)) for name, files in modules.items()}
        read = json.dumps([name for name in languages() if not _is_data(name)])
        for row in self._database.each("world.symbols", (read,)):
            self._symbol(row)
        below: dict[int, list[Symbol]] = defaultdict(list)
        for _, symbol in sorted(self._symbols.items()):
            below[symbol.parent].append(symbol)
        inside: dict[int, Sequence[Symbol]] = dict.fromkeys(self._symbols, ())
        inside.update(below)
        self._below = inside
        self._contents = {file: (digest, symbols) for file, digest, symbols in self._database.all("world.contents")}
        places: dict[int, list[int]] = defaultdict(list)
        for symbol, file_id in self._database.all("world.all_places"):
            places[symbol].append(file_id)
        self._places = dict(places)
        imports: dict[int, list[Import]] = defaultdict(list)
        for file_id, local, module, name, exported in self._database.all("world.all_imports"):
            imports[file_id].append(Import(local, module, name, bool(exported)))
        self._imports = dict(imports)
        for key, language in self._database.all("world.member_keys", (read,)):
            self._keys[language_family(language)[0]][key] = True
        self.is_warm = True

    def file(self, file: int) -> File:
        """Return the file with the id `file`."""
        result = self._files.get(file)
        if result is None:
            row = self._database.row("world.file_by_id", (file,))
            if row is None:
                raise KeyError(f"no file {file}")
            result = self._file(row)
        return result

    def content(self, file: int) -> tuple[bytes, bytes]:
        """Return (digest, packed symbol ids) of the file with the id `file`; not part of `SymbolTable`."""
        if self.is_warm:
            return self._contents.get(file, (b"", b""))
        row = self._database.row("world.content", (file,))
        return (row[0], row[1]) if row else (b"", b"")

    def file_at(self, path: str) -> File | None:
        """Return the indexed file at `path`; None if there is none."""
        if path not in self._paths:
            if self.is_warm:
                return None
            row = self._database.row("world.file_by_path", (path,))
            self._paths[path] = self._file(row) if row else None
        return self._paths[path]

    def files_of_module(self, name: str) -> Sequence[File]:
        """Return the files that an import of the dotted name `name` leads to."""
        if name not in self._modules:
            if self.is_warm or not name:  # files without a module are no module
                return ()
            self._modules[name] = tuple(
                sorted(
                    (self._file(row) for row in self._database.all("world.files_of_module", (name, name))), key=_path
                )
            )
        return self._modules[name]

    def is_namespace(self, name: str) -> bool:
        """Whether modules exist below the dotted name `name`."""
        if name not in self._namespaces:
            if self.is_warm:
                return False
            first, last = f"{name}.", f"{name}/"  # '/' follows '.' in code order
            self._namespaces[name] = bool(self._database.value("world.namespace", (first, last, first, last)))
        return self._namespaces[name]

    def symbol(self, symbol: int) -> Symbol:
        """Return the symbol with the id `symbol`."""
        result = self._symbols.get(symbol)
        if result is None:
            row = self._database.row("world.symbol_by_id", (symbol,))
            if row is None:
                raise KeyError(f"no symbol {symbol}")
            result = self._symbol(row)
        return result

    def read_symbols_of(self, file: int) -> None:
        """Read all symbols of the file with the id `file` at once; not part of `SymbolTable`."""
        if not self.is_warm:
            for row in self._database.all("world.symbols_of_file", (file,)):
                self._symbol(row)

    def qualified_name(self, symbol: int) -> str:
        """Return the qualified name of the symbol with the id `symbol`."""
        name = self._names.get(symbol)
        if name is None:
            name = self._names[symbol] = str(self._database.value("world.qualified_name", (symbol,), ""))
        return name

    def members(self, parent: int) -> Mapping[str, Sequence[Symbol]]:
        """Return the symbols directly inside the symbol `parent`, by name."""
        result = self._members.get(parent)
        if result is None:
            inside = self._below.get(parent)
            if inside is None:
                inside = [self._symbol(row) for row in self._database.all("world.members", (parent,))]
            grouped: dict[str, list[Symbol]] = defaultdict(list)
            for symbol in inside:
                grouped[symbol.name].append(symbol)
            result = self._members[parent] = {name: offered(symbols) for name, symbols in grouped.items()}
            self._crowded.update(
                (parent, name)
                for name, symbols in grouped.items()
                if len(symbols) > 1 and any(symbol.flags & _LOCAL for symbol in symbols)
            )
        return result

    def has_local_duplicates(self, parent: int, name: str) -> bool:
        """Whether several symbols inside the symbol `parent` have this name, some of them inside unnamed functions."""
        self.members(parent)
        return (parent, name) in self._crowded

    def qualified(self, language: str, name: str) -> Sequence[Symbol]:
        """Return the symbols of `language` with the exact qualified name `name`."""
        key = (language, name)
        if key not in self._qualified:
            self._qualified[key] = offered(
                [self._symbol(row) for row in self._database.all("world.qualified", (name, language))]
            )
        return self._qualified[key]

    def is_package(self, name: str) -> bool:
        """Whether some file declares a namespace `name`, or one below it."""
        if self.is_warm:
            return name in self._all_packages
        if name not in self._packages:
            # '/' follows '.' in code order
            self._packages[name] = bool(self._database.value("world.package", (name, f"{name}.", f"{name}/")))
        return self._packages[name]

    @functools.cached_property
    def _all_packages(self) -> frozenset[str]:
        """Return the names of all namespaces, and of the namespaces that enclose one."""
        parts = [name.split(".") for (name,) in self._database.all("world.all_packages")]
        return frozenset(".".join(part[:count]) for part in parts for count in range(1, len(part) + 1))

    def named(self, name: str, language: str = "") -> Sequence[Symbol]:
        """Return the symbols with the bare name `name`, in `language` or those that share its names; '' for any."""
        query = (name, language)
        if query not in self._named:
            self._named[query] = self._rows_named("world.named", name, language)
        return self._named[query]

    def named_outside_types(self, name: str, language: str) -> Sequence[Symbol]:
        """Return those symbols of `named` that are no fields, methods or constructors."""
        query = (name, language)
        if query not in self._outside_types:
            self._outside_types[query] = self._rows_named("world.named_outside_types", name, language)
        return self._outside_types[query]

    def _rows_named(self, statement: str, name: str, language: str) -> list[Symbol]:
        family = language_family(language) if language else languages()
        rows = self._database.all(statement, (key_of(name),))
        return [self._symbol(row) for row in rows if row[1] == name and row[12] in family]

    def declaring_files(self, symbol: int) -> Sequence[int]:
        """Return the ids of the files that declare `symbol` if several files share it; empty for other symbols."""
        if symbol not in self._places:
            if self.is_warm:
                return ()
            self._places[symbol] = [file for (file,) in self._database.all("world.places", (symbol,))]
        return self._places[symbol]

    def packages(self, file: int) -> Sequence[str]:
        """Return the qualified names of the namespaces that `file` declares, longest first."""
        if file not in self._declared:
            self._declared[file] = sorted(
                (name for (name,) in self._database.all("world.packages_of_file", (file,))),
                key=lambda name: (-len(name), name),
            )
        return self._declared[file]

    def imports(self, file: int) -> Sequence[Import]:
        """Return the file-level imports and exports of `file`."""
        if file not in self._imports:
            if self.is_warm:
                return ()
            rows = self._database.all("world.imports", numbers_of(file))
            self._imports[file] = tuple(
                Import(local, module, name, bool(exported)) for local, module, name, exported in rows
            )
        return self._imports[file]

    def may_be_included(self, source: File) -> bool:
        """Return whether a file includes some source file of C or C++ with the name of `source`."""
        return posixpath.basename(source.path) in self._included_sources

    @functools.cached_property
    def _included_sources(self) -> frozenset[str]:
        modules = (module for (module,) in self._database.all("world.included_sources"))
        return frozenset(posixpath.basename(module.strip("<>").replace("\\", "/")) for module in modules)

    def global_imports(self, file: File) -> Sequence[Import]:
        """Return the imports that apply to all files in the project of `file`."""
        key = (file.language, file.project)
        if key not in self._global:
            known = languages()[file.language].symbols.global_imports
            rows = self._database.all("world.global_imports", key) if known else ()
            entries = self.entries(file.path, file.language) if known else ()
            self._global[key] = (
                *(Import(local, module, name, True) for local, module, name in rows),
                *(_using(name, alias) for name, (alias,) in entries),
            )
        return self._global[key]

    def has_member(self, key: int, language: str) -> bool:
        """Whether any type has a member with the name key `key`, in `language` or those that share its names."""
        family = language_family(language)
        known = self._keys[family[0]]
        if key not in known:
            if self.is_warm and not _is_data(language):
                return False
            known[key] = bool(self._database.value("world.has_member", {"key": key, "languages": json.dumps(family)}))
        return known[key]

    def has_value(self, key: int, language: str) -> bool:
        """Whether any type has a member with the name key `key` that is no method, in `language` or those that share
        its names.
        """
        query = (key, language)
        if query not in self._value_keys:
            family = json.dumps(language_family(language))
            self._value_keys[query] = bool(self._database.value("world.has_value", {"key": key, "languages": family}))
        return self._value_keys[query]

    def aliases(self, path: str) -> Aliases:
        """Return the path aliases that apply to the imports of the file at `path`."""
        return self.projects.aliases(path)

    def entries(self, path: str, language: str) -> Sequence[tuple[str, tuple[str, ...]]]:
        """Return (name, places) for each name that the manifest of the project of `path` maps to places in other
        projects.
        """
        return self.projects.project_of(path, language).entries

    def package(self, name: str) -> Sequence[str]:
        """Return the paths at which the npm package `name` of this repository may begin; empty if it is none."""
        return self.projects.package(name)

    def _file(self, row: Row) -> File:
        file = File(*row[:6])
        self._files[file.id] = file
        self._paths[file.path] = file
        return file

    def _symbol(self, row: Row) -> Symbol:
        symbol = self._symbols.get(row[0])
        if symbol is None:
            symbol = self._symbols[row[0]] = Symbol(
                row[0],
                row[1],
                row[2],
                row[3],
                row[4],
                row[5],
                row[6],
                tuple(row[7].split(",")) if row[7] else (),
                row[8] or "",
                row[9] or "",
                row[10],
                row[11],
            )
        return symbol


def offered(symbols: list[Symbol]) -> list[Symbol]:
    """Return those of several symbols of a name that are visible from other files; symbols inside unnamed functions
    only where there is nothing else.
    """
    if len(symbols) == 1:
        return symbols
    return [symbol for symbol in symbols if not symbol.flags & _LOCAL] or symbols


def _using(name: str, alias: str) -> Import:
    """Return the imports that a project declares for all its files, as the directive `global using` would."""
    module, _, last = name.rpartition(".")
    return Import("", name, "*", True) if alias == "*" else Import(alias, module or last, last if module else "", True)


@functools.cache
def _is_data(language: str) -> bool:
    """Whether the names in a language's files refer only to the same file, as in JSON."""
    known = languages()[language]
    return known.modules.is_data and known.rules.parts == "none"


def _path(file: File) -> str:
    return file.path

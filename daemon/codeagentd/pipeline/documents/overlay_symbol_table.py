"""The symbol table of a repository in which one file is a document of an editor, and all others are as indexed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.pipeline.rows.module_names import ModuleName
from codeagentd.pipeline.rows.stored_symbol_table import offered
from codeagentd.resolve.symbol_table import Aliases, File, Import, IncludeEdges, Symbol

from .index_state import IndexState
from .overlay_symbols import FIRST_TEMPORARY, DocumentSymbols

K = TypeVar("K")

_LOCAL: Final = int(SymbolFlag.LOCAL)
# as in world.has_member and world.named_outside_types; what these hold is no member of a type
_HOLDING_NO_MEMBERS: Final = frozenset(
    {
        SymbolKind.FILE, SymbolKind.MODULE, SymbolKind.NAMESPACE, SymbolKind.FUNCTION, SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY,
    }
)  # fmt: skip
_IN_TYPES: Final = frozenset({SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.FIELD})


class OverlaySymbolTable:
    """Implements `resolve.symbol_table.SymbolTable`. Symbols and imports of the document's file are those of the
    document; everything else comes from the table of the index, whose rows stay warm when the document changes.
    """

    def __init__(self, index: IndexState, module: ModuleName, document: DocumentSymbols) -> None:
        self._table = index.table
        self._document = document
        self._file = document.file
        self._modules = frozenset({module.qualified, module.imported}) - {""}
        known = self._table.include_edges
        self.include_edges: IncludeEdges = {file: edge for file, edge in known.items() if file != document.file.id}
        stored = index.symbols_of(document.file.id)
        # what other files declare too does not vanish with the document's part
        self._declared_elsewhere = {
            symbol.id for symbol in stored if index.is_declared_elsewhere(symbol.id, document.file.id)
        }
        own = document.own.values()
        self._by_name = _grouped((symbol.name, symbol) for symbol in own)
        self._by_qualified_name = _grouped((document.qualified_names[symbol.id], symbol) for symbol in own)
        self._below = _grouped((symbol.parent, symbol) for symbol in own)
        self._touched_names = {symbol.name for symbol in stored} | self._by_name.keys()
        self._touched_parents = {symbol.parent for symbol in stored} | self._below.keys() | document.own.keys()
        self._names_by_key = {key_of(name): name for name in self._touched_names}
        self._has_member: dict[tuple[str, str], bool] = {}
        self._members: dict[int, Mapping[str, Sequence[Symbol]]] = {}
        self._crowded: set[tuple[int, str]] = set()
        self._named: dict[tuple[str, str], Sequence[Symbol]] = {}
        self._outside_types: dict[tuple[str, str], Sequence[Symbol]] = {}
        self._qualified: dict[tuple[str, str], Sequence[Symbol]] = {}

    # -- files
    def file(self, file: int) -> File:
        """Return the file with the id `file`."""
        return self._file if file == self._file.id else self._table.file(file)

    def file_at(self, path: str) -> File | None:
        """Return the file at `path`; None if there is none."""
        return self._file if path == self._file.path else self._table.file_at(path)

    def files_of_module(self, name: str) -> Sequence[File]:
        """Return the files that an import of the dotted name `name` leads to."""
        stored = self._table.files_of_module(name)
        if name not in self._modules:
            return stored
        others = (file for file in stored if file.id != self._file.id)
        return tuple(sorted([*others, self._file], key=lambda file: file.path))

    def is_namespace(self, name: str) -> bool:
        """Whether modules exist below the dotted name `name`."""
        return self._table.is_namespace(name) or any(module.startswith(f"{name}.") for module in self._modules)

    # -- symbols
    def symbol(self, symbol: int) -> Symbol:
        """Return the symbol with the id `symbol`."""
        return self._document.own.get(symbol) or self._table.symbol(symbol)

    def qualified_name(self, symbol: int) -> str:
        """Return the qualified name of the symbol with the id `symbol`."""
        return self._document.qualified_names.get(symbol) or self._table.qualified_name(symbol)

    def members(self, parent: int) -> Mapping[str, Sequence[Symbol]]:
        """Return the symbols directly inside the symbol `parent`, by name."""
        if parent not in self._touched_parents:
            return self._table.members(parent)
        if parent not in self._members:
            self._members[parent] = self._find_members(parent)
        return self._members[parent]

    def _find_members(self, parent: int) -> Mapping[str, Sequence[Symbol]]:
        stored = self._table.members(parent) if parent < FIRST_TEMPORARY else {}
        results: dict[str, list[Symbol]] = defaultdict(list)
        for name, symbols in stored.items():
            if others := [symbol for symbol in symbols if self._is_kept(symbol)]:
                results[name] += others
        for symbol in self._below.get(parent, ()):
            results[symbol.name].append(symbol)
        for name, symbols in results.items():
            symbols.sort(key=_number)
            if len(symbols) > 1 and any(symbol.flags & _LOCAL for symbol in symbols):
                self._crowded.add((parent, name))
        return {name: offered(symbols) for name, symbols in results.items()}

    def has_local_duplicates(self, parent: int, name: str) -> bool:
        """Whether several symbols inside the symbol `parent` have this name, some of them inside unnamed functions."""
        self.members(parent)
        is_own = parent in self._document.own
        return (parent, name) in self._crowded or (not is_own and self._table.has_local_duplicates(parent, name))

    def qualified(self, language: str, name: str) -> Sequence[Symbol]:
        """Return the symbols of `language` with the exact qualified name `name`."""
        query = (language, name)
        if query not in self._qualified:
            own = self._by_qualified_name.get(name, []) if language == self._file.language else []
            self._qualified[query] = offered(self._united(self._table.qualified(language, name), own))
        return self._qualified[query]

    def named(self, name: str, language: str = "") -> Sequence[Symbol]:
        """Return the symbols with the bare name `name`, in `language` or those that share its names; '' for any."""
        if name not in self._touched_names:
            return self._table.named(name, language)
        query = (name, language)
        if query not in self._named:
            self._named[query] = self._united(self._table.named(name, language), self._own_named(name, language))
        return self._named[query]

    def named_outside_types(self, name: str, language: str) -> Sequence[Symbol]:
        """Return those symbols of `named` that are no fields, methods or constructors."""
        if name not in self._touched_names:
            return self._table.named_outside_types(name, language)
        query = (name, language)
        if query not in self._outside_types:
            own = [symbol for symbol in self._own_named(name, language) if symbol.kind not in _IN_TYPES]
            self._outside_types[query] = self._united(self._table.named_outside_types(name, language), own)
        return self._outside_types[query]

    def _own_named(self, name: str, language: str) -> list[Symbol]:
        family = language_family(language) if language else languages()
        return self._by_name.get(name, []) if self._file.language in family else []

    def _united(self, stored: Iterable[Symbol], own: Iterable[Symbol]) -> list[Symbol]:
        return sorted([*(symbol for symbol in stored if self._is_kept(symbol)), *own], key=_number)

    def _is_kept(self, symbol: Symbol) -> bool:
        return symbol.id not in self._document.own and (
            symbol.file != self._file.id or symbol.id in self._declared_elsewhere
        )

    def declaring_files(self, symbol: int) -> Sequence[int]:
        """Return the ids of the files that declare `symbol` if several files share it; empty for other symbols."""
        return () if symbol in self._document.own else self._table.declaring_files(symbol)

    # -- namespaces, and what files import
    def is_package(self, name: str) -> bool:
        """Whether some file declares a namespace `name`, or one below it."""
        return self._table.is_package(name) or any(
            package == name or package.startswith(f"{name}.") for package in self._document.packages
        )

    def packages(self, file: int) -> Sequence[str]:
        """Return the qualified names of the namespaces that `file` declares, longest first."""
        return self._document.packages if file == self._file.id else self._table.packages(file)

    def imports(self, file: int) -> Sequence[Import]:
        """Return the file-level imports and exports of `file`."""
        return self._document.imports if file == self._file.id else self._table.imports(file)

    def may_be_included(self, source: File) -> bool:
        """Return whether a file includes some source file of C or C++ with the name of `source`."""
        return self._table.may_be_included(source)

    def global_imports(self, file: File) -> Sequence[Import]:
        """Return the imports that apply to all files in the project of `file`, as the index has them."""
        return self._table.global_imports(file)

    # -- members of any type
    def has_member(self, key: int, language: str) -> bool:
        """Whether any type has a member with the name key `key`, in `language` or those that share its names."""
        name = self._names_by_key.get(key)
        if name is None:
            return self._table.has_member(key, language)
        query = (name, language)
        if query not in self._has_member:
            self._has_member[query] = any(
                symbol.parent and self._kind(symbol.parent) not in _HOLDING_NO_MEMBERS
                for symbol in self.named(name, language)
            )
        return self._has_member[query]

    def has_value(self, key: int, language: str) -> bool:
        """Whether any type has a member with the name key `key` that is no method, in `language` or those that share
        its names.
        """
        name = self._names_by_key.get(key)
        if name is None:
            return self._table.has_value(key, language)
        return any(
            symbol.parent and symbol.kind != SymbolKind.METHOD and self._kind(symbol.parent) in TYPES
            for symbol in self.named(name, language)
        )

    def _kind(self, symbol: int) -> int:
        return self.symbol(symbol).kind

    # -- manifests
    def aliases(self, path: str) -> Aliases:
        """Return the path aliases that apply to the imports of the file at `path`."""
        return self._table.aliases(path)

    def entries(self, path: str, language: str) -> Sequence[tuple[str, tuple[str, ...]]]:
        """Return (name, places) for each name that the manifest of the project of `path` maps to places in other
        projects.
        """
        return self._table.entries(path, language)

    def package(self, name: str) -> Sequence[str]:
        """Return the paths at which the npm package `name` of this repository may begin; empty if it is none."""
        return self._table.package(name)


def _grouped(pairs: Iterable[tuple[K, Symbol]]) -> dict[K, list[Symbol]]:
    results: dict[K, list[Symbol]] = defaultdict(list)
    for key, symbol in pairs:
        results[key].append(symbol)
    return dict(results)


def _number(symbol: Symbol) -> int:
    return symbol.id

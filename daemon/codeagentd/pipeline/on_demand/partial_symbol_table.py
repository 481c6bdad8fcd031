"""The symbol table of the on-demand index: the rows that it has, and stubs for all other files of the repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeagentd.languages.language import languages
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.resolve.symbol_table import File, Import, Symbol
from codeagentd.store.connection import Database

from .repository_files import FIRST_STUB, RepositoryFiles


class PartialSymbolTable(StoredSymbolTable):
    """A symbol table in which files without rows are files by path and module, and seem empty. Those that resolution
    would have looked into are noted as needed.
    """

    def __init__(self, database: Database, projects: ProjectMap, repository: RepositoryFiles) -> None:
        super().__init__(database, projects, repository.include_edges)
        self._repository = repository
        self._of_module: dict[str, Sequence[File]] = {}

    def file(self, file: int) -> File:
        """Return the file with the id `file`."""
        return super().file(file) if file < FIRST_STUB else self._repository.stub(file)

    def file_at(self, path: str) -> File | None:
        """Return the file at `path`; None if there is none."""
        return super().file_at(path) if path in self._repository.indexed else self._repository.at(path)

    def files_of_module(self, name: str) -> Sequence[File]:
        """Return the files that an import of the dotted name `name` leads to."""
        if name not in self._of_module:
            stored = super().files_of_module(name) if name and self._repository.has_indexed(name) else ()
            files = [*stored, *(self._repository.of_module(name) if name else ())]
            self._of_module[name] = tuple(sorted(files, key=lambda file: file.path))
        return self._of_module[name]

    def is_namespace(self, name: str) -> bool:
        """Whether modules exist below the dotted name `name`."""
        return super().is_namespace(name) or self._repository.has_folder(name)

    def is_package(self, name: str) -> bool:
        """Whether some file declares a namespace `name`, or one below it, or a folder is called so."""
        return super().is_package(name) or self._repository.has_folder(name)

    def symbol(self, symbol: int) -> Symbol:
        """Return the symbol with the id `symbol`."""
        return super().symbol(symbol) if symbol < FIRST_STUB else self._repository.symbol(symbol)

    def qualified_name(self, symbol: int) -> str:
        """Return the qualified name of the symbol with the id `symbol`."""
        return super().qualified_name(symbol) if symbol < FIRST_STUB else self._repository.qualified_name(symbol)

    def members(self, parent: int) -> Mapping[str, Sequence[Symbol]]:
        """Return the symbols directly inside the symbol `parent`, by name."""
        if parent < FIRST_STUB:
            return super().members(parent)
        self._repository.need(parent)
        return {}

    def qualified(self, language: str, name: str) -> Sequence[Symbol]:
        """Return the symbols of `language` with the exact qualified name `name`."""
        result = super().qualified(language, name)
        if not result and languages()[language].modules.by_name:
            self._repository.need_named(name.split(".")[-2:])
        return result

    def imports(self, file: int) -> Sequence[Import]:
        """Return the file-level imports and exports of `file`."""
        return super().imports(file) if file < FIRST_STUB else self._repository.imports(file)

    def may_be_included(self, source: File) -> bool:
        """Return whether a file may include `source`: a file without rows may."""
        return True

    def packages(self, file: int) -> Sequence[str]:
        """Return the qualified names of the namespaces that `file` declares, longest first."""
        return super().packages(file) if file < FIRST_STUB else ()

"""The symbol table of the repository that resolution reads; the pipeline provides it over the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec


class File(msgspec.Struct, frozen=True, gc=False):
    """A file as resolution sees it. `symbol` is the id of its own symbol."""

    id: int
    path: str
    language: str
    project: int
    symbol: int
    module: str


class Symbol(msgspec.Struct, frozen=True, gc=False):
    """A symbol as resolution sees it.

    `bases`, `signature`, `returns` and `type` as written; a type that begins with '=' is the value itself.
    """

    id: int
    name: str
    kind: int
    flags: int
    parent: int  # 0 = none: the file's own symbol
    file: int
    line: int
    bases: tuple[str, ...] = ()
    signature: str = ""
    returns: str = ""
    type: str = ""
    # type parameters and the explicit interface of a member, as written, in languages where these tell symbols apart
    head: str = ""


class Import(msgspec.Struct, frozen=True, gc=False):
    """One file-level import or export; `module` '' = an export of the file's own `name`."""

    local: str
    module: str
    name: str
    exported: bool

    @property
    def bound_module(self) -> str:
        """The module whose `name` it binds: `import a.b` binds `a`."""
        return self.local if self.name == "" and self.module.startswith(f"{self.local}.") else self.module


class Aliases(msgspec.Struct, frozen=True, gc=False):
    """Path aliases that hold in an ECMAScript folder, from its tsconfig.json: patterns with at most one `*`, targets
    relative to the repository.
    """

    base: str | None = None
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()


class SymbolTable(Protocol):
    """Queries about the whole repository; the implementation caches every result."""

    def file(self, file: int) -> File:
        """A file by id."""

    def file_at(self, path: str) -> File | None:
        """The indexed file with this path."""

    def files_of_module(self, name: str) -> Sequence[File]:
        """Files that this dotted name imports."""

    def is_namespace(self, name: str) -> bool:
        """Whether modules exist below this dotted name."""

    def symbol(self, symbol: int) -> Symbol:
        """A symbol by id."""

    def qualified_name(self, symbol: int) -> str:
        """The whole name of a symbol."""

    def members(self, parent: int) -> Mapping[str, Sequence[Symbol]]:
        """The symbols directly inside another, by name. Symbols inside of anonymous functions are only among them where
        no other symbol has the name.
        """

    def has_local_duplicates(self, parent: int, name: str) -> bool:
        """Whether several symbols inside of another have a name, and some of them are inside of anonymous functions."""

    def qualified(self, language: str, name: str) -> Sequence[Symbol]:
        """Symbols with this exact qualified name."""

    def is_package(self, name: str) -> bool:
        """Whether a namespace of this name, or below it, is declared somewhere."""

    def named(self, name: str, language: str) -> Sequence[Symbol]:
        """Symbols with this bare name, in a language or those that share its names."""

    def declaring_files(self, symbol: int) -> Sequence[int]:
        """The files that declare a symbol which several files share; empty for others."""

    def packages(self, file: int) -> Sequence[str]:
        """The whole names of the namespaces that a file declares, longest first."""

    def imports(self, file: int) -> Sequence[Import]:
        """The file-level imports and exports of a file."""

    def global_imports(self, file: File) -> Sequence[Import]:
        """The imports of other files that are visible in all files of this file's project."""

    def has_member(self, key: int, language: str) -> bool:
        """Whether any type has a member with this name key, in a language or those that share its names."""

    def has_value(self, key: int, language: str) -> bool:
        """Whether any type has a member with this name key that is no method, in a language or those that share its
        names.
        """

    def aliases(self, path: str) -> Aliases:
        """Path aliases that hold for a file."""

    def entries(self, path: str, language: str) -> Sequence[tuple[str, tuple[str, ...]]]:
        """(name, places) of each name that the manifest of a file's project maps to places in other projects."""

    def package(self, name: str) -> Sequence[str]:
        """Candidate entry paths of an npm package that lives in this repository."""

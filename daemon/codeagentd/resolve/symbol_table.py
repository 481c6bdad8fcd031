"""The symbol table of the repository that resolution reads; the pipeline provides it over the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec


class File(msgspec.Struct, frozen=True, gc=False):
    """A file as resolution sees it. `symbol` is the id of the symbol that stands for the file."""

    id: int
    path: str
    language: str
    project: int
    symbol: int
    module: str


class Symbol(msgspec.Struct, frozen=True, gc=False):
    """A symbol as resolution sees it.

    `bases`, `signature`, `returns` and `type` are as written. A type that begins with '=' is the expression of the
    value.
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
    """One file-level import or export. With `module` '' it is an export of the file's own `name`."""

    local: str
    module: str
    name: str
    exported: bool

    @property
    def bound_module(self) -> str:
        """The module whose `name` the import binds: `import a.b` binds `a`."""
        return self.local if self.name == "" and self.module.startswith(f"{self.local}.") else self.module


class Aliases(msgspec.Struct, frozen=True, gc=False):
    """The path aliases in a folder of ECMAScript, from its tsconfig.json: patterns with at most one `*`, and targets
    relative to the repository.
    """

    base: str | None = None
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()


# by the id of a file: (the files that it includes, whether each that it names exists)
IncludeEdges = dict[int, tuple[tuple[int, ...], bool]]


class SymbolTable(Protocol):
    """Queries about the whole repository; the implementation caches every result. `include_edges` is filled by the rule
    of the languages whose imports insert text.
    """

    include_edges: IncludeEdges

    def file(self, file: int) -> File:
        """The file with the id `file`."""

    def file_at(self, path: str) -> File | None:
        """The indexed file with the path `path`; None if there is none."""

    def files_of_module(self, name: str) -> Sequence[File]:
        """The files that the dotted name `name` imports."""

    def is_namespace(self, name: str) -> bool:
        """Whether modules exist below the dotted name `name`."""

    def symbol(self, symbol: int) -> Symbol:
        """The symbol with the id `symbol`."""

    def qualified_name(self, symbol: int) -> str:
        """The qualified name of the symbol with the id `symbol`."""

    def members(self, parent: int) -> Mapping[str, Sequence[Symbol]]:
        """The symbols directly inside of the symbol `parent`, by name. Those inside of unnamed functions count only if
        there is no other of the name.
        """

    def has_local_duplicates(self, parent: int, name: str) -> bool:
        """Whether several symbols inside of the symbol `parent` are called `name`, some of them inside of unnamed
        functions.
        """

    def qualified(self, language: str, name: str) -> Sequence[Symbol]:
        """The symbols of `language` with exactly the qualified name `name`."""

    def is_package(self, name: str) -> bool:
        """Whether a namespace called `name`, or one below it, is declared somewhere."""

    def named(self, name: str, language: str) -> Sequence[Symbol]:
        """The symbols with the bare name `name`, in `language` or those that share its names."""

    def named_outside_types(self, name: str, language: str) -> Sequence[Symbol]:
        """Those symbols of `named` that are no fields, methods or constructors, of which there may be thousands."""

    def declaring_files(self, symbol: int) -> Sequence[int]:
        """The ids of the files that declare the symbol `symbol` if several files may share it; empty for any other."""

    def packages(self, file: int) -> Sequence[str]:
        """The qualified names of the namespaces that the file with the id `file` declares, longest first."""

    def imports(self, file: int) -> Sequence[Import]:
        """The file-level imports and exports of the file with the id `file`."""

    def may_be_included(self, source: File) -> bool:
        """Whether a file may include the source file `source` of C or C++, which is rare."""

    def global_imports(self, file: File) -> Sequence[Import]:
        """The imports of other files that apply to the whole project of `file`."""

    def has_member(self, key: int, language: str) -> bool:
        """Whether any type has a member whose name has the key `key`, in `language` or those that share its names."""

    def has_value(self, key: int, language: str) -> bool:
        """Whether any type has a member that is no method and whose name has the key `key`, in `language` or those that
        share its names.
        """

    def aliases(self, path: str) -> Aliases:
        """The path aliases that apply to the file with the path `path`."""

    def entries(self, path: str, language: str) -> Sequence[tuple[str, tuple[str, ...]]]:
        """List (name, paths) of each name that the manifest around the file at `path` maps to another project of
        `language`.
        """

    def package(self, name: str) -> Sequence[str]:
        """The candidate entry paths of the npm package `name`, if it is in this repository."""

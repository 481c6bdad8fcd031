"""R: the files of a package share their names; a script has those of the files that it sources."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Final

from codeagentd.model.kinds import Origin
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import Usage

from .rule import ModuleRule

# Writing R Extensions, "Package structure": folders of a package
_SOURCES: Final = "R"
_FOLDERS: Final = frozenset({_SOURCES, "tests", "inst", "data-raw", "vignettes", "demo"})


class RModules(ModuleRule):
    """A free name is one of the package around a file, in whichever of its files."""

    def __init__(self) -> None:
        super().__init__(_files)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage, tag: bool) -> Target | None:
        """The definition of `name` outside of functions in the sources of the package, else in a sourced file."""
        sources = posixpath.join(_package(file.path), _SOURCES)
        shared = [
            symbol
            for symbol in names.named(name, file.language)
            if names.world.file(symbol.file).symbol == symbol.parent
            and posixpath.dirname(names.world.file(symbol.file).path) == sources
        ]
        if shared:
            return names.first_by_position(shared, Origin.SCOPE)
        return names.lookup_wildcard_or_builtin(file, name)


def _package(path: str) -> str:
    """The folder of the package that a path is in."""
    parts = path.split("/")[:-1]
    at = next((number for number, part in enumerate(parts) if part in _FOLDERS), len(parts))
    return "/".join(parts[:at])


def _files(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that `file` sources: beside it, or from the top of its package or of the repository."""
    for folder in (posixpath.dirname(file.path), _package(file.path), ""):
        if result := world.file_at(posixpath.normpath(posixpath.join(folder, module))):
            return (result,)
    return ()

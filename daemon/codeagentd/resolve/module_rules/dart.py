"""Dart: libraries by their paths, and by the package that they are in."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.model.kinds import TYPES
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import Usage

from .rule import ModuleRule

_PACKAGE: Final = "package:"
_LIBRARY: Final = "dart:"
_MANIFEST: Final = "pubspec.yaml"
_FOLDERS: Final = ("", "packages", "pkgs")  # of the packages of one repository


class DartModules(ModuleRule):
    """A bare name that no declaration around it binds may be an inherited member of the type around it."""

    depends_on_position = True

    def __init__(self) -> None:
        super().__init__(_files)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage, tag: bool) -> Target | None:
        """The inherited member `name` of the nearest type around `place`, else what an import brings in."""
        current: Symbol | None = place
        while current is not None:
            if current.kind in TYPES and (result := names.inheritance.member(current.id, name)):
                return result
            current = names.world.symbol(current.parent) if current.parent else None
        return names.lookup_wildcard_or_builtin(file, name)


def _files(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that `module` names in `file`. A package is a folder of its name, around the file or beside such a
    folder, else the one around the file that has a pubspec.yaml.

    Source: Dart, "Libraries and imports", "Package layout conventions".
    """
    if module.startswith(_LIBRARY):
        return ()
    if not module.startswith(_PACKAGE):
        candidates = iter([posixpath.normpath(posixpath.join(posixpath.dirname(file.path), module))])
    else:
        candidates = _of_package(world, file, *module.removeprefix(_PACKAGE).split("/", 1))
    result = next((library for path in candidates if (library := world.file_at(path))), None)
    return (result,) if result else ()


def _of_package(world: SymbolTable, file: File, name: str, path: str = "") -> Iterator[str]:
    """List the places of the file at `path` of the package `name`, most likely first."""
    folders = [posixpath.dirname(file.path)]
    while folders[-1]:
        folders.append(posixpath.dirname(folders[-1]))
    for folder in folders:
        if posixpath.basename(folder) == name:
            yield posixpath.join(folder, "lib", path)
        for group in _FOLDERS:
            yield posixpath.join(folder, group, name, "lib", path)
    own = next((folder for folder in folders if world.file_at(posixpath.join(folder, _MANIFEST))), None)
    if own is not None:
        yield posixpath.join(own, "lib", path)

"""Zig: files by their paths, and the modules of a build by their names."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Final

from codeagentd.model.kinds import Origin
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, SymbolTable
from codeagentd.resolve.targets import Target

from .rule import ModuleRule

_EXTENSION: Final = ".zig"
_BUILD: Final = "build.zig"
_OF_LANGUAGE: Final = frozenset({"std", "builtin", "root"})  # Zig Language Reference, "@import"
# where the build system's own template, and most projects, have the root of a module
_ROOTS: Final = (
    "{name}.zig",
    "src/{name}.zig",
    "lib/{name}.zig",
    "{name}/src/root.zig",
    "src/root.zig",
    "src/main.zig",
)


class ZigModules(ModuleRule):
    """A file that is named by its path is beside the file that names it. A module of the build has a name, for which
    the usual files are looked at, from the folder of the nearest build.zig on.
    """

    def __init__(self) -> None:
        super().__init__(_files)

    def imported(self, names: NameLookup, file: File, module: str, name: str, depth: int) -> Target | None:
        """The target of `name`, which may be a member of a member, of `module`."""
        head, *rest = name.split(".")
        result = names.imported_from_file(file, module, head, depth)
        for member in rest:
            result = names.member(result, member) if result is not None else None
        return result.with_origin(Origin.IMPORT) if result is not None and rest else result


def _files(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that `module` means in `file`."""
    folder = posixpath.dirname(file.path)
    if module.endswith(_EXTENSION):
        result = world.file_at(posixpath.normpath(posixpath.join(folder, module)))
        return (result,) if result else ()
    if module in _OF_LANGUAGE:
        return ()
    while folder and world.file_at(posixpath.join(folder, _BUILD)) is None:
        folder = posixpath.dirname(folder)
    for root in _ROOTS:
        if result := world.file_at(posixpath.join(folder, root.format(name=module))):
            return (result,)
    return ()

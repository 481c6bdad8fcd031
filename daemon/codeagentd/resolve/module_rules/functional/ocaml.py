"""OCaml: a module is a file with its name, its implementation before its interface."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from codeagentd.languages.language import languages
from codeagentd.resolve.symbol_table import File, SymbolTable


def ocaml(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The implementation and the interface of the module `module` that is nearest to `file`: of its folder, of its
    project, else the one that shares most of its path.

    Libraries hide their modules behind names of their own, which build files give; the folders stand in for them.
    """
    family = languages()[file.language].family
    named = [other for other in world.files_of_module(module) if languages()[other.language].family == family]

    def distance(other: File) -> tuple[bool, bool, int, str]:
        folder, own = posixpath.dirname(other.path), posixpath.dirname(file.path)
        shared = len(posixpath.commonpath([f"/{folder}", f"/{own}"]))
        return (folder != own, other.project != file.project, -shared, folder)

    nearest = min(named, key=distance, default=None)
    if nearest is None:
        return ()
    folder = posixpath.dirname(nearest.path)
    return sorted((other for other in named if posixpath.dirname(other.path) == folder), key=_is_interface)


def _is_interface(file: File) -> tuple[bool, str]:
    return file.path.endswith("i"), file.path

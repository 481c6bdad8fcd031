"""Bash and PHP: files that are included by their paths."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from codeagentd.model.facts import SOMEWHERE
from codeagentd.resolve.symbol_table import File, SymbolTable


def bash(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that `file` sources by the path `module`: from its own folder; without `./` also from the folders around
    it, where scripts are started.

    Source: Bash Reference Manual, 4.1 "Bourne Shell Builtins".
    """
    folder, path = posixpath.dirname(file.path), module.removeprefix(SOMEWHERE)
    while not path.startswith("/"):
        result = world.file_at(posixpath.normpath(posixpath.join(folder, path)))
        if result and result.id != file.id:
            return (result,)
        if not folder or module.startswith("./"):
            break
        folder = posixpath.dirname(folder)
    return ()


def php(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that `file` includes by the path `module`: from the file's own folder; without `./` also from the top of
    the repository, where programs are usually started.

    Source: PHP manual, "include".
    """
    if "\\" in module:
        return ()
    folders = [posixpath.dirname(file.path)] if module.startswith("./") else [posixpath.dirname(file.path), ""]
    for folder in folders:
        if result := world.file_at(posixpath.normpath(posixpath.join(folder, module))):
            return (result,)
    return ()

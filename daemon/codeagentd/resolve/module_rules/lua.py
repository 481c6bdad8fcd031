"""Lua: module names are paths with dots, looked up below the folders that a program starts in."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.resolve.symbol_table import File, SymbolTable

_ROOTS: Final = ("", "src", "lib", "lua")


def lua(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that `file` loads as `module`. For `a.b` it is what a rock installs as that, else a/b.lua or
    a/b/init.lua below the top or a usual root, of the folders around the file, outermost first.

    `./x` is a path. Source: Lua 5.4 Reference Manual, 6.3, package.searchers and package.path; LuaRocks, "Rockspec
    format", build.modules.
    """
    if module.startswith("./"):
        result = next(
            (
                result
                for folder in _enclosing_folders(file)
                if (result := world.file_at(posixpath.normpath(posixpath.join(folder, module))))
            ),
            None,
        )
        return (result,) if result else ()
    installed = [other for other in world.files_of_module(module) if other.language == file.language]
    if installed:
        return [other for other in installed if other.project == file.project] or installed[:1]
    path = module.replace(".", "/")
    for folder in _enclosing_folders(file):
        for root in _ROOTS:
            stem = posixpath.normpath(posixpath.join(folder, root, path))
            for candidate in (f"{stem}.lua", f"{stem}/init.lua"):
                if not stem.startswith("../") and (result := world.file_at(candidate)):
                    return (result,)
    return ()


def _enclosing_folders(file: File) -> Iterator[str]:
    """The folders around a file, outermost first."""
    parts = file.path.split("/")[:-1]
    for count in range(len(parts) + 1):
        yield "/".join(parts[:count])

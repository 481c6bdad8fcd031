"""C and C++: an included file by its path (C11 6.10.2)."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.resolve.symbol_table import File, SymbolTable

from .system_headers import SYSTEM_HEADERS

SCOPE: Final = "::"  # begins a module that is a namespace
# folders whose files are included as if they were the system's
_FOR_ALL: Final = frozenset({"include", "includes", "inc"})


def include(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that `file` includes as `module`. For `"shelf.h"` it is beside the including file, else the file of the
    repository whose path ends so, nearest first. For `<shelf.h>` it is only the latter.

    Where a build looks is not known here. A system's header is one of the repository only if a folder for includes has
    a file of that name.
    """
    if module.startswith(SCOPE):
        return ()
    path = posixpath.normpath(module.strip("<>").replace("\\", "/"))
    quoted = module[:1] != "<"
    if quoted and (result := world.file_at(posixpath.normpath(posixpath.join(posixpath.dirname(file.path), path)))):
        return (result,)
    while path.startswith("../"):
        path = path[3:]
    name = posixpath.basename(path)
    ours = quoted or path not in SYSTEM_HEADERS
    family = languages()[file.language].family
    ending = f"/{path}"
    candidates = [
        other for other in world.files_of_module(name)
        if (other.path == path or other.path.endswith(ending)) and languages()[other.language].family == family
        and (ours or posixpath.basename(posixpath.dirname(other.path)) in _FOR_ALL)
    ]  # fmt: skip
    return (min(candidates, key=lambda other: _distance(file, other)),) if candidates else ()


def _distance(file: File, other: File) -> tuple[int, int, str]:
    """Files that share more folders with the including one are nearer, then those higher up."""
    own, its = file.path.split("/")[:-1], other.path.split("/")[:-1]
    shared = next((at for at, (a, b) in enumerate(zip(own, its, strict=False)) if a != b), min(len(own), len(its)))
    return -shared, len(its), other.path

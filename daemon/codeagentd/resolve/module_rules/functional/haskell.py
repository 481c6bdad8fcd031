"""Haskell: a module is the file whose path ends in its name."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from codeagentd.resolve.symbol_table import File, SymbolTable


def haskell(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file of the module `module`, as imported into `file`; of several, as several packages have a `Main`, the one
    of its project, or the nearest.
    """
    candidates = [other for other in world.files_of_module(module) if other.language == file.language]

    def distance(other: File) -> tuple[bool, bool, int, str]:
        shared = len(posixpath.commonprefix([file.path, other.path]))
        return (other.id == file.id, other.project != file.project, -shared, other.path)

    return (min(candidates, key=distance),) if candidates else ()

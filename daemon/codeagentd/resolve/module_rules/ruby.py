"""Ruby: the load path."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.resolve.symbol_table import File, SymbolTable

# folders that tools put into the load path, below the top of a project
_ROOTS: Final = ("lib", "", "test", "spec", "app", "ext")


def ruby(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The files that `file` loads by the path `module`: from its own folder (`./`), else below the usual roots of the
    folders around it, nearest first.

    Source: Ruby documentation, Kernel#require, Kernel#require_relative.
    """
    for path in _places(file, module):
        if path.startswith("../"):
            continue
        for candidate in (path,) if path.endswith(".rb") else (f"{path}.rb", path):
            result = world.file_at(candidate)
            if result and result.id != file.id:
                return (result,)
    return ()


def _places(file: File, module: str) -> Iterator[str]:
    folder = posixpath.dirname(file.path)
    if module.startswith("./"):
        yield posixpath.normpath(posixpath.join(folder, module))
        return
    while True:
        for root in _ROOTS:
            yield posixpath.normpath(posixpath.join(folder, root, module))
        if not folder:
            return
        folder = posixpath.dirname(folder)

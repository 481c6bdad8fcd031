"""PHP: files that are included by their path."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from codeagentd.resolve.symbol_table import File, SymbolTable


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

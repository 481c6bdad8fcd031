"""Erlang: included files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from codeagentd.resolve.symbol_table import File, SymbolTable


def erlang(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that `file` includes by the path `module`: from its own folder, or from a folder `include` or `src`
    beside one around it. A path may begin with the name of an application, for which any folder stands.

    Source: Erlang Reference Manual, "Preprocessor", "File Inclusion".
    """
    if "." in module:
        for path in _places(posixpath.dirname(file.path), module):
            result = world.file_at(posixpath.normpath(path))
            if result and result.id != file.id:
                return (result,)
    return ()


def _places(folder: str, module: str) -> Iterator[str]:
    application, _, inner = module.partition("/")
    while True:
        yield posixpath.join(folder, module)
        yield posixpath.join(folder, "include", module)
        yield posixpath.join(folder, "src", module)
        if inner:
            yield posixpath.join(folder, "apps", application, inner)
            yield posixpath.join(folder, inner)
        if not folder:
            return
        folder = posixpath.dirname(folder)

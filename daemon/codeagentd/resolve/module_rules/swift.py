"""Swift: a module is all the files of a target."""

from __future__ import annotations

from collections.abc import Sequence

from codeagentd.resolve.symbol_table import File, SymbolTable


def swift(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The first file of the module `module`: it stands for all of them. If several projects have the module, that of
    `file` comes first.
    """
    result = [other for other in world.files_of_module(module) if other.language == file.language]
    return [other for other in result if other.project == file.project][:1] or result[:1]

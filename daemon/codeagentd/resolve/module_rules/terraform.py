"""Terraform: a module is a folder, and everything in its files is referred to by its address.

Source: Terraform language, "Files and Directories", "References to Named Values", "Module Sources", section "Local
        Paths".
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from codeagentd.model.kinds import Origin
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import Usage

from .rule import ModuleRule


class TerraformModules(ModuleRule):
    """The module rule of Terraform: a module is a folder."""

    def __init__(self) -> None:
        super().__init__(terraform)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage, tag: bool) -> Target | None:
        """The target of the address `name`, which any file in the folder of `file` may declare."""
        siblings = _of_folder(names.world, posixpath.dirname(file.path))
        result = [symbol for other in siblings for symbol in names.world.members(other.symbol).get(name, ())]
        return names.first_by_position(result, Origin.NAMESPACE) if result else None


def terraform(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The files of the folder that the local path `module` names, its main file first; none for any other source."""
    if not module.startswith(("./", "../")):
        return ()
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), module))
    return sorted(
        _of_folder(world, folder), key=lambda other: (posixpath.basename(other.path) != "main.tf", other.path)
    )


def _of_folder(world: SymbolTable, folder: str) -> Sequence[File]:
    return [file for file in world.files_of_module(f"{folder or '.'}/") if file.language == "hcl"]

"""Terraform: a module is a folder.

Source: Terraform language, "Module Sources", section "Local Paths".
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from codeagentd.resolve.world import File, World


def terraform(world: World, file: File, module: str) -> Sequence[File]:
    """The files of the folder that a local path names, its main file first; any other source lies elsewhere."""
    if not module.startswith(("./", "../")):
        return ()
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), module))
    return sorted(_of_folder(world, folder), key=lambda other: (posixpath.basename(other.path) != "main.tf", other.path))


def siblings(world: World, file: File) -> Sequence[File]:
    """The files of the module that a file belongs to, itself included."""
    return _of_folder(world, posixpath.dirname(file.path))


def _of_folder(world: World, folder: str) -> Sequence[File]:
    return [file for file in world.files_of_module(f"{folder or '.'}/") if file.language == "hcl"]

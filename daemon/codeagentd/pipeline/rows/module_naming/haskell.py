"""Module names of Haskell files: the folders and the file below the folder of sources, which begin with capital
letters.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from codeagentd.scan.projects.project import Project

from .module_name import ModuleName


def haskell(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the name of the module in the file at `path`, by the end of the path: src/Data/Shelf.hs is Data.Shelf
    (Haskell 2010 Language Report, 5.1: each part is an identifier that begins with a capital letter).
    """
    *folders, file = path.split("/")
    parts = [posixpath.splitext(file)[0].partition(".")[0]]
    while folders and folders[-1][:1].isupper() and folders[-1].replace("_", "").isalnum() and parts[0][:1].isupper():
        parts.insert(0, folders.pop())
    name = ".".join(parts)
    return ModuleName(name, name)

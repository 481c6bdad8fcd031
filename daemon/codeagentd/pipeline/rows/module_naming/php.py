"""Module names of PHP files: the class that an autoloader expects in a file."""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from codeagentd.scan.projects.project import Project

from .module_name import ModuleName


def php(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the PHP file at `path`. Its symbols have no prefix; imports refer to it by the class that the
    prefixes of composer.json expect in it.

    Source: PSR-4, section 3.
    """
    own, expected, longest = posixpath.basename(path), "", -1
    for prefix, folders in project.entries:
        for folder in folders:
            root = f"{folder}/" if folder else ""
            if path.startswith(root) and len(root) > longest:
                longest = len(root)
                expected = prefix.replace("\\", ".") + posixpath.splitext(path[len(root) :])[0].replace("/", ".")
    return ModuleName(own, "", expected)

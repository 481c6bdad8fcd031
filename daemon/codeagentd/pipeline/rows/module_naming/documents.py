"""Names of files that are no modules of a programming language."""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from codeagentd.scan.projects.project import Project

from .module_name import ModuleName


def document(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the document at `path`: this path is the prefix of its content."""
    return ModuleName(posixpath.basename(path), path)


def terraform(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the Terraform file at `path`. Addresses have no prefix; the files of a folder are found by
    the folder.
    """
    return ModuleName(posixpath.basename(path), "", f"{posixpath.dirname(path) or '.'}/")


def notebook(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the notebook at `path`: they contain the whole path, because no import leads to it."""
    return ModuleName(posixpath.splitext(posixpath.basename(path))[0], path)

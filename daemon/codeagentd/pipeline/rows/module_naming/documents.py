"""Names of files that are no modules of a programming language."""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from codeagentd.scan.projects.project import Project

from .module_name import ModuleName


def document(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Name a document's content by the path of the document."""
    return ModuleName(posixpath.basename(path), path)


def terraform(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Terraform: addresses have no prefix; the files of a folder are found by the folder."""
    return ModuleName(posixpath.basename(path), "", f"{posixpath.dirname(path) or '.'}/")


def notebook(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Notebooks: no import reaches them, so that the name contains the whole path."""
    return ModuleName(posixpath.splitext(posixpath.basename(path))[0], path)

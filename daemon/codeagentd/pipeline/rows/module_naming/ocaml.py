"""Module names of OCaml files: the name of the file, with a capital letter."""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from codeagentd.scan.projects.project import Project

from .module_name import ModuleName


def ocaml(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the name of the module in the file at `path`: src/shelf.ml and src/shelf.mli are Shelf."""
    stem = posixpath.basename(path).partition(".")[0]
    name = stem[:1].upper() + stem[1:]
    return ModuleName(name, name)

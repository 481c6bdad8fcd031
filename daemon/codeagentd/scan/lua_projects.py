"""Lua projects: names from rock specifications, which are programs and therefore only searched for one line."""

from __future__ import annotations

import posixpath
import re
from typing import Final

from .manifests import Manifests, name_of
from .project import Project

_NAME: Final = re.compile(r"""^\s*package\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)


def lua_project(manifests: Manifests, folder: str, name: str) -> Project:
    """The project of one .rockspec.

    Errors: Broken.
    """
    path = posixpath.join(folder, name)
    said = _NAME.search(manifests.text(path))
    return Project("", "lua", name_of(said[1] if said else posixpath.basename(folder)) or ".", folder, path)

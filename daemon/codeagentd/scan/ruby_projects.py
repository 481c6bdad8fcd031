"""Ruby projects: names from gem specifications, which are programs and therefore only searched for one line."""

from __future__ import annotations

import posixpath
import re
from typing import Final

from .manifests import Manifests, name_of
from .project import Project

_NAME: Final = re.compile(r"""^\s*\w+\.name\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)


def ruby_project(manifests: Manifests, folder: str, name: str) -> Project:
    """The project of one .gemspec, or of a Gemfile that stands alone.

    Errors: Broken.
    """
    path = posixpath.join(folder, name)
    said = _NAME.search(manifests.text(path)) if name.endswith(".gemspec") else None
    usual = name.removesuffix(".gemspec") if name.endswith(".gemspec") else posixpath.basename(folder)
    return Project("", "ruby", name_of(said[1] if said else usual) or ".", folder, path)

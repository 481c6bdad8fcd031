"""Ruby projects: names and dependencies from gem specifications and Gemfiles. These are programs and never run: only
lines of known forms are read from their text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from codeagentd.base.limits import MAX_ENTRIES

from .manifests import Manifests, name_of
from .project import Project

_NAME: Final = re.compile(r"""^[ \t]*\w+\.name\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)
_NEEDED: Final = re.compile(r"""^[ \t]*(?:\w+\.add_(?:\w+_)?dependency|gem)[\s(]+(?:%q<|["'])([\w.-]+)""", re.MULTILINE)
# folders of a gem that others see: its load path (RubyGems, require_paths), and what Rails loads of an engine
_LOADED: Final = ("lib", "app")


def ruby_project(manifests: Manifests, folder: str, name: str) -> Project:
    """Return the project of the manifest `name` in `folder`: a .gemspec, or a Gemfile where there is none.

    Errors: Broken.
    """
    path = posixpath.join(folder, name)
    text = manifests.text(path)
    match = _NAME.search(text) if name.endswith(".gemspec") else None
    usual = name.removesuffix(".gemspec") if name.endswith(".gemspec") else posixpath.basename(folder)
    return Project(
        "",
        "ruby",
        name_of(match[1] if match else usual) or ".",
        folder,
        path,
        references=tuple(dict.fromkeys(_NEEDED.findall(text)))[:MAX_ENTRIES],
    )


def with_gems(projects: list[Project]) -> list[Project]:
    """Return `projects`, where those of Ruby have got the folders of the gems of this repository that they depend on,
    directly or indirectly.
    """
    gems = {project.name: project for project in reversed(projects) if project.language == "ruby"}
    return [_depending(project, gems) if project.language == "ruby" else project for project in projects]


def _depending(project: Project, gems: Mapping[str, Project]) -> Project:
    by_name = {project.name: project}
    waiting = [project]
    for current in waiting:
        needed = [gems[name] for name in current.references if name in gems and name not in by_name]
        by_name |= {gem.name: gem for gem in needed}
        waiting += needed
    entries = ((gem.name, tuple(posixpath.join(gem.root, folder) for folder in _LOADED)) for gem in waiting[1:])
    return msgspec.structs.replace(project, references=(), entries=tuple(entries)[:MAX_ENTRIES])

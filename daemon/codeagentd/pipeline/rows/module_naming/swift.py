"""Module names of Swift files: the module is a target of a package."""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from typing import Final

from codeagentd.scan.projects.project import Project

from .module_name import ModuleName

_SWIFT_FOLDERS: Final = frozenset({"Sources", "Source", "src", "srcs", "Tests", "Plugins"})


def swift(path: str, project: Project, paths: Collection[str]) -> ModuleName:
    """Return the names of the Swift file at `path`: the target whose folder contains it, by the package's manifest or
    its conventions (Sources/Lib, Tests/LibTests). Without a target it has no prefix.
    """
    own = posixpath.basename(path)
    named = sorted(
        (
            (place, target)
            for target, places in project.entries
            for place in places
            if f"{path}/".startswith(f"{place}/" if place else "")
        ),
        reverse=True,
    )
    if named:
        return ModuleName(own, named[0][1], is_package=True)
    parts = path[len(project.root) + 1 if project.root else 0 :].split("/")
    if len(parts) > 2 and parts[0] in _SWIFT_FOLDERS:
        return ModuleName(own, parts[1].replace("-", "_"), is_package=True)
    return ModuleName(own, "", is_package=True)

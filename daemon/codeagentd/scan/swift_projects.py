"""Swift packages: name and targets from Package.swift, which is read and never run."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from codeagentd.base.limits import MAX_ENTRIES

from .manifests import Manifests, join, name_of
from .project import Project

MANIFEST: Final = "Package.swift"
_NAME: Final = re.compile(r"\bPackage\s*\(\s*name\s*:\s*\"([^\"\\]*)\"")
_TARGET: Final = re.compile(r"\.(?:target|executableTarget|testTarget|plugin|macro|systemLibrary)\s*\(\s*name\s*:\s*\"([^\"\\]*)\"")
_PATH: Final = re.compile(r"\bpath\s*:\s*\"([^\"\\]*)\"")
_COMMENT: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def swift_project(manifests: Manifests, folder: str) -> Project:
    """The package of a folder. `entries` are (module, its folder) of targets that say where they lie.

    Errors: Broken.
    """
    path = posixpath.join(folder, MANIFEST)
    text = _COMMENT.sub(lambda match: match[1] or " ", manifests.text(path))
    said = _NAME.search(text)
    name = name_of(said[1] if said else "") or posixpath.basename(folder) or "."
    return Project("", "swift", name, folder, path, entries=tuple(_targets(folder, text))[:MAX_ENTRIES])


def _targets(folder: str, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    found = list(_TARGET.finditer(text))
    for number, match in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(text)
        said = _PATH.search(text, match.end(), end)
        place = join(folder, said[1]) if said else None
        if place is not None:
            yield match[1].replace("-", "_"), (place,)

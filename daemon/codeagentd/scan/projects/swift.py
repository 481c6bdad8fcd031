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
# a string ends with its line and a comment with the text, also without the sign for it: the search for one that is
# missing, from each of many beginnings, would take hours
_TOKEN: Final = re.compile(
    r"""\.(?:target|executableTarget|testTarget|plugin|macro|systemLibrary)\s*\(\s*name\s*:\s*"(?P<target>[^"\\]*)"|"""
    r"""\bpath\s*:\s*"(?P<path>[^"\\]*)"|"(?:[^"\\\n]|\\.)*+"?|[()]"""
)
_COMMENT: Final = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


def swift_project(manifests: Manifests, folder: str) -> Project:
    """Return the package of `folder`, which has a Package.swift. Its `entries` are (module, its folder) of targets that
    declare their folder.

    Errors: Broken.
    """
    path = posixpath.join(folder, MANIFEST)
    text = _COMMENT.sub(lambda match: match[1] or " ", manifests.text(path))
    name_match = _NAME.search(text)
    name = name_of(name_match[1] if name_match else "") or posixpath.basename(folder) or "."
    return Project("", "swift", name, folder, path, entries=tuple(_targets(folder, text))[:MAX_ENTRIES])


def _targets(folder: str, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Find the targets and their folders in one pass. The content of a nested call, such as a dependency among the
    arguments of a target, is skipped.
    """
    calls: list[str] = []  # targets whose arguments are not yet closed; '' = any other call
    for match in _TOKEN.finditer(text):
        if match["path"] is not None:
            place = join(folder, match["path"]) if calls and calls[-1] else None
            if place is not None:
                yield calls[-1].replace("-", "_"), (place,)
        elif match["target"] is not None or match[0] == "(":
            calls.append(match["target"] or "")
        elif match[0] == ")" and calls:
            calls.pop()

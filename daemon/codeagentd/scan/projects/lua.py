"""Lua projects: names and modules from rock specifications. These are programs and never run: only literal values are
read from their text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from codeagentd.base.limits import MAX_ENTRIES

from .manifests import Manifests, join, name_of
from .project import Project

# spaces before the name, and no lines: of many blank ones, each would be read from every one above it
_NAME: Final = re.compile(r"""^[ \t]*+package\s*=\s*["']([\w.-]+)["']""", re.MULTILINE)
_COMMENT: Final = re.compile(r"--[^\n]*")
_MODULES: Final = re.compile(r"\bmodules\s*=\s*\{")
_MODULE: Final = re.compile(r"""[{}]|(?:\[\s*["']([\w.-]+)["']\s*\]|\b([^\W\d]\w*))\s*=\s*["']([^"'\n]+\.lua)["']""")


def lua_project(manifests: Manifests, folder: str, name: str) -> Project:
    """Return the project of the .rockspec `name` in `folder`.

    Errors: Broken.
    """
    path = posixpath.join(folder, name)
    text = manifests.text(path)
    match = _NAME.search(text)
    entries = tuple(_modules(folder, text))[:MAX_ENTRIES]
    return Project(
        "", "lua", name_of(match[1] if match else posixpath.basename(folder)) or ".", folder, path, entries=entries
    )


def _modules(folder: str, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """List (module, its file) of what `build.modules` installs (LuaRocks, "Rockspec format")."""
    text = _COMMENT.sub("", text)
    block, depth = _MODULES.search(text), 1
    for match in _MODULE.finditer(text, block.end()) if block else ():
        depth += (match[0] == "{") - (match[0] == "}")
        if not depth:
            return
        if depth == 1 and match[3] and (place := join(folder, match[3])):
            yield match[1] or match[2], (place,)

"""Go modules: path and local replacements from go.mod, and the modules that a go.work joins."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from codeagentd.base.limits import MAX_ENTRIES

from .manifests import Broken, Manifests, join, name_of
from .project import Project

GO_MANIFESTS: Final = ("go.mod", "go.work")

# A quote that is never closed takes its whole line: else every quote in it would be tried to the line's end
_WORD: Final = re.compile(r'"((?:[^"\\\n]|\\.)*+)"?|`([^`\n]*)`|(=>|[()])|([^\s"`()]+)')
_COMMENT: Final = re.compile(r"(?:^|\s)//.*")


def go_project(manifests: Manifests, folder: str) -> Project:
    """Return the module of `folder`, which has a go.mod.

    Errors: Broken.
    """
    path = posixpath.join(folder, "go.mod")
    lines = list(directives(manifests.text(path)))
    name = next((name_of(words[0]) for verb, words in lines if verb == "module" and words), "")
    if not name:
        raise Broken("it names no module")
    return Project("", "go", name, folder, path, entries=_replaced(folder, lines)[:MAX_ENTRIES])


def with_workspaces(manifests: Manifests, projects: list[Project], folders: list[str]) -> list[Project]:
    """Return `projects`, where each module of a workspace has got the folders of the others. `folders`: those with a
    go.work.
    """
    modules = {project.root: project for project in projects if project.language == "go"}
    for folder in folders:
        path = posixpath.join(folder, "go.work")
        try:
            lines = list(directives(manifests.text(path)))
        except Broken as problem:
            manifests.problems[path] = str(problem)
            continue
        used = [
            modules[root]
            for verb, words in lines
            if verb == "use" and words and (root := join(folder, words[0])) in modules
        ]
        shared = (*_replaced(folder, lines), *((module.name, (module.root or ".",)) for module in used))
        for module in used:
            modules[module.root] = msgspec.structs.replace(
                modules[module.root], entries=(*shared, *modules[module.root].entries)[:MAX_ENTRIES]
            )
    return [modules.get(project.root, project) if project.language == "go" else project for project in projects]


def _replaced(folder: str, lines: list[tuple[str, list[str]]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (module path, folder) of each module that is replaced by a folder of the repository."""
    replacements = []
    for verb, words in lines:
        if verb == "replace" and "=>" in words[1:-1] and words[-1].startswith(("./", "../")):
            place = join(folder, words[-1])
            if place is not None:
                replacements.append((words[0], (place or ".",)))
    return tuple(replacements)


def directives(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield (directive, its words) for each line of `text`; lines of a block have the word before the block's
    parenthesis (Go Modules Reference, "go.mod files").
    """
    block = ""
    for line in text.splitlines():
        words = ["".join(match.groups("")) for match in _WORD.finditer(_COMMENT.sub("", line))]
        if not words:
            continue
        if block:
            if words[0] == ")":
                block = ""
            else:
                yield block, words
        elif words[1:2] == ["("]:
            block = words[0]
        else:
            yield words[0], words[1:]

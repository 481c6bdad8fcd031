"""npm packages: name, workspaces and the files of their exports, from package.json."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from codeagentd.base.limits import MAX_ENTRIES

from .manifests import Manifests, join, name_of, table, texts
from .project import Project

# what an author wrote comes before what was built from it
SOURCE_FIELDS: Final = ("source", "types", "typings", "module", "main")
BUILT: Final = re.compile(
    r"^(?:\./)?(?:dist|lib|build|out|esm|cjs|es)(?:/(?:esm|cjs|es|src|types|mjs|module|commonjs))*/"
)
SCRIPT: Final = re.compile(r"\.(?:d\.[cm]?ts|[cm]?jsx?|[cm]?tsx?)$")


def npm_project(manifests: Manifests, folder: str) -> Project:
    """Return the package of `folder`, which has a package.json.

    Errors: Broken.
    """
    path = posixpath.join(folder, "package.json")
    package = manifests.json(path)
    workspaces = package.get("workspaces")
    patterns = texts(workspaces) or texts(table(workspaces).get("packages"))
    name = name_of(package.get("name")) or posixpath.basename(folder) or "."
    return Project(
        "",
        "npm",
        name,
        folder,
        path,
        entries=tuple(_entries(folder, package)),
        workspaces=tuple(patterns[:MAX_ENTRIES]),
    )


def candidates(project: Project, subpath: str) -> tuple[str, ...]:
    """Return the possible targets of an import of the package `project`, or of `subpath` inside it: best first, files
    or stems without extension.
    """
    paths: list[str] = []
    for pattern, places in project.entries:
        head, star, tail = pattern.partition("*")
        if star and len(subpath) > len(head) + len(tail) and subpath.startswith(head) and subpath.endswith(tail):
            middle = subpath[len(head) : len(subpath) - len(tail)]
            paths += [place.replace("*", middle) for place in places]
        elif subpath == pattern:
            paths += places
    usual = ("src/index", "index") if not subpath else (subpath, f"src/{subpath}")
    paths += [place for path in usual if (place := join(project.root, path)) is not None]
    return tuple(dict.fromkeys(paths))


def _entries(folder: str, package: dict[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """List (subpath, places), the most specific subpath first: exact ones, then patterns."""
    exports = package.get("exports")
    by_path = {key: value for key, value in exports.items() if key.startswith(".")} if isinstance(exports, dict) else {}
    if exports is not None and not by_path:
        by_path = {".": exports}
    main = [target for field in SOURCE_FIELDS for target in texts(package.get(field))]
    targets = {".": main, **{key: _targets(value) for key, value in list(by_path.items())[:MAX_ENTRIES]}}
    targets["."] = [*targets["."], *main]
    for key in sorted(targets, key=lambda key: ("*" in key, -len(key), key)):
        if places := tuple(dict.fromkeys(_places(folder, targets[key], is_main=key == "."))):
            yield key.removeprefix(".").removeprefix("/"), places


def _targets(value: object) -> list[str]:
    """Return every path of a conditional export, in the order written."""
    paths: list[str] = []
    todo = [value]
    while todo and len(paths) < MAX_ENTRIES:
        item = todo.pop(0)
        if isinstance(item, str):
            paths.append(item)
        elif isinstance(item, dict):
            todo = [*item.values(), *todo]
        elif isinstance(item, list):
            todo = [*item, *todo]
    return paths


def _places(folder: str, targets: list[str], *, is_main: bool) -> Iterator[str]:
    """List each target, after the source from which a built target was likely made: the source of the same name, and
    for the package itself the usual entry file.
    """
    usual = ("src/index",) if is_main else ()
    for target in targets:
        source = BUILT.sub("src/", target)
        paths = (SCRIPT.sub("", source), *usual, target) if source != target else (target,)
        for path in paths:
            if (place := join(folder, path)) is not None:
                yield place

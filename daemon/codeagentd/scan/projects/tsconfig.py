"""Path aliases from tsconfig.json and jsconfig.json, with the configurations that these extend inside the
repository.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from codeagentd.base.limits import MAX_ENTRIES, MAX_EXTENDS

from .manifests import Broken, Manifests, join, table, texts

CONFIG_NAMES: Final = ("tsconfig.json", "jsconfig.json", "tsconfig.base.json")

Patterns = dict[str, tuple[str, ...]]


class PathRules(msgspec.Struct, array_like=True, frozen=True):
    """The rules by which imports of one folder's files are rewritten: `base` is baseUrl, `paths` are patterns with at
    most one `*`; both relative to the repository's root.
    """

    folder: str
    base: str | None = None
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()


class _Options(msgspec.Struct, frozen=True):
    """The two compiler options as written; `folder` is that of the file that has `paths`."""

    base: str | None = None
    paths: dict[str, Any] | None = None
    folder: str = ""


def path_rules(manifests: Manifests, path: str, packages: dict[str, str]) -> PathRules:
    """Return the rules of the configuration file at `path`, of what it extends, and of the project files of the same
    folder that it refers to.

    Errors: Broken, for the file itself; a broken file that it extends is only noted.
    """
    folder = posixpath.dirname(path)
    content = manifests.json(path, comments=True)
    options = [_options(manifests, path, folder, packages)]
    for reference in content["references"] if isinstance(content.get("references"), list) else ():
        for other in texts(table(reference).get("path"))[:1]:
            place = _config(manifests, join(folder, other))
            if place and posixpath.dirname(place) == folder:
                options.append(_options(manifests, place, folder, packages))
    base = next((option.base for option in options if option.base is not None), None)
    paths: Patterns = {}
    for option in options:
        for pattern, targets in _placed(option, folder):
            paths.setdefault(pattern, targets)
    return PathRules(folder, base, tuple(paths.items()))


def _options(manifests: Manifests, path: str, leaf: str, packages: dict[str, str]) -> _Options:
    """Return the options of a file and of those it extends: its own first, then those of the last extended file."""
    options = _Options()
    todo, seen = [path], set[str]()
    while todo and len(seen) < MAX_EXTENDS:
        current = todo.pop(0)
        if current in seen:
            continue
        seen.add(current)
        try:
            content = manifests.json(current, comments=True)
        except Broken as problem:
            manifests.problems[current] = str(problem)
            continue
        folder = posixpath.dirname(current)
        options = _filled(options, table(content, "compilerOptions"), folder, leaf)
        extended = [_extended(manifests, folder, name, packages) for name in reversed(texts(content.get("extends")))]
        todo = [*(option for option in extended if option), *todo]
    return options


def _filled(known: _Options, declared: dict[str, Any], folder: str, leaf: str) -> _Options:
    """Return the options that are known already, completed by those of the next file of the chain."""
    base, paths = declared.get("baseUrl"), declared.get("paths")
    return _Options(
        base=_from(folder, leaf, base) if known.base is None and isinstance(base, str) else known.base,
        paths=paths if known.paths is None and isinstance(paths, dict) else known.paths,
        folder=folder if known.paths is None else known.folder,
    )


def _placed(options: _Options, leaf: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """List the patterns with their targets relative to the repository's root; as written they are relative to baseUrl,
    else to the file that has them.
    """
    start = options.folder if options.base is None else options.base
    for pattern, targets in list((options.paths or {}).items())[:MAX_ENTRIES]:
        places = [
            place
            for target in texts(targets)
            if target.count("*") <= 1 and (place := _from(start, leaf, target)) is not None
        ]
        if places and pattern.count("*") <= 1:
            yield pattern, tuple(places)


def _from(folder: str, leaf: str, path: str) -> str | None:
    if path.startswith("${configDir}"):
        return join(leaf, path.removeprefix("${configDir}").lstrip("/") or ".")
    return join(folder, path)


def _extended(manifests: Manifests, folder: str, name: str, packages: dict[str, str]) -> str | None:
    """Return the file of this repository that `extends` names: by path, or inside a package of this repository."""
    if name.startswith((".", "/")):
        return _config(manifests, join(folder, name))
    parts = name.split("/")
    split = 2 if name.startswith("@") else 1
    root = packages.get("/".join(parts[:split]))
    return _config(manifests, join(root, "/".join(parts[split:]) or ".")) if root is not None else None


def _config(manifests: Manifests, path: str | None) -> str | None:
    """Return the path of a configuration file that is named with or without extension, or by its folder; None without
    one.
    """
    if path is None:
        return None
    return next(
        (
            place
            for place in (path, f"{path}.json", posixpath.join(path, "tsconfig.json"))
            if place in manifests and place.endswith(".json")
        ),
        None,
    )

"""From an import as written to files: one named rule per module system."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import Final

from .world import File, World

Rule = Callable[[World, File, str], Sequence[File]]

_SUFFIXES: Final = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_FROM_SCRIPT: Final = {".js": (".ts", ".tsx", ".d.ts", ".js", ".jsx"), ".jsx": (".tsx", ".jsx"), ".mjs": (".mts", ".mjs"), ".cjs": (".cts", ".cjs")}


def absolute_python(file: File, module: str) -> str:
    """A module name without leading dots; relative ones are resolved against the file's own name ('' = leaves the top)."""
    if not module.startswith("."):
        return module
    rest = module.lstrip(".")
    parts = file.module.split(".") if file.module else []
    up = len(module) - len(rest) - (file.path.endswith("/__init__.py") or file.path == "__init__.py")
    if up > len(parts):
        return ""
    parts = parts[: len(parts) - up]
    return ".".join([*parts, rest] if rest else parts)


def python(world: World, file: File, module: str) -> Sequence[File]:
    """Dotted names, absolute or relative; where several files answer, those nearest to the importing one."""
    name = absolute_python(file, module)
    return _nearest(file, world.files_of_module(name)) if name else ()


def _nearest(file: File, candidates: Sequence[File]) -> Sequence[File]:
    if len(candidates) < 2:
        return candidates

    def distance(other: File) -> tuple[int, int, str]:
        shared = len(posixpath.commonprefix([file.path, other.path]))
        return (other.project != file.project, -shared, other.path)

    return (min(candidates, key=distance),)


def ecmascript(world: World, file: File, module: str) -> Sequence[File]:
    """Relative paths, tsconfig aliases, packages of the same repository."""
    if module.startswith("."):
        found = _script(world, posixpath.normpath(posixpath.join(posixpath.dirname(file.path), module)))
        return (found,) if found else ()
    for candidate in (*_aliased(world, file, module), *world.package(module)):
        if found := _script(world, candidate):
            return (found,)
    return ()


def _aliased(world: World, file: File, module: str) -> list[str]:
    aliases = world.aliases(file.path)
    found = []
    for pattern, targets in sorted(aliases.paths, key=lambda item: -len(item[0])):
        head, star, tail = pattern.partition("*")
        if star and len(module) >= len(head) + len(tail) and module.startswith(head) and module.endswith(tail):
            middle = module[len(head) : len(module) - len(tail)]
            found += [target.replace("*", middle, 1) for target in targets]
        elif module == pattern:
            found += targets
    if aliases.base is not None:
        found.append(posixpath.normpath(posixpath.join(aliases.base, module)))
    return found


def _script(world: World, path: str) -> File | None:
    """The source file behind a path that may lack its extension, name a folder, or name the script that will be built."""
    if path.startswith("../"):
        return None
    path = "" if path == "." else path
    stem, suffix = posixpath.splitext(path)
    candidates = [stem + other for other in _FROM_SCRIPT.get(suffix, ())]
    candidates += [path] if suffix else []
    candidates += [path + other for other in _SUFFIXES] if path else []
    candidates += [posixpath.join(path, "index") + other for other in _SUFFIXES]
    return next((found for candidate in candidates if (found := world.file_at(candidate))), None)


def none(world: World, file: File, module: str) -> Sequence[File]:
    """Languages whose imports name no files."""
    return ()


RULES: Final[dict[str, Rule]] = {"python": python, "path": ecmascript, "none": none}

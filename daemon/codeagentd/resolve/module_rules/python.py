"""Python: dotted names, absolute or relative."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from codeagentd.resolve.world import File, World


def absolute(file: File, module: str) -> str:
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
    name = absolute(file, module)
    return _nearest(file, world.files_of_module(name)) if name else ()


def _nearest(file: File, candidates: Sequence[File]) -> Sequence[File]:
    if len(candidates) < 2:
        return candidates

    def distance(other: File) -> tuple[int, int, str]:
        shared = len(posixpath.commonprefix([file.path, other.path]))
        return (other.project != file.project, -shared, other.path)

    return (min(candidates, key=distance),)

"""Files and folders of the repository as clients write them: relative to its top or to the caller's folder, or
absolute.
"""

from __future__ import annotations

import os
import posixpath
from pathlib import Path

from codeagent_protocol.errors import CodedError
from codeagentd.query.symbols.definitions import EVERYWHERE, Viewpoint

from .context import Context


def folders_from(root: Path, place: str, *, is_shell: bool) -> tuple[str, ...]:
    """Return the folders at which relative paths of a caller at `place` may begin: its own, where that is inside the
    repository, and the top; in a shell its own first.
    """
    inside = os.path.relpath(os.path.realpath(place), os.path.realpath(root)) if os.path.isabs(place) else "."
    if inside == "." or inside.split(os.sep)[0] == "..":
        return ("",)
    folder = inside.replace(os.sep, "/")
    return (folder, "") if is_shell else ("", folder)


def readings(ctx: Context, path: str) -> list[str]:
    """Return the readings of a path as one of the repository, the likeliest first; a relative one begins at any of the
    caller's folders.
    """
    for root in dict.fromkeys((os.fspath(ctx.root), os.fspath(ctx.jail.root))):
        if path == root or path.startswith(root + os.sep):
            return [path[len(root) + 1 :]]
    below = (
        posixpath.normpath(posixpath.join(folder, path)) if folder else path.removeprefix("./")
        for folder in ctx.folders
    )
    return list(
        dict.fromkeys(candidate for candidate in below if candidate != ".." and not candidate.startswith("../"))
    ) or [path]


def relative(ctx: Context, path: str, parameter: str, *, must_exist: bool = True) -> tuple[str, Path]:
    """A path as relative and absolute: its first reading that exists, else the first reading.

    Errors: those of the jail, about this parameter.
    """
    first, *others = readings(ctx, path)
    try:
        result = ctx.jail.resolve(first, must_exist=must_exist and not others)
        for other in others:
            if result[1].exists():
                break
            resolved = ctx.jail.resolve(other, must_exist=False)
            result = resolved if resolved[1].exists() else result
        return ctx.jail.resolve(first) if must_exist and not result[1].exists() else result
    except CodedError as error:
        error.facts["parameter"] = parameter
        raise


def viewpoint(ctx: Context, context_path: str | None) -> Viewpoint:
    """The file or folder from which names are looked at; none: the whole repository.

    Errors: path_escape, not_found, invalid_parameter.
    """
    if context_path is None:
        return EVERYWHERE
    path, place = relative(ctx, context_path, "context_path")
    if place.is_dir():
        return Viewpoint("", f"{path}/" if path else "", True)
    folder, slash, _ = path.rpartition("/")
    return Viewpoint(path, folder + slash, False)

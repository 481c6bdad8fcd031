"""Paths as clients write them: relative to the repository's root or to the caller's folder, or absolute."""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.query.symbols.definitions import EVERYWHERE, Viewpoint

from .context import Context

LONGEST_PLACE: Final = 6_000  # characters: a path, a line and a name

_AT_LINE: Final = re.compile(r"(.+?):([1-9]\d{0,8})(?:[-:,]\d[\d:,-]*)?(?: .*)?")


def at_line(text: str) -> tuple[str, int] | None:
    """Return the path and the line of a place as answers write it (`path:line`, `path:line:column`, `path:first-last`),
    also with the rest of its row; None for any other text.
    """
    match = _AT_LINE.fullmatch(text) if len(text) <= LONGEST_PLACE else None
    return (match[1], int(match[2])) if match else None


def folders_from(root: Path, place: str, *, is_shell: bool) -> tuple[str, ...]:
    """Return the folders that relative paths of a caller at `place` may refer to: its own folder, if it is inside the
    repository, and the root. For a shell its own folder is first.
    """
    inside = os.path.relpath(os.path.realpath(place), os.path.realpath(root)) if os.path.isabs(place) else "."
    if inside == "." or inside.split(os.sep)[0] == "..":
        return ("",)
    folder = inside.replace(os.sep, "/")
    return (folder, "") if is_shell else ("", folder)


def readings(ctx: Context, path: str) -> list[str]:
    """Return the possible meanings of `path` as paths of the repository, the likeliest first; a relative path may begin
    at any of the caller's folders.
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
    """Return `path` as a path relative to the repository and an absolute one: its first meaning that exists, else the
    first.

    Errors: those of the jail, for this parameter.
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
    """Return the file or folder from which names are resolved; without `context_path` the whole repository.

    Errors: path_escape, not_found, invalid_parameter.
    """
    if context_path is None:
        return EVERYWHERE
    path, place = relative(ctx, context_path, "context_path")
    if place.is_dir():
        return Viewpoint("", f"{path}/" if path else "", True)
    folder, slash, _ = path.rpartition("/")
    return Viewpoint(path, folder + slash, False)

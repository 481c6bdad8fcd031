"""Which file or folder does a client name, where it may say so with an absolute path?"""

from __future__ import annotations

import os
from pathlib import Path

from codeagent_protocol.errors import CodedError
from codeagentd.query.definitions import EVERYWHERE, Viewpoint
from codeagentd.toolkit.context import Context


def relative(ctx: Context, path: str, parameter: str, *, must_exist: bool = True) -> tuple[str, Path]:
    """A path of the repository, given relative or absolute, as relative and absolute. Errors: those of the jail, about this parameter."""
    inside = path
    for root in dict.fromkeys((os.fspath(ctx.root), os.fspath(ctx.jail.root))):
        if path == root or path.startswith(root + os.sep):
            inside = path[len(root) + 1 :]
            break
    try:
        return ctx.jail.resolve(inside, must_exist=must_exist)
    except CodedError as error:
        error.facts["parameter"] = parameter
        raise


def viewpoint(ctx: Context, context_path: str | None) -> Viewpoint:
    """The file or folder from which names are looked at; none: the whole repository. Errors: path_escape, not_found, invalid_parameter."""
    if context_path is None:
        return EVERYWHERE
    path, place = relative(ctx, context_path, "context_path")
    if place.is_dir():
        return Viewpoint("", f"{path}/" if path else "", True)
    folder, slash, _ = path.rpartition("/")
    return Viewpoint(path, folder + slash, False)

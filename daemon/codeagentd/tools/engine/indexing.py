"""The tool that indexes files at once."""

from __future__ import annotations

from codeagent_protocol.errors import CodedError, InvalidParameter
from codeagentd.model.parameters import PathList
from codeagentd.model.results.symbol_results import IndexedFiles, PathError
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import Effect, tool


@tool("engine", Effect.WRITE, needs_index=False)
def index_files(ctx: Context, paths: PathList) -> IndexedFiles:
    """Index changed files now (reindex, refresh) instead of when the watcher sees them change.

    Returns: how many were indexed, and what went wrong with the others; a deleted file is taken out of the index.
    Errors:  invalid_parameter, engine_unavailable; per path not_found, path_escape, invalid_parameter, index_error.
    Source:  000 index_files.
    """
    inside, errors = _sorted_out(ctx, paths)
    if not inside:
        return IndexedFiles(0, errors)
    done = ctx.engine.index_files(inside, ctx.session, ctx.seq)
    failed = [PathError(error["path"], error["code"], error["message"]) for error in done["errors"]]
    return IndexedFiles(done["indexed"], [*errors, *failed])


def _sorted_out(ctx: Context, paths: list[str]) -> tuple[list[str], list[PathError]]:
    """The paths that may be indexed, once each, and the errors of the other paths."""
    inside: dict[str, None] = {}
    errors = []
    for path in paths:
        try:
            inside[_indexable(ctx, path)] = None
        except CodedError as error:
            errors.append(PathError(path, error.code, error.message))
    return list(inside), errors


def _indexable(ctx: Context, path: str) -> str:
    """The path in the form of the index.

    A path without a file is passed to the engine too: the index may still contain it, and a resent call has to find its
    record.
    """
    relative, place = ctx.jail.resolve(path, must_exist=False)
    if place.exists() and not place.is_file():
        raise InvalidParameter(f"{path!r} is not a regular file", parameter="paths")
    return relative

"""The tools about call and import hierarchies."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from codeagent_protocol.errors import CodedError
from codeagentd.model.parameters import Cursor, EdgeLimit, RepoPath
from codeagentd.model.results.lens_results import CallRelative, FileRelative
from codeagentd.query.graph.call_hierarchy import call_tree
from codeagentd.query.hierarchy.import_hierarchy import IMPORTED_BY, IMPORTS, file_relatives, package
from codeagentd.query.symbols.definitions import definitions_named, kind_number
from codeagentd.query.symbols.outline import indexed_file
from codeagentd.query.symbols.symbol_places import OUTSIDE
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.path_arguments import relative, viewpoint
from codeagentd.toolkit.tool import tool

Depth = Annotated[int, Meta(ge=1, le=5)]

_DIRECTIONS: Final = {"imports": (IMPORTS,), "imported_by": (IMPORTED_BY,), "both": (IMPORTS, IMPORTED_BY)}


@tool("hierarchy", name="code.relation.callHierarchy")
def call_hierarchy(
    ctx: Context,
    symbol_name: str,
    direction: Literal["incoming", "outgoing"] = "incoming",
    depth: Depth = 1,
    kind: str | None = None,
    context_path: str | None = None,
    limit: EdgeLimit = 100,
    cursor: Cursor | None = None,
) -> Page[CallRelative]:
    """List who calls a symbol (incoming) or whom it calls (outgoing), by depth.

    Returns: each once, the nearer and surer first, with up to 10 sites in the caller's file; ambiguous ones are not
             followed.
    Errors:  not_found, invalid_parameter, path_escape.
    Source:  001 code.relation.* (named for the future).
    """
    view = viewpoint(ctx, context_path)
    number = kind_number(kind)
    question = ("code.relation.callHierarchy", symbol_name, direction, depth, kind, view)
    after = position(cursor, *question)
    with ctx.read() as db:
        result = definitions_named(db, symbol_name, None if number is None else {number}, view)
        part = call_tree(db, ctx.root, result.subjects, direction, depth, after, limit)
    answer = page(part, *question)
    return (
        answer
        if after
        else Page(answer.results, answer.next_cursor, "; ".join(filter(None, (result.note, answer.note))))
    )


@tool("hierarchy", name="code.relation.importDependencies")
def import_dependencies(
    ctx: Context,
    file_path: RepoPath,
    direction: Literal["imports", "imported_by", "both"] = "both",
    depth: Depth = 1,
    limit: EdgeLimit = 100,
    cursor: Cursor | None = None,
) -> Page[FileRelative]:
    """List the files a file imports and those that import it; packages are external:….

    Returns: imports before importers, the nearer first, then by path, with the imported names.
    Errors:  not_found, invalid_parameter, path_escape.
    Source:  001 code.relation.* (named for the future).
    """
    is_package = file_path.startswith(OUTSIDE)
    path = file_path if is_package else relative(ctx, file_path, "file_path", must_exist=False)[0]
    question = ("code.relation.importDependencies", path, direction, depth)
    after = position(cursor, *question)
    with ctx.read() as db:
        file = package(db, path) if is_package else _number(db, path)
        return page(file_relatives(db, ctx.root, file, _DIRECTIONS[direction], depth, after, limit), *question)


def _number(db: Database, path: str) -> int:
    try:
        return indexed_file(db, path).id
    except CodedError as error:
        error.facts["parameter"] = "file_path"
        raise

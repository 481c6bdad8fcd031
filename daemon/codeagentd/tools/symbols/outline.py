"""What is defined in this file?"""

from __future__ import annotations

from codeagentd.model.parameters import Cursor, OutlineLimit, RepoPath
from codeagentd.model.results import OutlineItem
from codeagentd.query.outline import indexed_file, outline
from codeagentd.toolkit.answers import Page, page, position
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool
from codeagentd.toolkit.viewpoint import relative


class Outline(Page[OutlineItem], frozen=True, omit_defaults=True):
    """A page of symbols; `parse_status` and `reason` when the file could not be read in full."""

    parse_status: str = ""
    reason: str = ""


@tool("symbols")
def get_file_outline(ctx: Context, path: RepoPath, limit: OutlineLimit = 200, cursor: Cursor | None = None) -> Outline:
    """List the symbols defined in a file, in line order: a document's outline of functions, classes, methods.

    Returns: symbols without the file's own; parse_status when it is partial or failed.
    Errors:  not_found (with status and reason for a file that was left out), invalid_parameter, path_escape.
    Source:  000 get_file_outline.
    """
    inside, _ = relative(ctx, path, "path", must_exist=False)
    question = ("get_file_outline", inside)
    after = position(cursor, *question)
    with ctx.read() as db:
        file = indexed_file(db, inside)
        found = page(outline(db, file, after, limit), *question)
    return Outline(found.results, found.next_cursor, parse_status="" if file.status == "full" else file.status, reason=file.reason)

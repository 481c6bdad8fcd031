"""The outline of a file: its definitions and its re-exports."""

from __future__ import annotations

from typing import Final

from codeagentd.model.parameters import Cursor, OutlineLimit, RepoPath
from codeagentd.model.results.symbol_results import OutlineItem
from codeagentd.query.paging import Key, Slice
from codeagentd.query.symbols.coverage import is_generic
from codeagentd.query.symbols.outline import IndexedFile, indexed_file, outline
from codeagentd.query.symbols.reexports import reexports
from codeagentd.store.connection import Database
from codeagentd.toolkit.compact.symbol_rows import re_exports
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, position
from codeagentd.toolkit.pages import cursor as cursor_of
from codeagentd.toolkit.path_arguments import relative
from codeagentd.toolkit.tool import tool

BY_GRAMMAR: Final = "coverage generic: definitions are those that the grammar shows, so some may be missing"
NOTHING: Final = "the file defines no symbols and re-exports nothing"


class Outline(Page[OutlineItem], frozen=True, omit_defaults=True):
    """A page of symbols; `re_exports`: names that the file offers and that are defined elsewhere, listed after the
    symbols; `parse_status` and `reason` when the file could not be parsed in full.
    """

    re_exports: list[str] = []  # as texts: a schema with fields would cost each session 60 tokens, and each row 20
    parse_status: str = ""
    reason: str = ""


@tool("symbols", rows={str: re_exports})
def get_file_outline(ctx: Context, path: RepoPath, limit: OutlineLimit = 200, cursor: Cursor | None = None) -> Outline:
    """List the symbols declared in a file (module), in line order, and what it re-exports: a document's outline of
    functions, classes, methods.

    Returns: symbols without the file's own; then re_exports, within the same limit; parse_status when it is partial or
             failed.
    Errors:  not_found (with status and reason for a file that was left out), invalid_parameter, path_escape.
    Source:  000 get_file_outline.
    """
    inside, _ = relative(ctx, path, "path", must_exist=False)
    question = ("get_file_outline", inside)
    after = position(cursor, *question)
    with ctx.read() as db:
        file = indexed_file(db, inside)
        symbols, offered, following = _parts(db, file, inside, after, limit)
    return Outline(
        symbols,
        cursor_of(following, *question) if following else "",
        note=_note(file.language or "", is_empty=not (symbols or offered or after)),
        re_exports=offered,
        parse_status="" if file.status == "full" else file.status,
        reason=file.reason,
    )


def _note(language: str, *, is_empty: bool) -> str:
    """What there is to say about the outline of a file."""
    return "; ".join([NOTHING] * is_empty + [BY_GRAMMAR] * is_generic(language))


def _parts(
    db: Database, file: IndexedFile, path: str, after: Key | None, limit: int
) -> tuple[list[OutlineItem], list[str], Key | None]:
    """The symbols, the re-exports, and the key after which the next page begins: a key of one number is among the
    re-exports, a longer one among the symbols.
    """
    is_behind = after is not None and len(after) == 1
    defined = Slice[OutlineItem]([]) if is_behind else outline(db, file, after, limit)
    room = limit - len(defined.items)
    if defined.after:
        return defined.items, [], defined.after
    offered = reexports(db, file, path, after[0] if after and is_behind else 0, room)
    return defined.items, offered.items, offered.after

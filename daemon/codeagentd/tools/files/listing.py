"""The tool that lists a directory."""

from __future__ import annotations

from itertools import islice
from typing import Final

from codeagentd.model.parameters import Cursor, RepoPath
from codeagentd.model.results.symbol_results import DirectoryEntry
from codeagentd.query.paging import Slice
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.tool import tool

from .entries import directory, visible

MAX_ENTRIES: Final = 1_000  # per page; the limit of page 000 for a directory of the tree


@tool("files", needs_index=False)
def list_directory(ctx: Context, path: RepoPath = "", cursor: Cursor | None = None) -> Page[DirectoryEntry]:
    """List the files and folders of a directory (ls).

    Returns: entries by name, without ignored ones; size in bytes.
    Errors:  not_found, invalid_parameter, path_escape.
    Source:  000 list_directory.
    """
    relative, place = directory(ctx, path)
    question = ("list_directory", relative)
    after = position(cursor, *question)
    most = ctx.most(MAX_ENTRIES)
    collected = list(islice(visible(ctx, relative, place, after[0] if after else ""), most + 1))
    shown = [DirectoryEntry(entry.name, entry.type, entry.size) for entry in collected[:most]]
    last = collected[most - 1].path.rpartition("/")[2] if len(collected) > most else None
    return page(Slice(shown, (last,) if last else None), *question)

"""The pages of folders and files."""

from __future__ import annotations

import posixpath
from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.query.retrieval.excerpts import shown_lines
from codeagentd.query.symbols.outline import indexed_file
from codeagentd.secrets.redaction import shown as without_secrets
from codeagentd.serve.page.editors import editor_links
from codeagentd.serve.page.questions import Json, PageRequest, Shown
from codeagentd.serve.page.source_colors import colors
from codeagentd.serve.page.source_lines import linked_lines
from codeagentd.vcs.file_history import commits_of

AT_ONCE: Final = 2_000  # lines of a page
OUTLINE: Final = 500
COMMITS: Final = 8


def tree(request: PageRequest) -> Shown:
    """Show the entries of a folder."""
    path = request.rest.strip("/")
    answer = request.tool("list_directory", **({"path": path} if path else {}))
    entries = answer["results"]
    while cursor := answer.get("next_cursor"):
        answer = request.tool("list_directory", cursor=cursor, **({"path": path} if path else {}))
        entries += answer["results"]
    return Shown("tree", path or "Files", {"path": path, "parts": parts_of(path), "entries": entries})


def file(request: PageRequest) -> Shown:
    """Show the text of a file with links, and its outline. Errors: those of read_file."""
    ctx, path = request.ctx, request.rest.strip("/")
    first = request.number("from", 1, 10_000_000)
    content = request.tool("read_file", path=path, line_start=first, line_end=first + AT_ONCE - 1)
    with ctx.read() as db:
        try:
            indexed, why = indexed_file(db, path), ""
        except CodedError as error:
            indexed, why = None, error.message
        shown = shown_lines(db, path, ctx.lines(path))[first - 1 : first - 1 + AT_ONCE]
        lines = linked_lines(db, indexed.id if indexed else 0, shown, first)
    outline = request.maybe("get_file_outline", path=path, limit=OUTLINE).get("results", []) if indexed else []
    total = content["total_lines"]
    values = {
        "path": path, "parts": parts_of(path), "lines": lines, "outline": outline, "why": why, "total": total,
        "first": first, "before": max(1, first - AT_ONCE) if first > 1 else 0,
        "after": first + AT_ONCE if first + AT_ONCE <= total else 0,
        "editors": editor_links(ctx.root / path, first),
    }  # fmt: skip
    return Shown("file", posixpath.basename(path), values)


def source_colors(request: PageRequest) -> Json:
    """Return the colours of a file's lines `from` to `to`, and none for a file of no known language."""
    ctx, path = request.ctx, request.rest.strip("/")
    first = request.number("from", 1, 10_000_000)
    last = min(request.number("to", first, 10_000_000), first + AT_ONCE - 1)
    with ctx.read() as db:
        indexed = indexed_file(db, path)
        shown = shown_lines(db, path, ctx.lines(path))[first - 1 : last]
    return {name: runs for name, runs in colors(indexed.language or "", shown, first).items() if runs}


def history(request: PageRequest) -> Shown:
    """Show the last commits that changed a file. It is a page of its own, since git may walk through all commits."""
    path = request.rest.strip("/")
    request.ctx.jail.resolve(path, must_exist=False)
    commits = [
        commit._replace(author=without_secrets(commit.author), subject=without_secrets(commit.subject))
        for commit in commits_of(request.ctx.root, path, COMMITS)
    ]
    return Shown("history", f"Commits of {posixpath.basename(path)}", {"path": path, "commits": commits})


def parts_of(path: str) -> list[Json]:
    """Return the folders on the way to `path`, and itself, each with its name and its path."""
    parts = path.split("/") if path else []
    return [{"name": name, "path": "/".join(parts[: at + 1])} for at, name in enumerate(parts)]

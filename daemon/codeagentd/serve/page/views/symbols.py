"""The page of a symbol: its source, and everything around it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Final

from codeagentd.model.ids import node_id
from codeagentd.model.kinds import TYPES
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.graph.profile import profile
from codeagentd.query.retrieval.excerpts import excerpt, quoted_line, shown_lines
from codeagentd.query.symbols.lookup import Subject
from codeagentd.serve.page.editors import editor_links
from codeagentd.serve.page.questions import Json, PageRequest, Shown
from codeagentd.serve.page.source_lines import linked_lines
from codeagentd.store.connection import Database
from codeagentd.toolkit.symbol_arguments import single
from codeagentd.tools.retrieval.describe import TEST_HOPS, memories_of, tests_of

LONGEST: Final = 400  # lines of source that are shown
ENDS: Final = 25  # callers and callees that are listed, unless more are asked for
MOST_ENDS: Final = 500
SITES: Final = 5  # places of one of them
TESTS: Final = 50
MEMBERS: Final = 200


def symbol(request: PageRequest) -> Shown:
    """Show the symbol that the rest of the path names. Errors: as of the tools, with candidates."""
    ctx = request.ctx
    with ctx.read() as db:
        match = single(ctx, db, request.rest, "symbol")
        subject = match.best
        card = profile(db, ctx.root, subject, ctx.lines)
        shown = functools.cache(lambda path: shown_lines(db, path, ctx.lines(path)))
        most = request.number("ends", ENDS, MOST_ENDS)
        callers = [_end(end, shown) for end in card.callers[:most]]
        callees = [_end(end, shown) for end in card.callees[:most]]
        lines, is_cut = _source(request, db, subject)
    uid = node_id(subject.uid)
    memories, trouble = memories_of(ctx, subject.uid)
    name = subject.qualified_name.removesuffix("()")
    values: Json = {
        "subject": subject, "card": card, "id": uid, "lines": lines, "is_cut": is_cut,
        "callers": callers, "caller_count": len(card.callers), "callees": callees, "callee_count": len(card.callees),
        "memories": memories,
        "note": "; ".join(filter(None, (match.note_of_best, card.note, trouble))),
        "is_member": subject.is_member, "hierarchy": _hierarchy(request, subject),
        "implementations": request.maybe("get_implementations", node_id=uid, limit=50).get("results", []),
        "members": _members(request, subject), "editors": [], "most_ends": MOST_ENDS,
    }  # fmt: skip
    if subject.id > 0:
        values["editors"] = editor_links(ctx.root / subject.path, subject.line_start)
    return Shown("symbol", name.rpartition(".")[2] or name, values)


def possible(request: PageRequest) -> Shown:
    """Show the calls on values of unknown type that may mean a symbol."""
    with request.ctx.read() as db:
        subject = single(request.ctx, db, request.rest, "symbol").best
    answer = request.tool("get_callers", node_id=node_id(subject.uid), include="possible", limit=MOST_ENDS, lines=True)
    unsure = [end for end in answer["results"] if end["confidence"] == "ambiguous"]
    values = {"subject": subject, "ends": unsure, "is_cut": "next_cursor" in answer}
    return Shown("possible", f"Possible callers of {subject.name}", values)


def tests(request: PageRequest) -> Shown:
    """Show the tests that reach a symbol. It is a page of its own, since thousands may reach one."""
    with request.ctx.read() as db:
        subject = single(request.ctx, db, request.rest, "symbol").best
        reaching = tests_of(db, subject)
    values = {"subject": subject, "tests": reaching[:TESTS], "test_count": len(reaching), "hops": TEST_HOPS}
    return Shown("tests", f"Tests of {subject.name}", values)


def _end(end: Neighbour, shown: Callable[[str], Sequence[str]]) -> Json:
    sites = [
        {"path": site.file_path, "line": site.line, "text": quoted_line(shown(site.file_path), site.line).strip()}
        for site in end.sites[:SITES]
    ]
    return {"end": end, "sites": sites, "more": len(end.sites) - len(sites)}


def _source(request: PageRequest, db: Database, subject: Subject) -> tuple[list[object], bool]:
    """The lines of the symbol with links, and whether there are more."""
    if subject.id < 0:
        return [], False
    ctx = request.ctx
    last = min(subject.line_end, subject.line_start + LONGEST - 1)
    text = excerpt(ctx.read, subject.path, ctx.lines(subject.path), subject.line_start, last)
    return [*linked_lines(db, subject.file, text, subject.line_start)], last < subject.line_end


def _hierarchy(request: PageRequest, subject: Subject) -> Json:
    """The types above and below a type; nothing for other symbols."""
    if subject.kind not in TYPES:
        return {}
    return request.maybe("code.type.hierarchy", symbol_name=subject.qualified_name, context_path=subject.path)


def _members(request: PageRequest, subject: Subject) -> list[Json]:
    if subject.kind not in TYPES or subject.id < 0:
        return []
    items = request.maybe("get_file_outline", path=subject.path, limit=1_000).get("results", [])
    inside = [
        item for item in items if subject.line_start <= item["line_start"] and item["line_end"] <= subject.line_end
    ]
    return [item for item in inside if item["qualified_name"] != subject.qualified_name][:MEMBERS]

"""Which lines answer this question?"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from codeagent_protocol.errors import CodedError, InvalidParameter
from codeagentd.base.limits import MAX_FILE_BYTES
from codeagentd.base.text import decode
from codeagentd.model.parameters import Cursor, SearchLimit, SearchText
from codeagentd.model.retrieval import SCHEMA_VERSION, CodeHit, Read, SearchAnswer
from codeagentd.query.ranking import Candidate, Query
from codeagentd.query.retrieval import defined_in, retrieve
from codeagentd.query.snippets import Snippet, snippet
from codeagentd.toolkit.answers import cursor as cursor_of
from codeagentd.toolkit.answers import position
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .envelope import state

DEFAULT_BUDGET: Final = 1500  # tokens: page 003
LAST_RANK: Final = 100  # hits that paging reaches
SURE: Final = 1.5  # how many times better than the second the first is, to be trusted

Budget = Annotated[int, Meta(ge=100, le=25_000)]


@tool("retrieval")
def search_code(
    ctx: Context, query: SearchText, limit: SearchLimit = 10, token_budget: Budget = DEFAULT_BUDGET, raw: bool = False, cursor: Cursor | None = None
) -> SearchAnswer:
    """Find the code that answers a question in words, names or both: ranked file:line ranges with the lines that matter (`raw`: all of them).

    Returns: hits, best first; snippets as far as token_budget goes (an upper estimate at 3 characters a token), the rest in recommended_reads.
    Errors:  invalid_parameter.
    Source:  003 search_code.
    """
    if not query.strip():
        raise InvalidParameter("query is empty", remedy="ask in words or name what you look for", parameter="query")
    (first,) = position(cursor, "search_code", query) or (0,)
    complete = ctx.engine.text_ready()
    with ctx.read() as db:
        asked, found = retrieve(db, query, min(first + limit + 1, LAST_RANK))
        page = found[first : first + limit]
        symbols = [defined_in(db, one) for one in page]
    hits, reads = _shown(ctx, asked, page, symbols, first, token_budget, raw)
    following = cursor_of((first + limit,), "search_code", query) if len(found) > first + limit else ""
    note = "" if complete else "text is still being indexed: more may be found in a moment"
    return SearchAnswer(SCHEMA_VERSION, "search_code", state(ctx), query, "lexical", _confidence(found), hits, reads, following, note)


def _shown(
    ctx: Context, asked: Query, page: list[Candidate], symbols: list[list[tuple[str, int]]], first: int, budget: int, raw: bool
) -> tuple[list[CodeHit], list[Read]]:
    """Hits with snippets while the budget lasts; the others are told as reads."""
    hits: list[CodeHit] = []
    reads: list[Read] = []
    for number, (one, defined) in enumerate(zip(page, symbols, strict=True), start=first + 1):
        shown = _snippet(ctx, asked, one, {line - one.line_start for _, line in defined}, raw)
        lines, reason = [one.line_start, one.line_end], ", ".join(dict.fromkeys(one.reasons))
        if shown.tokens > budget:
            reads.append(Read(one.path, lines, reason))
            shown = Snippet("", 0, 0)
        budget -= shown.tokens
        names = [name for name, _ in defined]
        hits.append(CodeHit(number, one.path, lines, names, round(one.score, 3), reason, shown.text, shown.tokens, shown.elided > 0, shown.elided))
    return hits, reads


def _snippet(ctx: Context, asked: Query, one: Candidate, heads: set[int], raw: bool) -> Snippet:
    try:
        lines = decode(ctx.jail.read_bytes(one.path, MAX_FILE_BYTES)).splitlines()[one.line_start - 1 : one.line_end]
    except CodedError:
        return Snippet("", 0, 0)  # gone since
    return snippet(lines, (*asked.words, *asked.names), heads, raw)


def _confidence(found: list[Candidate]) -> str:
    if not found:
        return "low"
    second = found[1].score if len(found) > 1 else 0.0
    if found[0].defined >= 1 or found[0].score >= SURE * second:
        return "high"
    return "medium" if found[0].covered >= 0.5 else "low"

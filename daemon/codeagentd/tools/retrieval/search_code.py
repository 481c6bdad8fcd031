"""The tool that finds the code that answers a question."""

from __future__ import annotations

from typing import Final

from codeagentd.model.parameters import Cursor, Question, SearchLimit
from codeagentd.model.retrieval import SCHEMA_VERSION, SearchAnswer
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import cursor as cursor_of
from codeagentd.toolkit.pages import position
from codeagentd.toolkit.tool import tool

from .envelope import envelope, state
from .hits import Budget, confidence, shown
from .hybrid_query import ask, echoed

DEFAULT_BUDGET: Final = 1500  # tokens: page 003
LAST_RANK: Final = 100  # hits that paging reaches


@tool("retrieval", envelope=envelope, always_loaded=True)
def search_code(
    ctx: Context,
    query: Question,
    limit: SearchLimit = 10,
    token_budget: Budget = DEFAULT_BUDGET,
    raw: bool = False,
    dedupe: bool = False,
    cursor: Cursor | None = None,
) -> SearchAnswer:
    """Search the codebase by meaning, words, names or text to grep, such as `how are sessions stored` or a whole issue:
    ranked file:line ranges with the lines that matter (`raw`: all). `dedupe` leaves out what this session got before.
    Fails on an empty query.

    Returns: hits, best first, with their lines as far as token_budget goes, the rest in recommended_reads; what fits in
             neither is on the next page.
    Errors:  invalid_parameter.
    Source:  003 search_code.
    """
    (first,) = position(cursor, "search_code", query) or (0,)
    result = ask(ctx, query, min(first + limit + 1, LAST_RANK), first)
    page = zip(result.hits[first : first + limit], result.symbols, strict=False)
    shown_page = shown(ctx, result.query, page, first, token_budget, raw=raw, dedupe=dedupe)
    end = first + max(1, shown_page.hits_shown)  # a hit that is too long even to be named is skipped
    return SearchAnswer(
        schema_version=SCHEMA_VERSION,
        tool="search_code",
        index=state(ctx),
        results=shown_page.hits,
        recommended_reads=shown_page.reads,
        query=echoed(query),
        mode=result.mode,
        confidence=confidence(result.hits, result.is_foreign),
        embedded=result.embedded,
        next_cursor=cursor_of((end,), "search_code", query) if len(result.hits) > end else "",
        note=result.note,
    )

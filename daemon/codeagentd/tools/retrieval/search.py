"""Which lines answer this question?"""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.parameters import Cursor, SearchLimit, SearchText
from codeagentd.model.retrieval import SCHEMA_VERSION, SearchAnswer
from codeagentd.query.retrieval import defined_in, retrieve
from codeagentd.toolkit.answers import cursor as cursor_of
from codeagentd.toolkit.answers import position
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .envelope import envelope, state
from .hits import Budget, confidence, shown

DEFAULT_BUDGET: Final = 1500  # tokens: page 003
LAST_RANK: Final = 100  # hits that paging reaches


@tool("retrieval", envelope=envelope)
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
    hits, reads = shown(ctx, asked, page, symbols, first, token_budget, raw)
    following = cursor_of((first + limit,), "search_code", query) if len(found) > first + limit else ""
    note = "" if complete else "text is still being indexed: more may be found in a moment"
    return SearchAnswer(
        schema_version=SCHEMA_VERSION,
        tool="search_code",
        index=state(ctx),
        results=hits,
        recommended_reads=reads,
        query=query,
        mode="lexical",
        confidence=confidence(found),
        next_cursor=following,
        note=note,
    )

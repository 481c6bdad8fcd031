"""Which lines answer this question?"""

from __future__ import annotations

from typing import Final

from codeagentd.model.parameters import Cursor, SearchLimit, SearchText
from codeagentd.model.retrieval import SCHEMA_VERSION, SearchAnswer
from codeagentd.toolkit.answers import cursor as cursor_of
from codeagentd.toolkit.answers import position
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .asking import ask
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
    (first,) = position(cursor, "search_code", query) or (0,)
    found = ask(ctx, query, min(first + limit + 1, LAST_RANK), first)
    hits, reads = shown(ctx, found.asked, found.hits[first : first + limit], found.symbols[:limit], first, token_budget, raw)
    following = cursor_of((first + limit,), "search_code", query) if len(found.hits) > first + limit else ""
    return SearchAnswer(
        schema_version=SCHEMA_VERSION,
        tool="search_code",
        index=state(ctx),
        results=hits,
        recommended_reads=reads,
        query=query,
        mode=found.mode,
        confidence=confidence(found.hits),
        embedded=found.embedded,
        next_cursor=following,
        note=found.note,
    )

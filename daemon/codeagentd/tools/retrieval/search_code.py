"""The tool that finds the code that answers a question."""

from __future__ import annotations

from typing import Final

from codeagentd.model.parameters import Cursor, Question, SearchLimit, TokenBudget
from codeagentd.model.retrieval import SCHEMA_VERSION, Read, SearchAnswer
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import cursor as cursor_of
from codeagentd.toolkit.pages import position
from codeagentd.toolkit.tool import tool

from .envelope import envelope, state
from .hits import NAMES, SHARE, Place, confidence, cost, fitting, shown, within
from .hybrid_query import QueryResult, ask, echoed
from .seeds import one_step_away, seeds

DEFAULT_BUDGET: Final = 1500  # tokens: page 003
LAST_RANK: Final = 100  # hits that paging reaches


@tool("retrieval", envelope=envelope, always_loaded=True)
def search_code(
    ctx: Context,
    query: Question,
    limit: SearchLimit = 10,
    token_budget: TokenBudget = DEFAULT_BUDGET,
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
    page = [
        Place(hit, symbols[:NAMES], {line for _, line in symbols})
        for hit, symbols in zip(result.hits[first : first + limit], result.symbols, strict=False)
    ]
    near = [] if first else within(ctx, _near(ctx, result), token_budget // SHARE)

    def answered(budget: int) -> SearchAnswer:
        hits = shown(ctx, result.query, page, first, budget - cost(ctx, near), raw=raw, dedupe=dedupe)
        end = first + max(1, hits.hits_shown)  # a hit that is too long even to be named is skipped
        return SearchAnswer(
            schema_version=SCHEMA_VERSION,
            tool="search_code",
            index=state(ctx),
            results=hits.hits,
            recommended_reads=[*hits.reads, *near],
            query=echoed(query),
            mode=result.mode,
            confidence=confidence(result.hits, result.is_foreign),
            embedded=result.embedded,
            next_cursor=cursor_of((end,), "search_code", query) if len(result.hits) > end else "",
            note=result.note,
        )

    return fitting(ctx, token_budget, answered)


def _near(ctx: Context, result: QueryResult) -> list[Read]:
    """What is one step away from the definition that the question names, if it is nothing but a name."""
    if not result.query.is_name or not result.hits or result.hits[0].defined < 1:
        return []
    with ctx.read() as db:
        subject = seeds(ctx, db, result._replace(hits=result.hits[:1], symbols=result.symbols[:1]))[0].subject
        return one_step_away(db, subject) if subject else []

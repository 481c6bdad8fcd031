"""The tool that explains a part of the code by its most relevant pieces and their relations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codeagentd.model.parameters import Question, SearchLimit
from codeagentd.model.results.retrieval_results import ExplainAnswer, Relation
from codeagentd.model.retrieval import Read
from codeagentd.query.graph.relation_lines import relations
from codeagentd.query.retrieval.intent import read_intent
from codeagentd.query.retrieval.ranking import Candidate
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .envelope import envelope, state
from .hits import Budget, confidence, cost, shown
from .hybrid_query import QueryResult, ask, echoed

HITS: Final = 3  # hits whose symbols are shown with their callers and callees
SYMBOLS: Final = 2  # symbols of one hit
SHARE: Final = 4  # the divisor of the budget that gives the share for callers and callees


@tool("retrieval", envelope=envelope)
def explain_code(
    ctx: Context, query: Question, limit: SearchLimit = 10, token_budget: Budget | None = None, dedupe: bool = False
) -> ExplainAnswer:
    """Explain how something works in this codebase, from a question or a whole issue: what search_code finds, and who
    calls the best hits and whom they call. E.g. `how are sessions stored`. `dedupe` leaves out what this session got
    before. Fails on an empty query.

    Returns: intent (locate, how_it_works, debug, references, impact, data_flow, architecture, keyword), which chooses
             the budget if none is given.
    Errors:  invalid_parameter.
    Source:  003 explain_code.
    """
    rule = read_intent(query)
    budget = token_budget or rule.budget
    result = ask(ctx, query, limit)
    with ctx.read() as db:
        related = list(_within(ctx, relations(db, _best(result)), budget // SHARE))
    further = _further(related, result.hits)
    spent = sum(_cost(ctx, relation) for relation in related) + cost(ctx, further)
    page = shown(ctx, result.query, zip(result.hits, result.symbols, strict=True), 0, budget - spent, dedupe=dedupe)
    return ExplainAnswer(
        tool="explain_code",
        index=state(ctx),
        results=page.hits,
        recommended_reads=[*page.reads, *further],
        query=echoed(query),
        intent=rule.intent,
        mode=result.mode,
        confidence=confidence(result.hits, result.is_foreign),
        embedded=result.embedded,
        relations=related,
        token_budget=budget,
        note="; ".join(filter(None, (result.note, _left(len(result.hits) - page.hits_shown)))),
    )


def _left(count: int) -> str:
    return f"{count} more {'hit does' if count == 1 else 'hits do'} not fit into token_budget" if count else ""


def _best(result: QueryResult) -> list[tuple[int, str, int]]:
    """The definitions in the best hits, as (file, qualified name, line)."""
    best = list(zip(result.hits, result.symbols, strict=True))[:HITS]
    return [(hit.file, name, line) for hit, defined in best for name, line in defined[:SYMBOLS]]


def _within(ctx: Context, related: list[Relation], budget: int) -> Iterator[Relation]:
    for relation in related:
        budget -= _cost(ctx, relation)
        if budget < 0:
            return
        yield relation


def _cost(ctx: Context, relation: Relation) -> int:
    """The number of tokens of a relation."""
    return ctx.tokens(f"{relation.symbol}\n{relation.path}:{relation.line}\n{relation.callers}\n{relation.callees}")


def _further(related: list[Relation], hits: list[Candidate]) -> list[Read]:
    """The places of definitions of the best hits that no hit shows."""
    seen = [(hit.path, hit.line_start, hit.line_end) for hit in hits]
    return [
        Read(relation.path, [relation.line, relation.line], f"defines {relation.symbol}")
        for relation in related
        if not any(path == relation.path and first <= relation.line <= last for path, first, last in seen)
    ]

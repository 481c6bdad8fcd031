"""What does somebody have to know who asks how this works?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codeagentd.model.parameters import SearchLimit, SearchText
from codeagentd.model.retrieval import Read
from codeagentd.model.retrieval_results import ExplainAnswer, Relation
from codeagentd.query.intent import read_intent
from codeagentd.query.ranking import Candidate
from codeagentd.query.relations import relations
from codeagentd.query.snippets import tokens
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .asking import Found, ask
from .envelope import envelope, state
from .hits import Budget, confidence, shown

HITS: Final = 3  # whose symbols are shown with their callers and callees
SYMBOLS: Final = 2  # of one hit
SHARE: Final = 4  # one part of the budget in so many may go to callers and callees


@tool("retrieval", envelope=envelope)
def explain_code(ctx: Context, query: SearchText, limit: SearchLimit = 10, token_budget: Budget | None = None) -> ExplainAnswer:
    """Answer a question about the code: what search_code finds, and who calls the best hits and whom they call. E.g. `how are sessions stored`.

    Returns: intent (locate, how_it_works, debug, references, impact, data_flow, architecture, keyword), which chooses the budget if none is given.
    Errors:  invalid_parameter.
    Source:  003 explain_code.
    """
    rule = read_intent(query)
    budget = token_budget or rule.budget
    found = ask(ctx, query, limit)
    with ctx.read() as db:
        around = list(_within(relations(db, _best(found)), budget // SHARE))
    hits, reads = shown(ctx, found.asked, found.hits, found.symbols, 0, budget - sum(map(_cost, around)), raw=False)
    return ExplainAnswer(
        tool="explain_code",
        index=state(ctx),
        results=hits,
        recommended_reads=[*reads, *_further(around, found.hits)],
        query=query,
        intent=rule.intent,
        mode=found.mode,
        confidence=confidence(found.hits),
        embedded=found.embedded,
        relations=around,
        token_budget=budget,
        note=found.note,
    )


def _best(found: Found) -> list[tuple[int, str, int]]:
    """(file, qualified name, line) of what the best hits define."""
    best = list(zip(found.hits, found.symbols, strict=True))[:HITS]
    return [(one.file, name, line) for one, defined in best for name, line in defined[:SYMBOLS]]


def _within(found: list[Relation], budget: int) -> Iterator[Relation]:
    for relation in found:
        budget -= _cost(relation)
        if budget < 0:
            return
        yield relation


def _cost(relation: Relation) -> int:
    return tokens(f"{relation.symbol}{relation.path}{relation.callers}{relation.callees}")


def _further(around: list[Relation], found: list[Candidate]) -> list[Read]:
    """Where the best hits are defined, if no hit shows it."""
    seen = [(one.path, one.line_start, one.line_end) for one in found]
    return [
        Read(one.path, [one.line, one.line], f"defines {one.symbol}")
        for one in around
        if not any(path == one.path and first <= one.line <= last for path, first, last in seen)
    ]

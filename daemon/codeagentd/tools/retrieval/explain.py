"""The tool that explains a part of the code: the definitions that answer a question, and what is around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from codeagentd.model.kinds import TYPES
from codeagentd.model.parameters import Question, SearchLimit, TokenBudget
from codeagentd.model.results.retrieval_results import ExplainAnswer, Related
from codeagentd.query.graph.relation_lines import relations
from codeagentd.query.retrieval.intent import read_intent
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .describe import memories_of, tests_of
from .envelope import envelope, state
from .hits import SHARE, Portions, confidence, fitting, shown, within
from .hybrid_query import QueryResult, ask, echoed
from .seeds import Seed, is_named, seeds

RANKED: Final = 20  # places that a question finds, whatever the limit: those without lines cost little
NAMED: Final = 2  # named definitions whose callers and callees are listed
TESTED: Final = 3  # definitions whose tests and memories are looked for
TESTS: Final = 3
PORTIONS: Final = Portions(with_lines=5, share=0.5)


@tool("retrieval", envelope=envelope)
def explain_code(
    ctx: Context, query: Question, limit: SearchLimit = 10, token_budget: TokenBudget | None = None,
    dedupe: bool = False,
) -> ExplainAnswer:  # fmt: skip
    """Explain how something works in this codebase, from a question, a task or a whole issue, in one call: the source
    of what answers, its callers and tests, further places, notes. E.g. `how are sessions stored`. Fails on an empty
    query.

    Returns: the best definitions with their source, the others in recommended_reads; `relations` of definitions that
             the question names; intent (locate, how_it_works, debug, references, impact, data_flow, architecture,
             keyword), which chooses the budget if none is given.
    Errors:  invalid_parameter.
    Source:  003 explain_code.
    """
    rule = read_intent(query)
    budget = token_budget or rule.budget
    result = ask(ctx, query, max(limit, RANKED))
    with ctx.read() as db:
        ranked = seeds(ctx, db, result)
        related = within(ctx, relations(db, _named(result, ranked)), budget // SHARE)
        tests = within(ctx, _tests(db, ranked), budget // SHARE)
    memories = [note for seed in ranked[:TESTED] if seed.subject for note in memories_of(ctx, seed.subject.uid)[0]]
    spent = sum(map(ctx.cost, (*related, *tests, *memories)))
    portions = PORTIONS._replace(with_lines=min(limit, PORTIONS.with_lines))

    def answered(room: int) -> ExplainAnswer:
        places = [seed.place for seed in ranked]
        page = shown(ctx, result.query, places, 0, room - spent, dedupe=dedupe, portions=portions)
        return ExplainAnswer(
            tool="explain_code",
            index=state(ctx),
            results=page.hits,
            recommended_reads=page.reads,
            query=echoed(query),
            intent=rule.intent,
            mode=result.mode,
            confidence=confidence(result.hits, result.is_foreign),
            embedded=result.embedded,
            relations=related,
            token_budget=budget,
            note=result.note,
            tests=tests,
            memories=memories or UNSET,
        )

    return fitting(ctx, budget, answered)


def _named(result: QueryResult, ranked: Sequence[Seed]) -> list[tuple[int, str, int]]:
    """The best definitions that the question names, as (file, qualified name, line). Others are not followed: that
    costs a fifth more and answers no more questions (docs/decisions/0035-answers-for-models.md).
    """
    named = [seed for seed in ranked[: PORTIONS.with_lines] if seed.subject and is_named(result, seed.subject)]
    return [(seed.place.hit.file, *seed.place.symbols[0]) for seed in named[:NAMED]]


def _tests(db: Database, ranked: Sequence[Seed]) -> list[Related]:
    """The tests that are nearest to the best definitions that are no types: of a type there are too many."""
    subjects = [seed.subject for seed in ranked[:TESTED] if seed.subject and seed.subject.kind not in TYPES]
    tests = [test for subject in subjects for test in tests_of(db, subject)[:TESTS]]
    return list({(test.path, test.name): test for test in tests}.values())[:TESTS]

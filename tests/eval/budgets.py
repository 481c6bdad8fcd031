"""How many of the answers to known questions search_code gives within a token budget, and what the same would cost without it.

A target counts as found when a hit of the answer is in its file and, where it is a span, shares a line with it: `named` when the answer names the
hit (results or recommended_reads), `shown` when it has lines of it. Means over questions.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

import msgspec

from codeagentd.base.paths import Jail
from codeagentd.embed.model import ModelChoice
from codeagentd.model.retrieval import CodeHit, Read, SearchAnswer
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.query.retrieval.tokens import Count
from codeagentd.toolkit.context import Context
from codeagentd.tools.retrieval.search_code import search_code
from tests.eval.questions import Question
from tests.eval.reading import searched, whole_files
from tests.harness.models import embedded

PATIENCE_S = 1_800.0
ASKED = ((10, 1500), (10, 2000), (20, 2000), (10, 25_000))  # (limit, token_budget)


class Found(NamedTuple):
    """One question asked in one way: shares of its targets, and tokens of what the budget covers and of the whole answer."""

    named: float
    shown: float
    covered: int
    whole: int


@contextlib.contextmanager
def indexed(root: Path, place: Path, model: ModelChoice | None, count: Count) -> Iterator[Context]:
    """What a tool has to work with in a repository, once everything is indexed."""
    engine = IndexingEngine(root, place / "index", place / "blobs", use_watcher=False, model=model)
    engine.start()
    try:
        if not (
            engine.wait_caught_up(PATIENCE_S)
            and engine.text_ready(PATIENCE_S)
            and (model is None or embedded(engine, PATIENCE_S))
        ):
            raise TimeoutError(f"{root.name} is not indexed after {PATIENCE_S:.0f} s")
        yield Context(engine.root, engine.readers, engine, Jail(engine.root), engine.ignored, tokens=count)
    finally:
        engine.close(10)


def asked(ctx: Context, question: Question, limit: int, budget: int) -> Found:
    """search_code's answer to a question, measured."""
    answer: SearchAnswer = search_code(ctx, question.query, limit=limit, token_budget=budget)
    hits: list[CodeHit | Read] = [*answer.results, *answer.recommended_reads]
    named = [(one.path, one.lines[0], one.lines[1]) for one in hits]
    shown = [(hit.path, hit.lines[0], hit.lines[1]) for hit in answer.results if hit.snippet]
    covered = sum(hit.token_est for hit in answer.results)
    return Found(
        question.recall(named), question.recall(shown), covered, ctx.tokens(msgspec.json.encode(answer).decode())
    )


def texts_of(ctx: Context) -> Mapping[str, str]:
    """Every file of the repository that has text in the index."""
    with ctx.read() as db:
        paths = sorted({path for path, *_ in db.all("world.known_files")})
    return {path: "\n".join(lines) for path in paths if (lines := ctx.lines(path))}


def table(rows: Mapping[str, list[Found]]) -> Iterator[str]:
    """One line for each way to answer."""
    yield f"{'':<34} {'named':>6} {'shown':>6}   {'tokens':>7} {'median':>7} {'whole answer':>13}"
    for name, found in rows.items():
        named, shown = (mean(one[at] for one in found) for at in (0, 1))
        covered = [one.covered for one in found]
        yield f"{name:<34} {named:>6.3f} {shown:>6.3f}   {mean(covered):>7.0f} {median(covered):>7.0f} {mean(one.whole for one in found):>13.0f}"


def measure(ctx: Context, asking: list[Question], rows: dict[str, list[Found]]) -> None:
    """Add each question's row to every way of answering it."""
    texts = texts_of(ctx)
    for question in asking:
        for limit, budget in ASKED:
            rows.setdefault(f"search_code limit {limit}, budget {budget}", []).append(
                asked(ctx, question, limit, budget)
            )
        tokens = whole_files(question, texts, ctx.tokens)
        rows.setdefault("reading the files that answer", []).append(Found(1.0, 1.0, tokens, tokens))
        places, tokens = searched(question, texts, ctx.tokens)
        rows.setdefault("grep -C 5 for two of the words", []).append(
            Found(share := question.recall(places), share, tokens, tokens)
        )

"""`make eval`: what search_code finds on four sets of questions whose answers are known, with 95 % intervals.

semble       NDCG@10, on the repositories of both splits
docstrings   the reciprocal rank of the function whose docstring asks for it, in a copy without docstrings
commits      the reciprocal rank of the first file that a commit changed, asked by its subject
bug reports  whether the first files have all that the fix changed, asked by the whole text of the report, and the share
             of its functions that the first five hits name, and that an answer of 2,000 tokens names

A figure is the mean over repositories of the means over their questions. The second table holds the chances of first
hits against how many of them answer, the third has what answers show of semble's targets within a token budget. Nothing is fetched; questions, trees and model are given by path.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Final

from codeagentd.query.retrieval.tokens import Count, Tokens, estimate
from codeagentd.toolkit.context import Context
from codeagentd.tools.retrieval.search_code import search_code
from tests.eval import budgets
from tests.eval.metrics import Place, interval
from tests.eval.questions import Question
from tests.eval.sessions import add_index_options
from tests.eval.sets import BENCHMARK, Asked, Hit, Set, named, sets
from tests.eval.tables import table
from tests.harness.models import wanted

ROOM: Final = 25_000  # tokens, so that all hits are named
UNLIKELY: Final = "antidisestablishmentarianism " * 9  # where estimate and count differ
HEADING: Final = ("set", "figure", "repositories", "questions", "mean [95 %]")
CHANCES: Final = ("chance of the first hit", "questions", "it answers")
Values = dict[str, dict[str, list[float]]]  # by figure and repository


def parser() -> argparse.ArgumentParser:
    """The options; each has a variable of the environment."""
    made = argparse.ArgumentParser(
        prog="make eval", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument(
        "--data", type=Path, default=os.environ.get("EVAL_DATA"), help="folder with the questions [EVAL_DATA]"
    )
    made.add_argument(
        "--mirrors", type=Path, default=os.environ.get("EVAL_MIRRORS"),
        help="bare repositories owner+name/repo, for bug reports [EVAL_MIRRORS]",
    )  # fmt: skip
    made.add_argument(
        "--vocabulary", type=Path, default=os.environ.get("TIKTOKEN_CACHE_DIR"),
        help="tiktoken's folder; none: estimates [TIKTOKEN_CACHE_DIR]",
    )  # fmt: skip
    made.add_argument("--sets", default="", help="only sets whose names begin so, separated by commas")
    made.add_argument("--repos", default="", help="only these repositories, separated by commas")
    made.add_argument("--each", action="store_true", help="also print the figures of each repository")
    add_index_options(made, "EVAL_CORPORA", "folder with the trees: semble/, stripped/, corpora/")
    return made


def answered(ctx: Context, asked: Asked, limit: int, budget: int = ROOM) -> list[Hit]:
    """The hits of search_code."""
    answer = search_code(ctx, asked.query, limit=limit, token_budget=budget)
    hits = [
        Hit(
            Place(hit.path, hit.lines[0], hit.lines[1]),
            frozenset(name.rpartition(".")[2] for name in hit.symbols),
            hit.score,
        )
        for hit in answer.results
    ]
    return hits + [
        Hit(Place(read.path, read.lines[0], read.lines[1]), frozenset()) for read in answer.recommended_reads
    ]


class Measured:
    """The figures of sets, and what answers of the benchmark show within a budget."""

    def __init__(self, indexes: Path, model: str, count: Count) -> None:
        self.shown: dict[str, list[budgets.Found]] = {}
        self.first: dict[int, list[bool]] = {}  # by tenths of the chance of the first hit: whether it answers
        self._indexes, self._model, self._count = indexes, model, count

    def values(self, one: Set) -> Values:
        """The values of each figure, by repository."""
        result: Values = defaultdict(lambda: defaultdict(list))
        for name, several in one.asked.items():
            for root in dict.fromkeys(asked.root for asked in several):
                choice = wanted(self._indexes / "models", self._model) if self._model else None
                place = self._indexes / root.relative_to(root.parents[1])
                with budgets.indexed(root, place, choice, self._count) as ctx:
                    self._ask(ctx, one, [asked for asked in several if asked.root == root], name, result)
            print(f"{one.name}: {name}, {len(several)} questions", file=sys.stderr, flush=True)
        return result

    def _ask(self, ctx: Context, one: Set, several: list[Asked], name: str, result: Values) -> None:
        for asked in several:
            hits = answered(ctx, asked, one.hits)
            if hits:
                is_right = any(target.is_met(*hits[0].place) for target in asked.targets)
                self.first.setdefault(min(int(hits[0].chance * 10), 9), []).append(is_right)
            values = dict(zip(one.measure.figures, one.measure.judge(asked, hits), strict=True))
            if one.budget:
                values[f"functions in {one.budget:,} tokens"] = named(asked, answered(ctx, asked, one.hits, one.budget))
            for figure, value in values.items():
                if value is not None:
                    result[figure][name].append(value)
        if one.measure is BENCHMARK:
            budgets.measure(ctx, [Question(name, asked.query, list(asked.targets)) for asked in several], self.shown)


def rows(one: Set, found: Values, *, each: bool) -> Iterator[list[str]]:
    """The lines of a set's table."""
    for figure, values in found.items():
        questions = str(sum(map(len, values.values())))
        yield [one.name, figure, str(len(values)), questions, str(interval(values))]
        for name in sorted(values) if each else ():
            yield ["", name, "", str(len(values[name])), str(interval({name: values[name]}))]


def chances(first: Mapping[int, list[bool]]) -> Iterator[list[str]]:
    """The lines of the table that holds the chances of first hits against what they are."""
    for tenth, right in sorted(first.items()):
        yield [f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f}", str(len(right)), f"{mean(right):.2f}"]


def main() -> int:
    """Ask everything and print the tables; 2 without data."""
    options = parser().parse_args()
    if not options.data or not options.corpora:
        print("error: name the data with --data and --corpora, or EVAL_DATA and EVAL_CORPORA", file=sys.stderr)
        return 2
    count = Tokens([options.vocabulary] if options.vocabulary else ())
    begins = tuple(options.sets.split(","))
    chosen = [
        one.only(options.repos)
        for one in sets(options.data, options.corpora, options.mirrors)
        if one.name.startswith(begins)
    ]
    with tempfile.TemporaryDirectory() as temporary:
        measured = Measured(options.indexes or Path(temporary), options.model, count)
        lines = [line for one in chosen for line in rows(one, measured.values(one), each=options.each)]
    how = "counted" if count(UNLIKELY) != estimate(UNLIKELY) else "estimated"
    print(f"model {options.model or 'no'}, tokens {how}")
    print(table(HEADING, lines))
    print(f"\n{table(CHANCES, [*chances(measured.first)])}")
    if measured.shown:
        print("\n".join(["", *budgets.table(measured.shown)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())

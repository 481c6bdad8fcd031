"""How well ranked hits answer a question, by the measures of the benchmarks, and how sure a mean of them is."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import Final, NamedTuple

from codeagentd.model.file_kinds import is_product
from tests.eval.questions import Target

DEPTH: Final = 10  # hits that count
DRAWS: Final = 2_000  # of the bootstrap
SEED: Final = 1
# a hit shows a function if half of one is in the other, and it is not much longer
HALF: Final = 0.5
LONGEST: Final = 80  # lines, or four times those of the function


class Place(NamedTuple):
    """A hit: lines of a file, from 1."""

    path: str
    first: int
    last: int


class Interval(NamedTuple):
    """A mean, and the borders of its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def ndcg(targets: Sequence[Target], hits: Sequence[Place]) -> float:
    """NDCG@10 as semble computes it: a target's rank is that of the first hit that meets it, and two targets that one
    hit meets gain once.
    """
    ranks = {
        next((rank for rank, hit in enumerate(hits[:DEPTH], 1) if target.is_met(*hit)), 0) for target in targets
    } - {0}
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(targets)) + 1))
    return sum(1 / math.log2(rank + 1) for rank in ranks) / ideal if ideal else 0.0


def function_rank(wanted: Place, hits: Sequence[Place]) -> float:
    """The reciprocal rank of the first hit that shows the function `wanted`."""
    return next((1 / rank for rank, hit in enumerate(hits[:DEPTH], 1) if _shows(hit, wanted)), 0.0)


def file_rank(wanted: Iterable[str], hits: Sequence[Place]) -> float:
    """The reciprocal rank of the first of the `wanted` files among the files of the first ten hits, with what is no product (tests,
    examples, …) left out: the truth of commits has none of it.
    """
    files = [path for path in dict.fromkeys(hit.path for hit in hits[:DEPTH]) if is_product(path)]
    return next((1 / rank for rank, path in enumerate(files, 1) if path in set(wanted)), 0.0)


def names_files(wanted: Iterable[str], hits: Sequence[Place], first: int) -> float:
    """1.0 if the first files of the hits, each counted once, have all of the `wanted` ones."""
    return float(set(wanted) <= set(list(dict.fromkeys(hit.path for hit in hits))[:first]))


def interval(values: Mapping[str, Sequence[float]]) -> Interval:
    """The mean over repositories of the means over their questions, with repositories drawn again and again, and
    questions within each of them (bootstrap).
    """
    groups = [list(several) for several in values.values() if several]
    if not groups:
        return Interval(0.0, 0.0, 0.0)
    drawn = random.Random(SEED)
    means = sorted(
        mean(mean(drawn.choices(group, k=len(group))) for group in drawn.choices(groups, k=len(groups)))
        for _ in range(DRAWS)
    )
    return Interval(mean(map(mean, groups)), means[int(0.025 * DRAWS)], means[int(0.975 * DRAWS) - 1])


def _shows(hit: Place, wanted: Place) -> bool:
    shared = min(hit.last, wanted.last) - max(hit.first, wanted.first) + 1
    length, whole = wanted.last - wanted.first + 1, hit.last - hit.first + 1
    return (
        hit.path == wanted.path
        and shared > 0
        and shared >= HALF * min(length, whole)
        and whole <= max(LONGEST, 4 * length)
    )

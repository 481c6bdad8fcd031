"""The score of a memory for a question, and all constants of search, linking and similarity."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

RANKED: Final = 100  # candidates of each list: one that is lower in both cannot be the best
# nearest vectors by their signs, from which the exactly nearest are taken: twice as many, since signs are inexact by
# some places
SIGNS: Final = 200
# k of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009, who took 60 for lists of 1,000). Decision 0013 has the
# measurement
FUSION: Final = 10
WORDS: Final = (
    # weight of the list by words, relative to 1 for the list by vectors: it has fewer errors, and its first entry wins
    # ties
    1.5
)
LEAST_COSINE: Final = 0.2  # cosine below which two texts have nothing in common

USED: Final = 0.05  # maximum addition for reads: useful memories are read again, but reads must not decide
USED_OFTEN: Final = 20  # number of reads that gives nearly all of it
DOUBTED: Final = 0.15  # deduction for a confidence of 0
# factors of the score: a memory about changed code comes after otherwise equal ones
STATUS: Final = {"stale": 0.8, "gone": 0.7}

LINKS: Final = 5  # page 004: the five most similar
LIKE_COSINE: Final = 0.7  # similarity from which memories are linked; the threshold of page 004's own implementation
LIKE_WORDS: Final = 0.35  # the same for the share of common words: any two texts of one project share fewer
SAME_COSINE: Final = 0.95  # similarity from which one memory may replace the other
SAME_WORDS: Final = 0.8
COUNTED: Final = 16  # words of a memory whose frequency is counted: a tenth of a millisecond each among 50,000 memories
# words by which similar memories are searched: a memory that shares a third of the words shares one of these
DISTINCTIVE_WORDS: Final = 6
MAX_COMPARED: Final = 20  # candidates that are compared


def fused(words: Sequence[tuple[int, float]], near: Sequence[tuple[int, float]] | None = None) -> dict[int, float]:
    """Return the scores by number of two lists of (number, score), best first, joined by reciprocal rank fusion. A
    score is at most 1, for a memory that is first in both. Equal scores share a rank.

    `near`: the list by vectors; None without a model.
    """
    scores: dict[int, float] = {}
    whole = 1.0 if near is None else WORDS + 1
    for ranked, weight in ((words, 1.0 if near is None else WORDS), (near or (), 1.0)):
        rank, last = 0, None
        for place, (number, figure) in enumerate(ranked, start=1):
            rank, last = (rank, last) if figure == last else (place, figure)
            scores[number] = scores.get(number, 0.0) + weight / whole * (FUSION + 1) / (FUSION + rank)
    return scores


def boost(access_count: int, confidence: float, status: str) -> float:
    """Return the factor, at most 1, for a memory's score by its accesses, its confidence and the status of its
    anchors.
    """
    used = min(1.0, math.log1p(access_count) / math.log1p(USED_OFTEN))
    return (1 - USED * (1 - used)) * (1 - DOUBTED * (1 - confidence)) * STATUS.get(status, 1.0)


def likeness(own: Iterable[str], other: Iterable[str]) -> float:
    """Return the share of words that two texts have in common (Jaccard); `own` and `other` are the words of each."""
    first, second = set(own), set(other)
    return len(first & second) / len(first | second) if first and second else 0.0

"""How rare words are among a team's memories: counted once in a while, since it changes slowly among many."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

MANY: Final = 5_000  # memories from which on counts are remembered
REMEMBERED_S: Final = 300.0  # for so long
WORDS: Final = 20_000  # that are remembered at most
LEAST: Final = 1e-6  # the rarity of a word that most memories have

# the rows of the statement recall.frequencies: (number of the phrase, its count, memories, their mean length in words)
Counts = Sequence[tuple[int, int, float, float]]


class Rarities(NamedTuple):
    """The weight of each word of a question, and the mean length of a memory in words."""

    idfs: list[float]
    mean: float


class WordRarities:
    """The counts that were read, for one role of one server. Thread-safe: a lost update is counted again."""

    def __init__(self) -> None:
        self._documents = 1.0
        self._mean = 1.0
        self._counts: dict[str, int] = {}
        self._until = 0.0

    def of(self, words: Sequence[str], count: Callable[[Sequence[str]], Counts]) -> Rarities:
        """Return the rarities of `words`; `count` reads the counts of some words."""
        if time.monotonic() > self._until or len(self._counts) > WORDS:
            self._counts = {}
        known = self._counts
        missing = [word for word in dict.fromkeys(words) if word not in known]
        if missing and (rows := count(missing)):
            self._documents, self._mean = rows[0][2:]
            counts = {missing[number]: having for number, having, _, _ in rows}
            known = known | {word: counts.get(word, 0) for word in missing}
            if self._documents >= MANY:
                self._until = self._until if self._counts else time.monotonic() + REMEMBERED_S
                self._counts = known
        return Rarities([rarity(self._documents, known.get(word, 0)) for word in words], self._mean)


def rarity(documents: float, count: int) -> float:
    """Return the weight of a word that `count` of `documents` memories have. Source: SQLite's bm25()."""
    return max(LEAST, math.log((documents - count + 0.5) / (count + 0.5)) if documents > count else 0.0)

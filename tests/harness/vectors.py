"""An embedder for tests: texts with common words lie near each other, and nothing has to be loaded."""

from __future__ import annotations

import array
import hashlib
import math
import random
from collections.abc import Sequence
from functools import cache

from codeagentd.model.identifier_words import split_words

DIMENSIONS = 384


@cache
def _direction(word: str) -> tuple[float, ...]:
    chance = random.Random(hashlib.blake2b(word.encode(), digest_size=8).digest())
    return tuple(chance.gauss(0, 1) for _ in range(DIMENSIONS))


class WordVectors:
    """A text is the sum of its words' directions. `synonyms` maps words to the word that they stand for: what a model knows and BM25 does not."""

    def __init__(self, model: str = "words-1", synonyms: dict[str, str] | None = None) -> None:
        self.model = model
        self.synonyms = synonyms or {}
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        """One vector for each text."""
        if not self.model:
            return None
        self.embedded += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        words = {self.synonyms.get(word, word) for name in text.split() for word in split_words(name)} or {""}
        total = [sum(parts) for parts in zip(*map(_direction, sorted(words)), strict=True)]
        length = math.sqrt(sum(part * part for part in total)) or 1.0
        return array.array("f", (part / length for part in total)).tobytes()

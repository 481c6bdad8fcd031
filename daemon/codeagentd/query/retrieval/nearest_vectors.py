"""The symbols whose vectors are nearest to a vector, and how far each stands out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from codeagentd.model.embedding import StoredVector
from codeagentd.store.connection import Database

# number of vectors up to which all are compared exactly; of more, only those with the most equal signs: decision 0012
# has the cost of that
EXACT_UP_TO: Final = 10_000
COMPARED: Final = 1_000  # vectors whose exact distance is then computed
NEAREST: Final = 150  # nearest symbols that a search uses


SPREAD: Final = 4.0  # standard deviations between the average distance and that of an outstanding symbol


class Near(msgspec.Struct, frozen=True):
    """A symbol and its cosine distance, 0 for the same to 2 for the opposite."""

    symbol: int
    distance: float


class Meaning:
    """The vector of a question, and the symbols nearest to it."""

    def __init__(self, vector: StoredVector, nearest: Sequence[Near]) -> None:
        self.vector, self.nearest = vector, nearest
        distances = [near.distance for near in nearest]
        self._mean = sum(distances) / max(1, len(distances))
        self._spread = (
            SPREAD * (sum((distance - self._mean) ** 2 for distance in distances) / max(1, len(distances))) ** 0.5
        )

    def score(self, distance: float) -> float:
        """How far a symbol at this distance stands out among the nearest: about 1.0 for one whose distance is far below
        all others, 0.0 for the average.
        """
        return (self._mean - distance) / self._spread if self._spread else 0.0


def nearest(db: Database, vector: StoredVector, limit: int = NEAREST, *, besides: int = 0) -> list[Near]:
    """Return at most `limit` symbols nearest to `vector`, the nearest first, without the symbol `besides`."""
    compared = max(COMPARED, limit)
    if db.value("vectors.count_to", (EXACT_UP_TO,)) < EXACT_UP_TO:
        rows = db.all(
            "vectors.nearest_of_all",
            {"vector": vector.numbers, "compared": compared, "besides": besides, "limit": limit},
        )
    else:
        rows = db.all(
            "vectors.nearest",
            {"bits": vector.bits, "vector": vector.numbers, "compared": compared, "besides": besides, "limit": limit},
        )
    return [Near(symbol, distance) for symbol, distance in rows]


def similarities(db: Database, meaning: Meaning, ids: str, statement: str = "vectors.similar") -> dict[int, float]:
    """Return the score of the nearest symbol that begins in each chunk of `ids` (JSON array), as far as they have
    vectors; with the statement vectors.similar_files, that of each whole file.
    """
    rows = db.all(statement, {"ids": ids, "vector": meaning.vector.numbers})
    return {number: meaning.score(distance) for number, distance in rows}

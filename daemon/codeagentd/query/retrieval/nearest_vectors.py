"""The symbols whose vectors are nearest to a vector."""

from __future__ import annotations

from typing import Final

import msgspec

from codeagentd.model.embedding import StoredVector
from codeagentd.store.connection import Database

# number of vectors up to which all are compared exactly; of more, only those with the most equal signs: decision 0012
# has the cost of that
EXACT_UP_TO: Final = 10_000
COMPARED: Final = 1_000  # vectors whose exact distance is then computed
NEAREST: Final = 150  # nearest symbols that a search uses


class Near(msgspec.Struct, frozen=True):
    """A symbol and its cosine distance, 0 for the same to 2 for the opposite."""

    symbol: int
    distance: float


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

"""The stored form of many vectors at once, for the embedding process: the same as `stored_vector` of
model.embedding, with numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from codeagentd.model.embedding import StoredVector


def stored_vectors(vectors: Sequence[Any]) -> list[StoredVector]:
    """Return the stored form of each of `vectors`, float32 arrays of one length."""
    numbers = np.stack(vectors).astype(np.float64)
    largest = np.abs(numbers).max(axis=1, keepdims=True)
    numbers = np.rint(numbers * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)
    bits = np.packbits(numbers > 0, axis=1)
    return [StoredVector(signs.tobytes(), row.tobytes()) for signs, row in zip(bits, numbers, strict=True)]

"""A figure over time, for a small chart."""

from __future__ import annotations

import time
from collections import deque


class Series:
    """A figure over time, for a small chart: the last `most` values, each with its time in unix seconds."""

    def __init__(self, most: int) -> None:
        self._values: deque[tuple[float, float]] = deque(maxlen=most)

    def note(self, value: float) -> None:
        """Add a value."""
        self._values.append((time.time(), value))

    @property
    def values(self) -> list[tuple[float, float]]:
        """The values, the oldest first."""
        return [*self._values]

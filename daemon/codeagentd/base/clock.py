"""Clocks: wall-clock time for dates, and monotonic time for measuring."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """A source of time that tests can replace."""

    def now(self) -> float:
        """Return the date as Unix seconds; this clock may jump."""

    def ticks(self) -> float:
        """Return monotonic seconds. Only the difference of two values has a meaning."""


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> float:
        """Return the date as Unix seconds; the clock may jump."""
        return time.time()

    def ticks(self) -> float:
        """Return monotonic seconds. Only the difference of two values has a meaning."""
        return time.monotonic()

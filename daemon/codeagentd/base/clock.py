"""Clocks: the date for people, and a count that never jumps for measuring."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """A source of time that tests can replace."""

    def now(self) -> float:
        """Unix seconds: a date, which may jump."""

    def ticks(self) -> float:
        """Seconds since some moment: only differences mean anything, and they are true."""


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> float:
        """Unix seconds."""
        return time.time()

    def ticks(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

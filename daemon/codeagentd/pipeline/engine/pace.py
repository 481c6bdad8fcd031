"""The pace of a long task: how many steps a second it has done lately."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from codeagentd.model.engine_status import Progress

LATELY_S: Final = 60.0  # seconds that the rate looks back: files differ, and so do their languages
SHORTEST_S: Final = 1.0  # seconds before a rate says anything


class Pace:
    """Adds the rate to the progress of a task. `ticks` returns the time in seconds."""

    def __init__(self, ticks: Callable[[], float] = time.monotonic) -> None:
        self._ticks = ticks
        self._phase = ""
        self._steps = deque[tuple[float, int]]()  # (time, steps done), the earliest first

    def with_rate(self, progress: Progress) -> Progress:
        """Return `progress` with the rate of its phase; 0 until that is known."""
        now = self._ticks()
        if progress.phase != self._phase:
            self._phase = progress.phase
            self._steps.clear()
        self._steps.append((now, progress.done))
        while len(self._steps) > 2 and now - self._steps[1][0] >= LATELY_S:
            self._steps.popleft()
        since, done = self._steps[0]
        seconds = now - since
        rate = (progress.done - done) / seconds if seconds >= SHORTEST_S else 0.0
        return msgspec.structs.replace(progress, rate=max(0.0, rate))

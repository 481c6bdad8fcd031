"""The analyses that wait to be written: passed on by the scheduler's thread, written by the indexer's."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from codeagentd.model.analysis import Analysis

WRITE_S: Final = 30.0  # seconds that an analysis waits to be written


class AnalysisInbox:
    """Analyses that wait for the indexer's thread. `wake` makes the thread check for them."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._waiting: deque[tuple[Analysis, threading.Event]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def hand_over(self, analysis: Analysis) -> None:
        """Pass `analysis` to the indexer's thread, and wait until it is written. Runs on the scheduler's thread."""
        written = threading.Event()
        self._waiting.append((analysis, written))
        self._wake()
        written.wait(WRITE_S)

    def write_next(self, write: Callable[[Analysis], None]) -> None:
        """Have `write` write the oldest analysis that waits; on the indexer's thread."""
        analysis, written = self._waiting.popleft()
        try:
            write(analysis)
        finally:
            written.set()

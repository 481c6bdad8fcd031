"""A progress bar on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from shutil import get_terminal_size
from typing import Final

from .console import pace_text

ERASE: Final = "\r\x1b[2K"  # back to the first column, and the line is empty
LABEL: Final = 10  # columns of the phase
WIDEST: Final = 40  # columns of the bar itself
PULSE: Final = 3  # columns of the pulse of unknown work
PULSE_S: Final = 2.0  # seconds for the pulse to cross the bar


class Bar:
    """A progress bar on stderr whose label is the current phase."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._full = "━" if sys.stderr.encoding.lower().startswith("utf") else "="
        self.update("starting", 0, 0)

    def update(self, phase: str, done: int, total: int, rate: float = 0.0) -> None:
        """Show the progress of a phase: `done` of `total`, at `rate` a second (0: unknown). With `total` 0 (unknown)
        the bar pulses.
        """
        seconds = time.monotonic() - self._since
        count = f"{done:,}/{total:,}" if total else f"{done:,}/?"
        pace = pace_text(done, total, rate)
        elapsed = str(timedelta(seconds=int(seconds)))
        tail = " ".join(filter(None, (count, pace, elapsed)))
        if len(tail) >= get_terminal_size().columns:
            tail = f"{count} {elapsed}"
        room = min(WIDEST, get_terminal_size().columns - LABEL - len(tail) - 3)
        full = room * min(done, total) // total if total else 0
        pulse = "" if total else " " * int(seconds % PULSE_S / PULSE_S * (room - PULSE)) + self._full * PULSE
        line = f"{phase:<{LABEL}.{LABEL}} {(self._full * full + pulse).ljust(room)} {tail}" if room > PULSE else tail
        sys.stderr.write(ERASE + line)
        sys.stderr.flush()


@contextmanager
def bar() -> Iterator[Bar]:
    """Return a context with a bar that is removed at its end."""
    try:
        yield Bar()
    finally:
        sys.stderr.write(ERASE)
        sys.stderr.flush()

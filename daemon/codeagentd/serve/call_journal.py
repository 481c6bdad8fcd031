"""The last calls of tools that this daemon has answered: what was asked, what it cost. They are kept in memory only."""

from __future__ import annotations

import json
import threading
from collections import Counter, deque
from collections.abc import Callable
from typing import Final, NamedTuple

MOST: Final = 500  # calls that are kept
LONGEST: Final = 300  # characters of a call's arguments
WITH_TEXT: Final = 40  # calls whose answers are kept too


class JournalEntry(NamedTuple):
    """One answered call. `at`: unix seconds; `window`: the process id of its window, 0 without one; `text`: the answer,
    as long as it is kept.
    """

    at: float
    window: int
    tool: str
    arguments: str
    seconds: float
    text: str
    code: str  # of an error; '' for an answer
    caught_up: bool


class CallJournal:
    """The journal. Thread-safe. `listeners` are called after each call, with whether it may have written something."""

    def __init__(self) -> None:
        self._entries: deque[JournalEntry] = deque(maxlen=MOST)
        self._lock = threading.Lock()
        self._calls: Counter[str] = Counter()
        self.listeners: list[Callable[[bool], None]] = []

    def note(self, entry: JournalEntry, *, may_write: bool) -> None:
        """Note an answered call."""
        with self._lock:
            self._entries.append(entry)
            if len(self._entries) > WITH_TEXT:
                self._entries[-1 - WITH_TEXT] = self._entries[-1 - WITH_TEXT]._replace(text="")
            self._calls[entry.tool] += 1
        for listener in self.listeners:
            listener(may_write)

    def last(self, count: int) -> list[JournalEntry]:
        """Return the last calls, the newest first."""
        with self._lock:
            return [*self._entries][: -count - 1 : -1]

    def latencies(self) -> list[tuple[str, int, float, float]]:
        """Return (tool, calls since the start, median seconds, seconds that 19 of 20 do not exceed) of the calls that
        are kept, the most frequent first.
        """
        with self._lock:
            entries, calls = [*self._entries], dict(self._calls)
        times: dict[str, list[float]] = {}
        for entry in entries:
            times.setdefault(entry.tool, []).append(entry.seconds)
        rows = [
            (tool, calls[tool], sorted(several)[len(several) // 2], sorted(several)[int(len(several) * 0.95)])
            for tool, several in times.items()
        ]
        return sorted(rows, key=lambda row: (-row[1], row[0]))


def brief(arguments: object) -> str:
    """Return the arguments of a call for people, cut where they are long."""
    if not isinstance(arguments, dict):
        return ""
    text = ", ".join(
        f"{name}={(value if isinstance(value, str) else json.dumps(value, default=str))[:LONGEST]}"
        for name, value in arguments.items()
    )
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

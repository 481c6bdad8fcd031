"""The stream of events to open pages: that the index, the memories or the tasks have changed. A page then asks for
what it shows.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

import msgspec

GATHER_S: Final = 0.03  # a change waits so long for others
BEAT_S: Final = 15.0  # between two signs of life, by which a page notices that the daemon is gone
INDEX: Final = "index"
ANALYSIS: Final = "analysis"
MEMORIES: Final = "memories"
CALLS: Final = "calls"


class PageEvents:
    """The open streams. To be used on the event loop; only `note` may be called from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._streams: dict[asyncio.Event, set[str]] = {}
        self._due: asyncio.TimerHandle | None = None
        self._noted: set[str] = set()
        self._is_over = False
        self.changes = 0  # that have been noted; by it a page sees what came between its making and its stream

    @property
    def count(self) -> int:
        """The number of open pages."""
        return len(self._streams)

    def note(self, what: str) -> None:
        """Note that something has changed. May be called from any thread; without open pages it costs nothing."""
        self.changes += what != CALLS
        if self._streams:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._gather, what)

    def close(self) -> None:
        """End every stream."""
        self._is_over = True
        for awake in self._streams:
            awake.set()

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield what a new page's stream gets, until the daemon leaves."""
        awake = asyncio.Event()
        waiting = self._streams[awake] = set()
        try:
            yield b"retry: 1000\nevent: here\ndata: %d\n\n" % self.changes
            while not self._is_over:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(awake.wait(), BEAT_S)
                awake.clear()
                yield (
                    b"event: changed\ndata: " + msgspec.json.encode(sorted(waiting)) + b"\n\n"
                    if waiting
                    else b": beat\n\n"
                )
                waiting.clear()
            yield b"event: leaving\ndata: []\n\n"
        finally:
            del self._streams[awake]

    def _gather(self, what: str) -> None:
        self._noted.add(what)
        if self._due is None:
            self._due = self._loop.call_later(GATHER_S, self._tell)

    def _tell(self) -> None:
        self._due = None
        for awake, waiting in self._streams.items():
            waiting |= self._noted
            awake.set()
        self._noted = set()

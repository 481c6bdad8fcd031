"""The notifications that resources have changed: at most one a second for each subscriber, also for several changes;
without subscribers no work is done.

Resources about the whole graph change with the next analysis, which is requested as long as there are subscribers.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from codeagent_protocol.errors import InvalidParameter
from codeagentd.serve.sessions.session import Session
from codeagentd.serve.thread_pool import ThreadPool

UPDATED: Final = "notifications/resources/updated"
GATHER_S: Final = 0.2  # seconds that a change waits for others: an editor may save all files at once
PAUSE_S: Final = 1.0  # between two notifications of the same client
ANALYSIS_LOOK_S: Final = 20.0  # between two checks whether an analysis is due
MOST: Final = 1_000  # subscriptions of one session; no client needs so many


class ResourceNotifier:
    """The subscriptions of all sessions. To be used on the event loop; only `note` and `note_memories` may be called
    from any thread.
    """

    def __init__(self, pool: ThreadPool, analyse: Callable[[], object]) -> None:
        """Begin without subscribers. `analyse` starts an analysis if one is due; it may block."""
        # notifies subscribed streams; the SDK replaces it once it is loaded
        self.publish: Callable[[list[str]], None] = lambda uris: None
        self._pool = pool
        self._analyse = analyse
        self._loop = asyncio.get_running_loop()
        self._subscribed: dict[Session, set[str]] = {}
        self._listened: Counter[str] = Counter()
        self._due: asyncio.TimerHandle | None = None
        self._look: asyncio.TimerHandle | None = None
        self._pushed_at = -PAUSE_S
        self._is_behind = False  # the last analysis is older than the index

    def subscribe(self, session: Session, uri: str, *, is_owed: bool = False) -> None:
        """Notify `session` of changes of the resource `uri` from now on. `is_owed`: the session had subscribed to an
        earlier daemon and may have missed changes.

        Errors: invalid_parameter.
        """
        uris = self._subscribed.setdefault(session, set())
        if len(uris) >= MOST and uri not in uris:
            raise InvalidParameter(
                f"this session has {MOST} subscriptions already",
                remedy="end some with resources/unsubscribe",
                parameter="uri",
            )
        uris.add(uri)
        if is_owed:
            self._plan()

    def unsubscribe(self, session: Session, uri: str) -> None:
        """Stop notifying `session` of changes of the resource `uri`."""
        self._subscribed.get(session, set()).discard(uri)

    @contextlib.contextmanager
    def listening(self, uris: Iterable[str], *, is_owed: bool = False) -> Iterator[None]:
        """Notify a stream of changes of the resources `uris` through `publish`, for as long as the context lasts;
        `is_owed`: as for `subscribe`.
        """
        heard = Counter(set(uris))
        self._listened += heard
        if is_owed:
            self._plan()
        try:
            yield
        finally:
            self._listened -= heard

    def note(self, is_analysis: bool) -> None:
        """Note that the index has changed, or (`is_analysis`) its analysis. May be called from any thread."""
        if self._subscribed or self._listened:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._noted, is_analysis)

    def note_memories(self) -> None:
        """Note that memories, which descriptions of symbols list, have changed. May be called from any thread."""
        if self._subscribed or self._listened:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._plan)

    def close(self) -> None:
        """Stop all notifications."""
        for timer in (self._due, self._look):
            if timer:
                timer.cancel()

    def _noted(self, is_analysis: bool) -> None:
        self._is_behind = not is_analysis
        self._plan()

    def _plan(self) -> None:
        if self._due is None:
            self._due = self._loop.call_at(max(self._loop.time() + GATHER_S, self._pushed_at + PAUSE_S), self._push)

    def _push(self) -> None:
        self._due, self._pushed_at = None, self._loop.time()
        self._subscribed = {session: uris for session, uris in self._subscribed.items() if uris and not session.is_over}
        for session, uris in self._subscribed.items():
            for uri in sorted(uris):
                session.tell({"jsonrpc": "2.0", "method": UPDATED, "params": {"uri": uri}})
        if self._listened:
            self.publish(sorted(self._listened))
        if self._look is None and self._is_behind:
            self._ask_for_analysis()

    def _ask_for_analysis(self) -> None:
        self._look = None
        if self._is_behind and (self._subscribed or self._listened):
            self._pool.submit(self._analyse_quietly)
            self._look = self._loop.call_later(ANALYSIS_LOOK_S, self._ask_for_analysis)

    def _analyse_quietly(self) -> None:
        with contextlib.suppress(Exception):  # a fault of the index is reported to clients that read a resource
            self._analyse()

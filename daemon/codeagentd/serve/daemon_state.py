"""The state that the daemon's parts share: its condition, its windows and its engine. Status and the operators' verbs
read it.

It is created before large modules are imported: until `open` is called there is no engine, and the status is
`starting`.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

import msgspec

from codeagent_protocol import status as shapes
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.version import PROTOCOL, __version__
from codeagentd.base.clock import Clock
from codeagentd.base.log import EventLog
from codeagentd.model.engine_status import IndexStatus
from codeagentd.serve.sessions.session_registry import Sessions
from codeagentd.toolkit.engine_protocol import Engine

from .lifecycle import INDEXING, LEAVE, STARTING, Condition, after, observed
from .tool_calls import Calls, ToolSelection

_log = EventLog(__name__)


class Service:
    """The state of the running daemon. Any thread may read it; the event loop's thread and the starting thread change
    it.
    """

    def __init__(self, endpoint: Endpoint, clock: Clock, trouble: Condition) -> None:
        self.endpoint = endpoint
        self.clock = clock
        self.trouble = trouble
        self.memory_trouble: Callable[[], Condition] = Condition
        self.http = ""  # the address where HTTP listens
        self.previous = ""  # why the daemon before this one left by itself
        self.sessions: Sessions | None = None
        self.calls: Calls | None = None
        self.operator_selection = ToolSelection([])
        self.http_sessions: Callable[[], tuple[shapes.WindowStatus, ...]] = lambda: ()  # sessions over HTTP
        self.dropped_by_control: Callable[[], int] = lambda: 0
        self.open_pages: Callable[[], int] = lambda: 0  # pages that browsers show
        self._engine: Engine | None = None
        self._is_open = threading.Event()
        self._condition = Condition()
        self._has_successor = False
        self._last = IndexStatus()
        self._lock = threading.Lock()
        self._born = clock.ticks()

    def open(self, engine: Engine, calls: Calls, operator_selection: ToolSelection) -> None:
        """Store the engine, with the calls and the tools of operators that use it. They are available from now on."""
        self._engine, self.calls, self.operator_selection = engine, calls, operator_selection
        self._is_open.set()

    def engine(self, patience_s: float = 0.0) -> Engine:
        """Wait for the engine, at most `patience_s`, and return it. Errors: engine_unavailable."""
        if not self._is_open.wait(patience_s) or self._engine is None:
            raise EngineUnavailable("the daemon is still starting", remedy="try again in a moment")
        if self._condition.is_draining:
            raise self.farewell()
        return self._engine

    def farewell(self) -> EngineUnavailable:
        """Return the error for requests that come, or are under way, while the daemon leaves."""
        remedy = "try again: the next one starts by itself"
        return EngineUnavailable("the daemon is leaving", remedy=remedy, has_successor=self._has_successor)

    def leave(self, reason: str, *, has_successor: bool = False) -> bool:
        """Begin to drain for this reason; `has_successor`: clients go on with another daemon. Returns False if that had
        already begun.
        """
        with self._lock:
            if self._condition.is_draining:
                return False
            self._has_successor = has_successor
            self._condition = after(self._condition, LEAVE, reason)
            return True

    def is_idle(self) -> bool:
        """Whether no client is connected and no work runs; an engine with a fault does no work either."""
        if self._engine is None or self.sessions is None or self.sessions.count or self.open_pages():
            return False
        index = self._index()
        return index.state not in (STARTING, INDEXING) and not index.queued

    def status(self) -> shapes.Status:
        """Return the status of this daemon; cheap, and never waits for the writer."""
        index = self._index()
        with self._lock:
            self._condition = condition = observed(
                self._condition, index, self.trouble if self.trouble.reason else self.memory_trouble()
            )
        windows = (*(self.sessions.windows() if self.sessions else ()), *self.http_sessions())
        mark, progress, embeddings = index.watermark, index.progress, index.embeddings
        return shapes.Status(
            state=condition.state,
            reason=condition.reason,
            remedy=condition.remedy,
            pid=os.getpid(),
            version=__version__,
            protocol=PROTOCOL,
            uptime_s=round(self.clock.ticks() - self._born, 3),
            repo=self.endpoint.root,
            head=mark.head,
            generation=mark.generation,
            caught_up=mark.caught_up,
            pending_files=mark.pending_files,
            indexed_files=index.indexed_files,
            indexed_symbols=index.indexed_symbols,
            schema_version=index.schema_version,
            languages=tuple(
                shapes.LanguageStatus(of.language, of.files, of.symbols, of.partial, of.failed, of.references, of.tier)
                for of in index.languages
            ),
            skipped=index.skipped,
            unknown=index.unknown,
            failed_files=index.failed_files,
            unread_files=index.unread_files,
            least_covered=index.least_covered,
            queued=index.queued,
            watcher=index.watcher,
            watcher_reason=index.watcher_reason,
            progress=shapes.Progress(progress.phase, progress.done, progress.total, progress.rate),
            clients=len(windows),
            windows=windows,
            dropped_frames=self.dropped_by_control() + (self.sessions.dropped_frames if self.sessions else 0),
            rss_bytes=rss_bytes(),
            worker_rss_bytes=index.worker_rss_bytes,
            workers=len(index.worker_pids),
            database_bytes=index.database_bytes,
            is_shared=index.is_shared,
            wal_bytes=index.wal_bytes,
            blobs_bytes=index.blobs_bytes,
            last_batch=shapes.BatchStatus(index.last_batch_at, index.last_batch_files, index.last_batch_s),
            embeddings=shapes.EmbeddingStatus(
                embeddings.model,
                embeddings.count,
                embeddings.pending,
                embeddings.state,
                embeddings.reason,
                embeddings.remedy,
                embeddings.budget,
                embeddings.eligible,
            ),
            background=index.background,
            previous=self.previous,
            http=self.http,
            withheld_files=index.withheld_files,
            text_pending=index.text_pending,
            on_demand_files=index.on_demand_files,
            branch=mark.branch or "",
            worktree=mark.worktree or "",
            dirty=None if mark.dirty is msgspec.UNSET else mark.dirty,
            nested=index.nested,
        )

    def _index(self) -> IndexStatus:
        """The engine's status; its last known one when the engine fails to answer (a database that is being created or
        replaced), because status has to answer in any case.
        """
        if self._engine is None:
            return self._last
        try:
            self._last = self._engine.status()
        except Exception as error:  # noqa: BLE001 - operators look at the status when something is wrong
            _log.error("the engine failed to tell its status", error)
            self._last = msgspec.structs.replace(self._last, watermark=self._engine.watermark())
        return self._last


def rss_bytes() -> int:
    """Return the resident memory of this process in bytes. Where the system reports only the peak, that is returned; 0
    where it reports nothing.
    """
    if sys.platform == "win32":
        return 0
    import resource

    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024

"""The scheduler of the whole graph's analysis: started by the first request that needs it, and again when enough has
changed; one at a time, in a separate process.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.child_process import ChildProcess, module_command
from codeagentd.model.analysis import Analysis

LOW_PRIORITY: Final = (
    "behind"  # tells the process that no request waits for it, so that it runs with the lowest priority
)
PAUSE_S: Final = 60.0  # seconds between two analyses of a repository that changes all the time
SHARE: Final = 20  # and at least this many times what the last one took
# the share of changed nodes that makes another analysis due: up to this, the old communities are as good as new ones
# (decision 0028)
SHARE_CHANGED: Final = 0.03
LEAST_CHANGED: Final = 100  # and at least so many: a share of a small graph is soon reached
OLDEST_S: Final = (
    900.0  # seconds after which any change makes another due: only a whole analysis finds cycles and surprises
)
DEADLINE_S: Final = 120.0  # seconds for one; a million references take about 20

log = logging.getLogger("codeagentd.analysis")


class AnalysisScheduler:
    """Starts analyses and passes them to `on_analysis`, which returns once they are written. Thread-safe."""

    def __init__(self, index: Path, on_analysis: Callable[[Analysis], None]) -> None:
        self._index = index
        self._on_analysis = on_analysis
        self._lock = threading.Lock()
        self._process: ChildProcess | None = None
        self._thread: threading.Thread | None = None
        self._not_before = 0.0
        self._last = time.monotonic()
        self._closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The process id of the running analysis; () while none runs."""
        process = self._process
        return (process.pid,) if process else ()

    def is_due(self, changed: int | None, nodes: int) -> bool:
        """Whether the last analysis is too old for the results that only an analysis provides, in a graph of `nodes`
        nodes.

        `changed`: the number of nodes that changed since, None where changes were not followed.
        """
        if changed is None or changed > max(LEAST_CHANGED, SHARE_CHANGED * nodes):
            return True
        return changed > 0 and time.monotonic() - self._last > OLDEST_S

    def request(self, *, at_once: bool) -> threading.Thread | None:
        """Start an analysis of the graph: now if `at_once`, because a request waits; else only if the last one is long
        enough ago. Returns the thread that runs it; None if none was started.
        """
        with self._lock:
            if self._thread and self._thread.is_alive():
                return self._thread
            if self._closed or (time.monotonic() < self._not_before and not at_once):
                return None
            self._thread = threading.Thread(target=self._run, args=(at_once,), name="analysis", daemon=True)
            self._thread.start()
            return self._thread

    def close(self) -> None:
        """End the running analysis."""
        with self._lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def _run(self, at_once: bool) -> None:
        started = time.monotonic()
        try:
            self._on_analysis(msgspec.msgpack.decode(self._output(at_once), type=Analysis))
        except Exception:
            if not self._closed:
                log.exception("the graph could not be analysed")
        self._last = time.monotonic()
        self._not_before = self._last + max(PAUSE_S, SHARE * (self._last - started))

    def _output(self, at_once: bool) -> bytes:
        with self._lock:
            if self._closed:
                raise ProcessLookupError
            arguments = (str(self._index), *(() if at_once else (LOW_PRIORITY,)))
            command = module_command("codeagentd.pipeline.graph.analysis_process", *arguments)
            self._process = ChildProcess(command, has_input=False)
        try:
            return self._process.read_output(DEADLINE_S)
        finally:
            self._process.end()
            self._process = None

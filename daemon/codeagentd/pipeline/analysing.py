"""When is the whole graph analysed? When somebody asks for what only that says, and again some time after changes: one at a time, in a process of its own."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.model.analysis import NODE_COLUMNS, Analysis
from codeagentd.store.connection import Database

PAUSE_S: Final = 60.0  # seconds between two analyses of a repository that changes all the time
SHARE: Final = 20  # and at least this many times what the last one took
DEADLINE_S: Final = 120.0  # seconds for one; a million references take about 20

log = logging.getLogger("codeagentd.analysis")


class Analyses:
    """Starts analyses and hands them to `keep`, which returns once they are written. Thread-safe."""

    def __init__(self, index: Path, keep: Callable[[Analysis | int], None]) -> None:
        self._index = index
        self._keep = keep
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._not_before = 0.0
        self._closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The process that is at work."""
        process = self._process
        return (process.pid,) if process else ()

    def want(self, *, at_once: bool) -> threading.Thread | None:
        """Have the graph analysed, `at_once` or when the last time is long enough ago. Returns the thread that is at it, if any."""
        with self._lock:
            if self._thread and self._thread.is_alive():
                return self._thread
            if self._closed or (time.monotonic() < self._not_before and not at_once):
                return None
            self._thread = threading.Thread(target=self._run, name="analysis", daemon=True)
            self._thread.start()
            return self._thread

    def close(self) -> None:
        """End what is at work."""
        with self._lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def _run(self) -> None:
        started = time.monotonic()
        try:
            self._keep(msgspec.msgpack.decode(self._output(), type=Analysis | int))
        except Exception:
            if not self._closed:
                log.exception("the graph could not be analysed")
        self._not_before = time.monotonic() + max(PAUSE_S, SHARE * (time.monotonic() - started))

    def _output(self) -> bytes:
        with self._lock:
            if self._closed:
                raise ProcessLookupError
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "codeagentd.pipeline.analyst", str(self._index)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        try:
            return self._process.communicate(timeout=DEADLINE_S)[0]
        finally:
            self._process.kill()
            self._process.wait()
            self._process = None


def keep(database: Database, analysis: Analysis | int) -> None:
    """Write an analysis down in place of the last one: 0.1 s for 60,000 symbols. A number: the last one holds for this generation."""
    with database.transaction():
        if isinstance(analysis, int):
            database.run("analysis.still_holds", (analysis,))
            return
        database.run("analysis.clear_nodes")
        database.run("analysis.clear_communities")
        database.insert("analysis.put_node", NODE_COLUMNS, array("q", analysis.nodes))
        database.run_many("analysis.put_community", [(one.id, one.name, one.size, one.cohesion) for one in analysis.communities])
        database.run("analysis.put", (analysis.generation, msgspec.msgpack.encode(analysis.findings)))

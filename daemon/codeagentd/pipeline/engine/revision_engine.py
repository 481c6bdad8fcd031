"""The engine of one commit: it reads an index that nothing changes any more, beside the files of that commit."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.model.engine_status import IndexStatus, Watermark
from codeagentd.model.graph_snapshot import SnapshotRequest
from codeagentd.store.connection import Database, ReaderPool
from codeagentd.store.foreign_index import BUILDING, Unreadable, state_of
from codeagentd.store.migrations import schema_version
from codeagentd.vcs.checkout import Head

from .readonly_engine import ReadOnlyEngine

WHY: Final = "it is that of a commit, and is only read"
REMEDY: Final = "ask a daemon of the repository (`codeagentd run`), which can do that"
READERS: Final = 2  # connections, and as many for helper threads: many commits are open at once
CACHE_KB: Final = 1_000  # of each
TEXT_PATIENCE_S: Final = 5.0  # as in the engine of a daemon
ANALYSIS_PATIENCE_S: Final = 15.0
MAX_WAITING: Final = 8  # calls of all engines that wait at once: each holds a thread of those that answer
LOOK_S: Final = 0.1  # seconds between two looks at what another process makes

_waiting = threading.Semaphore(MAX_WAITING)


class RevisionEngine(ReadOnlyEngine):
    """Answers about one commit. The index is that of the commit whatever happens to the repository, so nothing is
    compared, and each answer names the commit.
    """

    def __init__(
        self, parameters: SnapshotRequest, commit: str, repository: str, damaged: Callable[[], None],
        is_building: Callable[[], bool],
    ) -> None:  # fmt: skip
        """`repository`: the name by which answers name the repository; `damaged` is called when a reader meets damage.
        `is_building`: whether the process that made the index still adds to it: text, and the analysis of the graph.

        Errors: engine_unavailable.
        """
        self._commit = commit
        self._repository = repository
        self._is_building = is_building
        readers = ReaderPool(Path(parameters.index), READERS, damaged, CACHE_KB)
        super().__init__(parameters, WHY, readers=readers, remedy=REMEDY)
        self._generation = self._read_generation()

    def _check(self) -> None:
        try:
            super()._check()
        except Unreadable as error:
            if error.why != BUILDING or not self._is_complete():
                raise

    def _is_complete(self) -> bool:
        """Whether the file has a whole schema: an index of a commit without files has that, and no generation."""
        with contextlib.closing(Database(self.index_path)) as database:
            version = int(database.connection.pragma("user_version"))
            return version == schema_version("index") and not state_of(database).is_bulk

    def sync(self, patience_s: float = 0.0, wait_for_first_s: float = 0.0) -> Watermark:
        """Return the watermark of the commit; the parameters have no effect."""
        return self.watermark()

    def _watermark(self, caught_up: bool, head: Head | None = None) -> Watermark:
        return Watermark(self._generation, self._commit, True, 0, self._repository, dirty=False)

    def status(self) -> IndexStatus:
        """Return the counts of the index."""
        return msgspec.structs.replace(super().status(), state="ready", reason="", remedy="")

    def text_ready(self, patience_s: float = TEXT_PATIENCE_S) -> bool:
        """Wait up to `patience_s` seconds until text search has everything, while that is being made. Returns whether
        it has.
        """
        return self._await(super().text_ready, patience_s)

    def analysed(self, patience_s: float = ANALYSIS_PATIENCE_S, *, current: bool = False) -> bool:
        """Wait up to `patience_s` seconds for the analysis of the whole graph, while it is being made. Returns whether
        it exists.

        Errors: engine_unavailable where it could not be made.
        """
        if self._await(lambda: super(RevisionEngine, self).analysed(0.0, current=current), patience_s):
            return True
        return False if self._is_building() else super().analysed(patience_s, current=current)

    def _await(self, is_done: Callable[[], bool], patience_s: float) -> bool:
        if is_done() or not _waiting.acquire(blocking=False):
            return is_done()
        try:
            deadline = time.monotonic() + patience_s
            while self._is_building() and time.monotonic() < deadline and not is_done():
                time.sleep(LOOK_S)
        finally:
            _waiting.release()
        return is_done()

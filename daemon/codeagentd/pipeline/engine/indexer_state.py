"""The state of an indexer: what its thread publishes for the threads that ask for answers or status."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from codeagentd.model.engine_status import Progress

Changed = Callable[[bool], None]  # called after a commit (False) or an analysis (True), on the indexer's thread


class LastBatch(NamedTuple):
    """The last batch that was written. `at`: unix seconds; `files`: changed and gone; `seconds` that it took."""

    at: float = 0.0
    files: int = 0
    seconds: float = 0.0


class IndexerState:
    """The state of an indexer that other threads read. Written by the indexer's thread, read by any thread."""

    def __init__(self) -> None:
        self.is_open = threading.Event()  # the index can be read
        self.first_done = threading.Event()
        self.progress = Progress()
        self.generation = 0
        self.notes: list[str] = []  # what operators should know: a rebuilt index
        self.failure: tuple[str, str] | None = None  # (reason, remedy) while the index cannot be written
        self.nested: tuple[str, ...] = ()
        self.skipped: dict[str, str] = {}
        self.last_batch = LastBatch()
        self.paths: set[str] = set()  # every file of the repository that the index knows
        self._listeners: list[Changed] = []

    @property
    def is_sound(self) -> bool:
        """Whether the index can be written."""
        return self.failure is None

    def on_change(self, changed: Changed) -> None:
        """Have `changed` called too, with True after each analysis and with False after each commit, from now on."""
        self._listeners.append(changed)

    def report_change(self, *, is_analysis: bool) -> None:
        """Report a commit, or an analysis, to the functions of `on_change`; on the indexer's thread."""
        for changed in self._listeners:
            changed(is_analysis)

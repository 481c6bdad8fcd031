"""The engine of one commit: it reads an index that nothing changes any more, beside the files of that commit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.model.engine_status import IndexStatus, Watermark
from codeagentd.model.graph_snapshot import SnapshotRequest
from codeagentd.store.connection import ReaderPool
from codeagentd.vcs.checkout import Head

from .readonly_engine import ReadOnlyEngine

WHY: Final = "it is that of a commit, and is only read"
REMEDY: Final = "ask a daemon of the repository (`codeagentd run`), which can do that"
READERS: Final = 2  # connections, and as many for helper threads: many commits are open at once
CACHE_KB: Final = 1_000  # of each


class RevisionEngine(ReadOnlyEngine):
    """Answers about one commit. The index is that of the commit whatever happens to the repository, so nothing is
    compared, and each answer names the commit.
    """

    def __init__(self, parameters: SnapshotRequest, commit: str, repository: str, damaged: Callable[[], None]) -> None:
        """`repository`: the name by which answers name the repository; `damaged` is called when a reader meets damage.
        Errors: engine_unavailable.
        """
        self._commit = commit
        self._repository = repository
        readers = ReaderPool(Path(parameters.index), READERS, damaged, CACHE_KB)
        super().__init__(parameters, WHY, readers=readers, remedy=REMEDY)
        self._generation = self._read_generation()

    def sync(self, patience_s: float = 0.0, wait_for_first_s: float = 0.0) -> Watermark:
        """Return the watermark of the commit; the parameters have no effect."""
        return self.watermark()

    def _watermark(self, caught_up: bool, head: Head | None = None) -> Watermark:
        return Watermark(self._generation, self._commit, True, 0, self._repository, dirty=False)

    def status(self) -> IndexStatus:
        """Return the counts of the index."""
        return msgspec.structs.replace(super().status(), state="ready", reason="", remedy="")

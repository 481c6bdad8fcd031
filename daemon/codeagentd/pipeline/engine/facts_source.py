"""The interface to whatever has facts of files that are about to be read, such as the store of a team."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from codeagentd.pipeline.workers.messages import Job


class FactsSource(Protocol):
    """Fills blobs.db before many files are read."""

    def bring(self, jobs: Sequence[Job], on_progress: Callable[[int, int], None]) -> None:
        """Put facts of the files of `jobs` into blobs.db, calling `on_progress` with done and total. Returns in
        bounded time, and never raises for what the source does.
        """

    def close(self) -> None:
        """End what runs; may be called from any thread."""

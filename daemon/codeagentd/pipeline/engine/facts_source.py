"""The interface to whatever has facts of files that are about to be read, such as the store of a team."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class FactsSource(Protocol):
    """Fills blobs.db before many files are read."""

    def bring(self, files: int, on_progress: Callable[[int, int], None]) -> None:
        """Put facts of the repository's files, of which `files` are about to be read, into blobs.db, calling
        `on_progress` with done and total. Returns in bounded time, and never raises for what the source does.
        """

    @property
    def notice(self) -> str:
        """The sentence that operators should read about the source; '' for none."""

    def close(self) -> None:
        """End what runs; may be called from any thread."""

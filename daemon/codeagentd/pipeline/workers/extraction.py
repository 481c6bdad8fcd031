"""The interface to whatever extracts and resolves files for a batch: the pool of workers, or this process itself."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Protocol

from .deadlines import Patience
from .messages import Extracted, Job, Linked, LinkJob


class Extraction(Protocol):
    """The methods of the pool of workers that the writer of batches uses."""

    deadline_s: float  # seconds of processor time that one file may take

    def extract(
        self, jobs: Sequence[Job], patience: Patience, large: Container[str] = ...
    ) -> Iterator[Extracted | None]:
        """Yield the outcome of each job; None where there is none for a moment."""

    def link(self, jobs: Sequence[LinkJob], projects: bytes) -> Iterator[Linked]:
        """Yield the resolved references of each file."""

    def start(self, count: int) -> None:
        """Start at most so many workers."""

    def reap(self, remaining: int = ...) -> None:
        """End all workers but `remaining`."""

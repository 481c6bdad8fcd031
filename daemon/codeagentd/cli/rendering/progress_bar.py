"""A progress bar on a terminal; no other module imports rich."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn


class Bar:
    """A progress bar whose label is the current phase."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def update(self, phase: str, done: int, total: int) -> None:
        """Show the progress of a phase; with `total` 0 (unknown) the bar pulses."""
        self._progress.update(self._task, description=phase, completed=done, total=total or None)


@contextmanager
def bar() -> Iterator[Bar]:
    """A bar on stderr that is removed when the work is done."""
    shape = (TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*shape, console=Console(stderr=True), transient=True) as progress:
        yield Bar(progress, progress.add_task("starting", total=None))

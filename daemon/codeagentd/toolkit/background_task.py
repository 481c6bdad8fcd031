"""A task that a thread of its own does while its caller does something else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Meanwhile(Generic[T]):
    """`work` begins at once; `result` waits for its end, and need not be called."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._results: list[T] = []
        self._trouble: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="meanwhile", daemon=True)
        self._thread.start()

    def result(self) -> T:
        """Return the result of the work. Errors: those of the work."""
        self._thread.join()
        if self._trouble is not None:
            raise self._trouble
        return self._results[0]

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as trouble:  # noqa: BLE001 - whatever it is belongs to who asks
            self._trouble = trouble

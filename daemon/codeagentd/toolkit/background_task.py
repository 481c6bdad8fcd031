"""Tasks that run in a thread of their own while the caller goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def run_in_background(work: Callable[[], T]) -> Future[T]:
    """Start `work` in a thread that never keeps the process alive, and return its future."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - the caller of `result` gets it
            future.set_exception(error)

    threading.Thread(target=run, name="meanwhile", daemon=True).start()
    return future

"""The thread pool for blocking work. Its threads never keep the process alive; the first one starts at once, others
when needed. The event loop awaits their results.

concurrent.futures would join its threads at exit, but a call that is stuck in a dead file system must not keep the
daemon from leaving.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final, TypeVar

T = TypeVar("T")

# maximum number of threads: calls that wait for the first index occupy one each, and twenty windows may all wait
MAX_THREADS: Final = 32

Work = Callable[[], None]


class ThreadPool:
    """A pool of threads for the calls of all sessions. Errors: RuntimeError if not even one thread can be started."""

    def __init__(self, most: int = MAX_THREADS) -> None:
        self._most = most
        self._queue: SimpleQueue[Work] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._spare = 0  # idle threads; below zero: pieces of work without a thread
        self._add()

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work` in a thread, and return its result.

        When the caller is cancelled, the work goes on and its result is dropped.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def settle(result: T | None, error: BaseException | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(result)  # type: ignore[arg-type]  # without an error there is a result
            else:
                future.set_exception(error)

        def job() -> None:
            result, error = None, None
            try:
                result = work()
            except BaseException as raised:  # noqa: BLE001 - whatever it is belongs to the caller
                error = raised
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, result, error)

        self.submit(job)
        return await future

    def submit(self, work: Work) -> None:
        """Run `work` in a thread without waiting for it; it must not raise."""
        with self._lock:
            self._spare -= 1
            if self._spare < 0 and self._threads < self._most:
                with contextlib.suppress(RuntimeError):  # the system limits threads: existing ones do the work later
                    self._add()
        self._queue.put(work)

    def _add(self) -> None:
        threading.Thread(target=self._serve, name=f"pool-{self._threads + 1}", daemon=True).start()
        self._threads += 1
        self._spare += 1

    def _serve(self) -> None:
        while True:
            self._queue.get()()
            with self._lock:
                self._spare += 1

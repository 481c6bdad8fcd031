"""The engine of Dask: tasks on the workers of a scheduler of dask.distributed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codeagent_protocol.errors import EngineUnavailable, InvalidParameter

from .shard_tasks import perform, release

RETRIES: Final = 3  # attempts of a task that fails; Dask counts those whose worker ended itself
CONNECT_S: Final = 20.0  # for the scheduler to answer, and for its first worker
REMEDY: Final = "install codeagentd with its extra dask on all machines: pip install 'codeagentd[dask]'"


class DaskEngine:
    """Performs tasks on the workers of the scheduler at an address. One that ends is replaced by Dask, and its task
    goes to another.
    """

    def __init__(self, scheduler: str) -> None:
        try:
            import distributed
        except ImportError as error:
            raise EngineUnavailable(f"Dask is not installed ({error})", remedy=REMEDY) from None
        if not scheduler:
            raise InvalidParameter(
                "there is no scheduler", remedy="pass --scheduler tcp://HOST:8786", parameter="scheduler"
            )
        self._as_completed = distributed.as_completed
        self._lost = distributed.scheduler.KilledWorker
        try:
            self._client = distributed.Client(scheduler, timeout=CONNECT_S)
            self._client.wait_for_workers(1, timeout=CONNECT_S)
        except (OSError, TimeoutError, ValueError) as error:
            raise EngineUnavailable(
                f"no Dask worker can be reached through {scheduler!r}: {str(error) or type(error).__name__}",
                remedy=f"start `dask scheduler`, and `dask worker {scheduler} --nthreads 1` on each machine",
            ) from None
        self.cores = sum(self._client.nthreads().values())

    def run(self, tasks: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
        """Yield the answers as they arrive."""
        futures = {
            self._client.submit(perform, task, pure=False, retries=RETRIES, priority=-number): number
            for number, task in enumerate(tasks)
        }
        try:
            for future in self._as_completed(list(futures)):
                # forgotten at once: Dask would perform it again if the worker that has the answer ended later
                number, answer = futures.pop(future), future.result()
                future.release()
                yield number, answer
        except self._lost as error:
            raise EngineUnavailable(
                f"a task has ended its worker again and again: {error}",
                remedy="look at the workers' logs; they may lack memory. What was done stays in the store",
            ) from None
        finally:
            self._client.cancel(list(futures))

    def close(self, snapshot: str) -> None:
        """End the processes of tasks on the workers, remove their files, and leave the scheduler."""
        self._client.run(release, snapshot, on_error="ignore")
        self._client.close()

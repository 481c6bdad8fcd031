"""The engine of Ray: tasks on the nodes of a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codeagent_protocol.errors import EngineUnavailable

from .shard_tasks import perform

RETRIES: Final = 3  # attempts of a task that fails, or whose process or node ends
REMEDY: Final = "install codeagentd with its extra ray on all machines: pip install 'codeagentd[ray]'"


class RayEngine:
    """Performs tasks on the cluster at an address; '' for one that `ray start` has announced on this machine."""

    def __init__(self, scheduler: str) -> None:
        try:
            import ray
        except ImportError as error:
            raise EngineUnavailable(f"Ray is not installed ({error})", remedy=REMEDY) from None
        self._ray = ray
        try:
            ray.init(address=scheduler or "auto", log_to_driver=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise EngineUnavailable(
                f"no Ray cluster can be reached at {scheduler or 'auto'}: {error}",
                remedy="start one with `ray start --head`, join machines with `ray start --address HOST:6379`",
            ) from None
        self.cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._perform = ray.remote(perform).options(num_cpus=1, max_retries=RETRIES, retry_exceptions=True)

    def run(self, tasks: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
        """Yield the answers as they arrive."""
        waiting = {self._perform.remote(task): number for number, task in enumerate(tasks)}
        try:
            while waiting:
                for reference in self._ray.wait(list(waiting))[0]:
                    yield waiting.pop(reference), self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            raise EngineUnavailable(
                f"a task has failed again and again: {str(error).splitlines()[-1]}",
                remedy="look at Ray's logs; its nodes may lack memory. What was done stays in the store",
            ) from None
        finally:
            for reference in waiting:
                self._ray.cancel(reference)

    def close(self, snapshot: str) -> None:
        """Leave the cluster: the processes of tasks end with those of the job. The files of `snapshot` go with a later
        run.
        """
        self._ray.shutdown()

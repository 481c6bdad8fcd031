"""The engines that perform tasks on many machines, and the index that they make of a repository."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec

from codeagent_protocol.errors import InvalidParameter
from codeagentd.vcs import git

from .build_identity import this_build
from .coordinator import Coordinator, MergeReport
from .extract_shard import ExtractReport
from .file_listing import FileChoice, Listing
from .link_shard import Unit
from .portions import Portion, dealt, portions_of
from .shard_tasks import ExtractTask, LinkTask, encode_task, report_of
from .shards import Shard, range_of

SHARDS_A_CORE: Final = 8  # tasks: a slow machine does not hold up the end; each costs some tens of milliseconds
ENGINES: Final = ("dask", "ray")


class Engine(Protocol):
    """Performs tasks on the machines that are connected. A task whose machine or process ends is performed again."""

    cores: int  # tasks that are performed at once

    def run(self, tasks: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
        """Yield (the task's place in `tasks`, its answer) as they are performed; begin with the first ones.

        Errors: engine_unavailable for a task that ends its process again and again.
        """

    def close(self, snapshot: str) -> None:
        """End the work, and remove what it has left on the machines, with the files of `snapshot` ('' for none)."""


def engine_named(name: str, scheduler: str) -> Engine:
    """Return the engine that `name` names, connected to the scheduler at this address. Errors: invalid_parameter,
    engine_unavailable.
    """
    if name == "dask":
        from .dask_engine import DaskEngine

        return DaskEngine(scheduler)
    if name == "ray":
        from .ray_engine import RayEngine

        return RayEngine(scheduler)
    raise InvalidParameter(
        f"there is no engine {name!r}", remedy=f"pass one of {', '.join(ENGINES)}", parameter="engine"
    )


class ClusterReport(msgspec.Struct, frozen=True, tag="indexed"):
    """The result of an index by an engine: what was extracted, and what was merged."""

    extracted: ExtractReport
    merged: MergeReport

    @property
    def is_whole(self) -> bool:
        """Whether all was done, which is always so: errors end it."""
        return self.extracted.is_whole and self.merged.is_whole


class ClusterRun:
    """One index by an engine: tasks to extract, the coordinator, tasks to resolve. `worker_repo`: the path of the
    checkout on the machines; `store_url`: the store as they see it.
    """

    def __init__(self, engine: Engine, store_url: str, worker_repo: str, deadline_s: float) -> None:
        self._engine = engine
        self._store_url = store_url
        self._worker_repo = worker_repo
        self._deadline_s = deadline_s
        self.extracted = ExtractReport()
        self.snapshot = ""

    def run(self, root: Path, choice: FileChoice, listing: Listing, coordinator: Coordinator) -> ClusterReport:
        """Index the repository. Errors: those of a task, and of the coordinator."""
        merged = coordinator.merge(self.extract(root, choice, listing), self)
        return ClusterReport(self.extracted, merged)

    def extract(self, root: Path, choice: FileChoice, listing: Listing) -> Iterator[list[Portion]]:
        """Put the facts of the files into the store, and yield their portions as they are there. Errors: those of a
        task.
        """
        portions = portions_of(listing.files)
        hands = dealt(portions, min(len(portions), self._engine.cores * SHARDS_A_CORE))
        hands.sort(key=lambda hand: -sum(portion.size for portion in hand))  # so that the end is short
        tasks = [self._extract_task(root, choice, listing, hand) for hand in hands]
        for number, answer in self._engine.run([encode_task(task) for task in tasks]):
            self.extracted = combined(self.extracted, report_of(answer))
            yield hands[number]

    def link(self, snapshot: str, units: Sequence[Unit]) -> Iterator[int]:
        """Yield the places of the units that the engine has resolved, in the order of the files."""
        self.snapshot = snapshot
        shards = min(len(units), self._engine.cores * SHARDS_A_CORE)
        runs = [range_of(Shard(number, shards), len(units)) for number in range(1, shards + 1)]
        build = this_build()
        tasks = [LinkTask(self._store_url, build, snapshot, run.start, run.stop, self._deadline_s) for run in runs]
        done: set[int] = set()
        following = 0
        for number, answer in self._engine.run([encode_task(task) for task in tasks]):
            report_of(answer)
            done.add(number)
            while following in done:
                yield from runs[following]
                following += 1

    def _extract_task(self, root: Path, choice: FileChoice, listing: Listing, portions: list[Portion]) -> ExtractTask:
        files = [[*portion.files] for portion in portions]
        openings = dict(listing.openings) if any(file.has_openings for run in files for file in run) else {}
        return ExtractTask(
            self._store_url, this_build(), self._worker_repo, git.head(root), self._deadline_s, choice.max_file_bytes,
            openings, files,
        )  # fmt: skip


def combined(first: ExtractReport, second: object) -> ExtractReport:
    """Return the sums of two reports."""
    assert isinstance(second, ExtractReport)
    return ExtractReport(
        first.files + second.files, first.known + second.known, first.extracted + second.extracted,
        first.reasons | second.reasons, first.source_bytes + second.source_bytes,
        first.facts_bytes + second.facts_bytes,
    )  # fmt: skip

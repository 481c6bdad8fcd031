"""The steps of an index by many machines, as commands do them: extract a shard, merge, resolve a shard, finish; or all
of them with an engine.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base.limits import EXTRACT_DEADLINE_S
from codeagentd.boot.settings import load
from codeagentd.model.engine_status import Progress
from codeagentd.pipeline.workers.pool import Pool

from .coordinator import Coordinator, Later, MergeReport
from .directory_store import Store, open_store
from .engines import ClusterReport, ClusterRun, engine_named
from .extract_shard import ExtractReport, extract_files
from .file_listing import FileChoice, Listing, listed
from .link_shard import LinkReport, link_files, links_key
from .link_snapshot import fetch, head_of
from .shard_workers import extract_workers, usable_cores
from .shards import Shard

Show = Callable[[Progress], None]


class Repository:
    """The steps that need the repository's files. `workers`: processes on this machine, None for one a core."""

    def __init__(self, endpoint: Endpoint, store_url: str, workers: int | None, show: Show) -> None:
        self.root = endpoint.root
        self._endpoint = endpoint
        self._store_url = store_url
        self._store = open_store(store_url)
        self._workers = workers or usable_cores()
        self._show = show
        self._settings = load(endpoint.root, os.environ).settings
        limits = self._settings.limits
        self._choice = FileChoice(self._settings.ignore, self._settings.languages, limits.max_file_bytes)

    def extract(self, shard: Shard) -> ExtractReport:
        """Put the facts of the files of `shard` into the store."""
        files, openings = self._listed()
        limits = self._settings.limits
        with extract_workers(Path(self.root), self._workers, limits.extract_deadline_s, limits.max_file_bytes) as pool:
            return extract_files(
                [file for file in files if shard.covers(file.digest)], openings, pool, self._store,
                lambda done, total: self._show(Progress("extract", done, total)),
            )  # fmt: skip

    def merge(self) -> MergeReport:
        """Write the rows of all files, and publish the snapshot to resolve."""
        return self._coordinator().merge(self._listed(), Later())

    def finish(self) -> MergeReport:
        """Write the references that the store has. Errors: engine_unavailable while shards are missing there."""
        return self._coordinator().merge(self._listed(), StoredShards(self._store))

    def run(self, engine_name: str, scheduler: str, worker_repo: str, worker_store: str) -> ClusterReport:
        """Do all steps with an engine."""
        engine = engine_named(engine_name, scheduler)
        try:
            deadline_s = self._settings.limits.extract_deadline_s
            run = ClusterRun(engine, self._store, worker_store, worker_repo, deadline_s, self._show)
            return run.run(Path(self.root), self._choice, self._listed(), self._coordinator())
        finally:
            engine.close()

    def _listed(self) -> Listing:
        return listed(Path(self.root), self._choice)

    def _coordinator(self) -> Coordinator:
        return Coordinator(self._endpoint, self._settings, self._store, self._workers, self._show)


class StoredShards:
    """Shards that other commands have resolved."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def link(self, snapshot: str) -> Iterator[str]:
        """Yield the keys of the shards. They are complete: all of N, whatever N was."""
        present: dict[int, set[int]] = {}
        for key in self._store.names(f"links/{snapshot}/"):
            parts, number = key.split("/")[2:]
            present.setdefault(int(parts), set()).add(int(number))
        whole = next((parts for parts, numbers in sorted(present.items()) if len(numbers) == parts), 0)
        if not whole:
            raise _missing(snapshot, present)
        for place in range(1, whole + 1):
            yield links_key(snapshot, Shard(place, whole))


def _missing(snapshot: str, present: dict[int, set[int]]) -> EngineUnavailable:
    """The error for shards that nobody has resolved yet."""
    if not present:
        return EngineUnavailable(
            f"no file of snapshot {snapshot} has been resolved yet",
            remedy=f"run `codeagentd map --link-shard I/N --snapshot {snapshot}` for each I",
        )
    count = max(present, key=lambda count: len(present[count]) / count)
    missing = [f"{number}/{count}" for number in range(1, count + 1) if number not in present[count]]
    return EngineUnavailable(
        f"shards are missing: {', '.join(missing[:10])}{' …' if len(missing) > 10 else ''}",
        remedy=f"run `codeagentd map --link-shard {missing[0]} --snapshot {snapshot}`",
    )


def link(store_url: str, shard: Shard, snapshot: str, workers: int | None, show: Show) -> LinkReport:
    """Resolve the files of a shard, with all cores of this machine; it needs no checkout."""
    store = open_store(store_url)
    head = head_of(store, snapshot)
    with tempfile.TemporaryDirectory(prefix="codeagentd-link-") as place:
        folder = Path(place)
        fetch(store, snapshot, head, folder)
        pools: list[Pool] = []

        def make_pool(index: Path, blobs: Path) -> Pool:
            pools.append(Pool(folder, index, blobs, workers or usable_cores(), EXTRACT_DEADLINE_S))
            return pools[0]

        try:
            return link_files(
                shard, snapshot, head, folder, make_pool, store,
                lambda done, total: show(Progress("resolve", done, total)),
            )  # fmt: skip
        finally:
            for pool in pools:
                pool.reap()

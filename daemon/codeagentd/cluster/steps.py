"""The steps of an index by many machines, as commands do them: extract a shard, merge, resolve a shard, finish; or all
of them with an engine.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagentd.boot.facts_sharing import signer_of
from codeagentd.boot.settings import load
from codeagentd.model.engine_status import Progress
from codeagentd.share.opening import open_store
from codeagentd.share.push import publish
from codeagentd.share.store import Store
from codeagentd.store.connection import Database
from codeagentd.store.opening import open_disposable

from .checked_store import CheckedStore
from .coordinator import Coordinator, Later, MergeReport
from .engines import ClusterReport, ClusterRun, engine_named
from .extract_shard import ExtractReport, extract_files
from .file_listing import FileChoice, Listing, listed
from .link_shard import LinkReport, Unit, link_units, units_of, units_there
from .link_snapshot import fetch, files_to_link, head_of
from .portions import Portion, dealt, portions_of, records_of
from .shard_workers import closing_pool, extract_workers, usable_cores
from .shards import Shard, range_of

MOST_MISSING: Final = 100  # units that an error names

Show = Callable[[Progress], None]


class Repository:
    """The steps that need the repository's files. `workers`: processes on this machine, None for one a core."""

    def __init__(self, endpoint: Endpoint, store_url: str, workers: int | None, show: Show) -> None:
        self.root = endpoint.root
        self._endpoint = endpoint
        self._store_url = store_url
        self._store = CheckedStore(open_store(store_url))
        self._workers = workers or usable_cores()
        self._show = show
        self._settings = load(endpoint.root, os.environ).settings
        limits = self._settings.limits
        self._choice = FileChoice(self._settings.ignore, self._settings.languages, limits.max_file_bytes)

    def extract(self, shard: Shard) -> ExtractReport:
        """Put the facts of the files of `shard` into the store."""
        files, openings = self._listed()
        hands = dealt(portions_of(files), shard.parts)
        limits = self._settings.limits
        with extract_workers(Path(self.root), self._workers, limits.extract_deadline_s, limits.max_file_bytes) as pool:
            return extract_files(
                hands[shard.number - 1], openings, pool, self._store,
                lambda done, total: self._show(Progress("extract", done, total)),
            )  # fmt: skip

    def merge(self) -> MergeReport:
        """Write the rows of all files, and publish the snapshot to resolve."""
        return self._coordinator().merge([self._portions()], Later())

    def finish(self) -> MergeReport:
        """Write the references that the store has. Errors: engine_unavailable while units are missing there."""
        portions = self._portions()
        report = self._coordinator().merge([portions], StoredUnits(self._store))
        self._publish(portions)
        return report

    def run(self, engine_name: str, scheduler: str, worker_repo: str, worker_store: str) -> ClusterReport:
        """Do all steps with an engine."""
        engine = engine_named(engine_name, scheduler)
        run = ClusterRun(engine, worker_store, worker_repo, self._settings.limits.extract_deadline_s)
        try:
            listing = self._listed()
            report = run.run(Path(self.root), self._choice, listing, self._coordinator())
        finally:
            engine.close(run.snapshot)
        self._publish(portions_of(listing.files))
        return report

    def _publish(self, portions: Sequence[Portion]) -> None:
        """Let the indexes of others begin with the facts of `portions`, where the files are those of a commit."""
        records = [record for record in records_of(self._store, portions) if record is not None]
        packs = {pack.name: pack for record in records for pack in record.packs}
        files = sum(len(portion.files) for portion in portions)
        publish(self._store, Path(self.root), list(packs.values()), files, signer_of(self._settings))

    def _listed(self) -> Listing:
        return listed(Path(self.root), self._choice)

    def _portions(self) -> list[Portion]:
        return portions_of(self._listed().files)

    def _coordinator(self) -> Coordinator:
        return Coordinator(self._endpoint, self._settings, self._store, self._workers, self._show)


class StoredUnits:
    """Units that other commands have resolved."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def link(self, snapshot: str, units: Sequence[Unit]) -> Iterator[int]:
        """Yield the places of the units, of which none may be missing."""
        there = units_there(self._store, snapshot, [place for place, _ in units])
        missing = [place for place, _ in units if place not in there]
        if missing:
            raise EngineUnavailable(
                f"the references of {len(missing)} of {len(units)} units of snapshot {snapshot} are missing, the first "
                f"of them is {missing[0] + 1}",
                remedy=f"run `codeagentd map --link-shard I/N --snapshot {snapshot}` for each I from 1 to N; what is "
                "there is not made again",
                units=len(units),
                missing=missing[:MOST_MISSING],
            )
        yield from (place for place, _ in units)


def link(store_url: str, shard: Shard, snapshot: str, workers: int | None, show: Show) -> LinkReport:
    """Resolve the files of a shard of `snapshot` ('' where a small index is whole without), with all cores of this
    machine; it needs no checkout.
    """
    if not snapshot:
        return LinkReport()
    store = CheckedStore(open_store(store_url))
    head = head_of(store, snapshot)
    with tempfile.TemporaryDirectory(prefix="codeagentd-link-") as place:
        folder = Path(place)
        index, blobs = fetch(store, snapshot, head, folder), folder / "blobs.db"
        open_disposable(blobs, "blobs")[0].close()
        with closing(Database(index)) as database:
            units = units_of(files_to_link(database))
        with closing_pool(folder, index, blobs, workers or usable_cores()) as pool:
            run = range_of(shard, len(units))
            return link_units(
                units[run.start : run.stop], snapshot, head, blobs, lambda: pool, store,
                lambda done, total: show(Progress("resolve", done, total)),
            )  # fmt: skip

"""The extraction and resolution of a first index whose work other machines have done: facts and references come from
the store, and what is missing there is made here.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final, Protocol

from codeagentd.pipeline.batch.first_index import Stage
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.messages import Extracted, Job, Linked, LinkJob
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.share.packs import PackRef
from codeagentd.share.store import Store
from codeagentd.store.connection import Database

from .file_listing import FactsKey
from .link_shard import Unit, add_facts, is_known, links_of, units_of
from .link_snapshot import FactPacks, files_to_link, publish
from .portions import Portion, put_entries, records_of

SNAPSHOT: Final = "cluster_snapshot"  # key in meta: the snapshot that was published of this index
FACTS_AT_ONCE: Final = 1_000  # that only this machine has, in one go to the store


class LinkUnits(Protocol):
    """Whoever has the units of a snapshot resolved."""

    def link(self, snapshot: str, units: Sequence[Unit]) -> Iterator[int]:
        """Yield the place of each unit of `snapshot` once the store has its references, in the order of the files.

        A unit that is left out is resolved by the coordinator.
        """


class StoreExtraction:
    """Extraction by `pool`, whose blobs.db is filled from the store, and resolution by `linking`. `arrivals`: the
    portions of all files, as soon as the store has what it will have of them.

    `extracted_here` and `linked_here` count the files of which the store had nothing.
    """

    def __init__(
        self, pool: Pool, index: Database, blobs: Database, store: Store, arrivals: Iterable[Sequence[Portion]],
        linking: LinkUnits,
    ) -> None:  # fmt: skip
        self._pool = pool
        self._index = index
        self._blobs = blobs
        self._store = store
        self._arrivals = iter(arrivals)
        self._linking = linking
        self._packs: list[tuple[str, list[PackRef]]] = []  # by the first path of their portion
        self._known: set[FactsKey] = set()
        self.deadline_s = pool.deadline_s
        self.extracted_here = 0
        self.linked_here = 0

    def extract(
        self, jobs: Sequence[Job], patience: Patience, large: Container[str] = ()
    ) -> Iterator[Extracted | None]:
        """Yield the outcome of every job, in any order: of those first whose facts arrive first."""
        due = {job.path: job for job in jobs}
        for portions in self._arrivals if due else ():
            self._take_facts(portions)
            paths = (file.path for portion in portions for file in portion.files)
            yield from self._extract([due.pop(path) for path in paths if path in due], patience, large)
        yield from self._extract([*due.values()], patience, large)

    def _extract(self, jobs: Sequence[Job], patience: Patience, large: Container[str]) -> Iterator[Extracted | None]:
        for outcome in self._pool.extract(jobs, patience, large):
            self.extracted_here += bool(outcome and outcome.blob)
            yield outcome

    def _take_facts(self, portions: Sequence[Portion]) -> None:
        """Fill blobs.db with what the store has of `portions`."""
        for portion, record in zip(portions, records_of(self._store, portions), strict=True):
            if record is not None:
                keys = {file.key for file in portion.files if file.digest not in record.reasons}
                add_facts(self._blobs, self._store, record.packs, keys)
                self._known |= keys
                self._packs.append((portion.files[0].path, record.packs))

    def link(self, jobs: Sequence[LinkJob], projects: bytes) -> Iterator[Linked]:
        """Yield the resolved references of every job's file. Only those of a first index are resolved elsewhere."""
        due = {job.file: job for job in jobs}
        if self._index.value("writer.meta", ("bulk",), 0) == Stage.REFERENCES:
            snapshot = self._snapshot(projects)
            for place in self._linking.link(snapshot, units_of(files_to_link(self._index))):
                for linked in links_of(self._store, snapshot, place) or ():
                    if linked.file in due and is_known(linked):
                        del due[linked.file]
                        yield linked
        if due:
            self.linked_here += len(due)
            yield from self._pool.link(list(due.values()), projects)

    def start(self, count: int) -> None:
        """Start at most so many workers."""
        self._pool.start(count)

    def reap(self, remaining: int = 0) -> None:
        """End all workers but `remaining`."""
        self._pool.reap(remaining)

    def _snapshot(self, projects: bytes) -> str:
        """Return the name of this index's snapshot. A merge that was interrupted goes on with that of before, since its
        references may be there.
        """
        name: str = self._index.value("writer.meta", (SNAPSHOT,), "")
        if not name:
            for portions in self._arrivals:  # where all rows were there already
                self._take_facts(portions)
            packs = FactPacks(sorted(self._packs, key=lambda pack: pack[0]), self._put_own_facts())
            name = publish(self._index, projects, packs, self._store)
            self._index.run("writer.put_meta", (SNAPSHOT, name))
        return name

    def _put_own_facts(self) -> list[PackRef]:
        """Put the facts that only this machine has into the store, since who resolves the files needs them. Returns
        their packs.
        """
        keys = sorted({file.key for file in files_to_link(self._index)} - self._known)
        packs = []
        for first in range(0, len(keys), FACTS_AT_ONCE):
            blobs = ((key, self._blobs.value("blobs.facts", key)) for key in keys[first : first + FACTS_AT_ONCE])
            packs += put_entries(self._store, [(*key, blob) for key, blob in blobs if blob is not None])
        return packs

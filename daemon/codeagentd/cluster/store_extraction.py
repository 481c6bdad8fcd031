"""The extraction and resolution of a first index whose work other machines have done: facts and references come from
the store, and what is missing there is made here.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final, Protocol

from codeagentd.languages.versions import version_of
from codeagentd.pipeline.batch.first_index import Stage
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.messages import Extracted, Job, Linked, LinkJob
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.store.connection import Database

from .directory_store import Store
from .fact_exchange import known_keys, put_facts
from .link_shard import is_known, links_of
from .link_snapshot import files_to_link, publish

SNAPSHOT: Final = "cluster_snapshot"  # key in meta: the snapshot that was published of this index
FACTS_AT_ONCE: Final = 400


class LinkShards(Protocol):
    """Whoever has the shards of a snapshot resolved."""

    def link(self, snapshot: str) -> Iterator[str]:
        """Yield the key of the references of each shard of `snapshot`, in the order of the files."""


class StoreExtraction:
    """Extraction by `pool`, whose blobs.db was filled from the store before, and resolution by `shards`. `made_here`
    counts the files that were extracted and resolved here.
    """

    def __init__(self, pool: Pool, index: Database, blobs: Database, store: Store, shards: LinkShards) -> None:
        self._pool = pool
        self._index = index
        self._blobs = blobs
        self._store = store
        self._shards = shards
        self.deadline_s = pool.deadline_s
        self.extracted_here = 0
        self.linked_here = 0

    def extract(
        self, jobs: Sequence[Job], patience: Patience, large: Container[str] = ()
    ) -> Iterator[Extracted | None]:
        """Yield the outcome of every job, in any order."""
        for outcome in self._pool.extract(jobs, patience, large):
            self.extracted_here += bool(outcome and outcome.blob)
            yield outcome

    def link(self, jobs: Sequence[LinkJob], projects: bytes) -> Iterator[Linked]:
        """Yield the resolved references of every job's file. Only those of a first index are resolved elsewhere."""
        due = {job.file: job for job in jobs}
        if self._index.value("writer.meta", ("bulk",), 0) == Stage.REFERENCES:
            for key in self._shards.link(self._snapshot(projects)):
                for linked in links_of(self._store, key):
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
        """Return the name of the snapshot of this index; one that was interrupted goes on with that of before, since
        its references may be there.
        """
        name: str = self._index.value("writer.meta", (SNAPSHOT,), "")
        if not name:
            self._put_missing_facts()
            name = publish(self._index, projects, self._store)
            self._index.run("writer.put_meta", (SNAPSHOT, name))
        return name

    def _put_missing_facts(self) -> None:
        """Put the facts that were made here into the store: who resolves the files needs them."""
        known, entries = known_keys(self._store), []
        for file in files_to_link(self._index):
            if file.key not in known:
                blob = self._blobs.value("blobs.facts", (file.digest, file.language, version_of(file.language)))
                entries += [(*file.key, blob)] if blob is not None else []
                known.add(file.key)
            if len(entries) == FACTS_AT_ONCE:
                put_facts(self._store, entries)
                entries = []
        if entries:
            put_facts(self._store, entries)

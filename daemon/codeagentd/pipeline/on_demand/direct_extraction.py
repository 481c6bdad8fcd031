"""Extraction and resolution in this process, in place of the pool of workers."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Final

import msgspec

from codeagentd.base.processor_time import at_most
from codeagentd.languages.grammar import query
from codeagentd.languages.language import is_parsed
from codeagentd.languages.versions import version_of
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.file_reader import Reader
from codeagentd.pipeline.workers.messages import Extracted, Job, Linked, LinkJob
from codeagentd.pipeline.workers.resolver import Resolver
from codeagentd.store.connection import Database

# seconds of a core for one file; what takes longer ends the process, and is left to the first index
DEADLINE_S: Final = 5.0


class DirectExtraction:
    """Reads and resolves files one after the other. `blobs`: the repository's facts, if there are any; `tell` is called
    with each path before the file is parsed, since one that takes too long ends the process.
    """

    deadline_s = DEADLINE_S

    def __init__(self, root: str, blobs: Database | None, max_file_bytes: int, tell: Callable[[str], None]) -> None:
        self._blobs = blobs
        self._reader = Reader(root, blobs, max_file_bytes)
        self._tell = tell
        self.resolution: Callable[[], tuple[Database, StoredSymbolTable]]
        self.facts: Database

    def extract(self, jobs: Sequence[Job], patience: Patience, large: Container[str] = ()) -> Iterator[Extracted]:
        """Yield the outcome of each job."""
        for job in jobs:
            if is_parsed(job.language):
                query(job.language)
            with at_most(self.deadline_s):
                outcome = self._reader.read(job, lambda started: self._tell(started.path))
            if outcome.blob:  # the reader keeps new facts in memory until it is asked for them
                self._reader.recall(outcome.digest, outcome.language)
            yield self._with_facts(outcome)

    def _with_facts(self, outcome: Extracted) -> Extracted:
        """Return `outcome` with its facts, also where these are known already: the writer has a database of its own."""
        if outcome.rows is None or outcome.blob or self._blobs is None:
            return outcome
        key = (outcome.digest, outcome.language, version_of(outcome.language))
        return msgspec.structs.replace(outcome, blob=self._blobs.value("blobs.facts", key, b""))

    def link(self, jobs: Sequence[LinkJob], projects: bytes) -> Iterator[Linked]:
        """Yield the resolved references of each file."""
        database, world = self.resolution()
        resolver = Resolver(database, world)
        reader = Reader("", self.facts)
        for job in jobs:
            digest, symbols = world.content(job.file)
            facts = reader.known(digest, world.file(job.file).language)
            yield resolver.resolve(job.file, facts, symbols) if facts else Linked(job.file, b"", missing=True)

    def start(self, count: int) -> None:
        """Do nothing: there are no workers."""

    def reap(self, remaining: int = 0) -> None:
        """Do nothing: there are no workers."""

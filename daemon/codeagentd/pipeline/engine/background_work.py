"""The indexer's work between batches: slow files, analyses, text, vectors, and maintenance of the databases."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import NamedTuple

from codeagentd.base.limits import CARE_S, EDITING_S, RESTING_S, WORKER_IDLE_S
from codeagentd.languages.versions import version_of
from codeagentd.model.analysis import Analysis
from codeagentd.pipeline.background.governor import Governor
from codeagentd.pipeline.background.slow_files import SlowFiles
from codeagentd.pipeline.background.text_indexer import TextWriter
from codeagentd.pipeline.batch.batch_writer import BatchWriter
from codeagentd.pipeline.changes.pending_changes import PendingChanges
from codeagentd.pipeline.embedding.vector_store import VectorStore
from codeagentd.pipeline.graph.analysis_inbox import AnalysisInbox
from codeagentd.pipeline.graph.analysis_scheduler import AnalysisScheduler
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.secrets.scanner import detectors
from codeagentd.store.connection import CORRUPT

from .index_databases import IndexDatabases
from .indexer_state import IndexerState

log = logging.getLogger("codeagentd.indexer")

LOADING_S = 0.02  # seconds between two checks whether the issuers' rules are loaded
IDLE_S = 1.0  # seconds without work between two checks for maintenance that is due
CHECKPOINT_IDLE_S = 5.0  # seconds without work before the log is folded into the database
SLOW_LOOK_S = 0.05  # seconds between two checks of a slow file that is being read


class BackgroundJob(NamedTuple):
    """A kind of background work. `failure`: the log event of a failure; `is_work`: whether the indexer counts as busy
    while this work is due.
    """

    is_due: Callable[[], bool]
    run: Callable[[], None]
    failure: str
    is_work: bool = False


class BackgroundWork:
    """The work that no batch depends on. Used by the indexer's thread; it calls `run_next` while no batch waits.

    Where the databases are corrupt the methods raise one of CORRUPT; other errors are logged, because the next batch
    meets and reports the same.
    """

    def __init__(
        self, databases: IndexDatabases, changes: PendingChanges, state: IndexerState, pool: Pool, governor: Governor,
        slow_files: SlowFiles, text: TextWriter, vectors: VectorStore, analyses: AnalysisScheduler,
        inbox: AnalysisInbox,
    ) -> None:  # fmt: skip
        self._databases = databases
        self._changes = changes
        self._state = state
        self._pool = pool
        self._governor = governor
        self._slow_files = slow_files
        self._text = text
        self._vectors = vectors
        self._analyses = analyses
        self._inbox = inbox
        self._writer: BatchWriter
        self._shrinkers: list[Callable[[], None]] = [databases.readers.shrink]
        self._is_settled = False  # maintenance was done since the last work
        self._is_edited = False  # the last batch was a save
        self._idle_since = time.monotonic()
        self._jobs = (
            BackgroundJob(lambda: bool(inbox), self._write_analysis, "an analysis cannot be written"),
            BackgroundJob(lambda: text.may_work, text.step, "text cannot be indexed", is_work=True),
            BackgroundJob(lambda: True, self._write_vectors, "vectors cannot be written"),
        )

    def add_shrinker(self, shrink: Callable[[], None]) -> None:
        """Register `shrink`, a function that frees memory; it is called whenever there is no work."""
        self._shrinkers.append(shrink)

    @property
    def worker_pids(self) -> tuple[int, ...]:
        """The process ids of the workers; may be read from any thread."""
        return (*self._pool.pids, *self._slow_files.pids, *self._analyses.pids, *detectors.pids)

    def open(self, writer: BatchWriter) -> None:
        """Continue with the databases of `writer`, after these were opened."""
        self._writer = writer
        self._text.open(self._databases.index, self._databases.facts)

    def begin_batch(self) -> None:
        """Note that a batch begins: text search does not have what it will write."""
        self._text.done.clear()

    def note_batch(self, *, is_edited: bool) -> None:
        """Note that a batch was written; `is_edited`: it was a save."""
        self._is_edited = is_edited

    def end_batch(self) -> None:
        """Note that a batch ended, also where it failed."""
        self._idle_since = time.monotonic()

    @property
    def wait_s(self) -> float:
        """How many seconds to wait for changes before other work is checked for."""
        return min(SLOW_LOOK_S, self._usual_wait_s()) if self._slow_files else self._usual_wait_s()

    def _usual_wait_s(self) -> float:
        if not self._text.done.is_set():
            if self._text.may_work:
                return 0
            return LOADING_S if detectors.is_loading else CARE_S
        if self._vectors.has_work:
            return CARE_S if self._governor.reason else IDLE_S
        return RESTING_S if self._is_settled and (self._is_edited or not self._pool.pids) else IDLE_S

    # -- jobs
    def read_slow_files(self) -> None:
        """Continue with the slow files, if there are any."""
        if self._slow_files:
            self._run(self._read_slow_file, "a slow file cannot be read")

    def run_next(self) -> None:
        """Do a part of the first job that is due, or maintenance if no job is due."""
        job = next(job for job in self._jobs if job.is_due())
        self._run(job.run, job.failure)
        if job.is_work:
            self._idle_since = time.monotonic()
        elif job is self._jobs[-1]:
            self._keep_in_order(time.monotonic() - self._idle_since)

    def _run(self, run: Callable[[], None], failure: str) -> None:
        try:
            run()
        except CORRUPT:
            raise
        except Exception:  # a full disk, for example: the next batch meets and handles the same error
            log.exception(failure)

    def _read_slow_file(self) -> None:
        """Continue with the slow files. When one has been read, or given up, it becomes a pending change for the next
        batch.
        """
        outcome = self._slow_files.step()
        if outcome is None:
            return
        self._changes.note({outcome.job.path})
        self._changes.postpone(len(self._slow_files))
        if known := outcome.failed:
            self._databases.facts.run(
                "blobs.put_failure",
                (known.digest, known.language, version_of(known.language), outcome.extracted.reason),
            )

    def _write_analysis(self) -> None:
        self._inbox.write_next(self._write_one_analysis)

    def _write_one_analysis(self, analysis: Analysis) -> None:
        self._writer.write_analysis(analysis)
        self._state.report_change(is_analysis=True)

    def _write_vectors(self) -> None:
        """Write the vectors that the embedding process has computed meanwhile."""
        governor = self._governor
        self._vectors.advance(
            self._databases.index, self._databases.facts, lambda: not governor.is_full and governor.may_work()
        )
        if self._text.done.is_set() and not self._vectors.has_work:
            governor.release_slot()

    # -- maintenance
    def merge_and_checkpoint(self) -> None:
        """Merge segments and checkpoint the databases at once, after many files."""
        maintenance, databases = self._databases.maintenance, self._databases
        while maintenance.merge(databases.index):
            pass
        maintenance.checkpoint(databases.index, databases.facts, truncate=True)

    def _keep_in_order(self, idle_s: float) -> None:
        """End the processes that are not needed, and maintain the databases, once there was no work for a while."""
        if idle_s > WORKER_IDLE_S:
            detectors.end()
        if idle_s > (EDITING_S if self._is_edited else WORKER_IDLE_S):
            self._pool.reap()
        self._vectors.unload_if_idle()
        self._databases.maintenance.release_shared_file()
        if idle_s < CHECKPOINT_IDLE_S:
            self._is_settled = False
        elif not self._is_settled:
            self._is_settled = True  # also where the disk fails
            self._run(self._settle_databases, "the index cannot be put in order")

    def _settle_databases(self) -> None:
        """Do a part of the maintenance that is due; the rest, and a checkpoint that a reader prevented, follows
        soon.
        """
        maintenance, databases = self._databases.maintenance, self._databases
        if maintenance.merge(databases.index):
            self._is_settled = False
            return
        self._vectors.drop_orphans(databases.index)
        for shrink in self._shrinkers:
            shrink()
        self._is_settled = maintenance.checkpoint(databases.index, databases.facts)

    def reset(self) -> None:
        """End the workers, and forget the slow files, because the databases are opened again and compared with the
        disk.
        """
        self._pool.reap()
        self._slow_files.close()

    def close(self) -> None:
        """End every background process."""
        self._analyses.close()
        self._vectors.close()
        self._pool.reap()
        self._slow_files.close()
        detectors.end()

"""The indexer's thread: takes batches of changes from the queue, has them written, and runs background work in
between.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from codeagentd.base.malloc import garbage_collector_paused
from codeagentd.model.engine_status import Progress
from codeagentd.pipeline.background.slow_files import SlowFiles
from codeagentd.pipeline.batch.batch_writer import BatchWriter
from codeagentd.pipeline.changes.change_scan import survey
from codeagentd.pipeline.changes.pending_changes import ChangeBatch, PendingChanges
from codeagentd.pipeline.changes.plan import Plan, compare
from codeagentd.pipeline.embedding.vector_store import VectorStore
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.scan.ignore import IgnoreRules
from codeagentd.scan.lockfiles.versions import versions
from codeagentd.scan.projects.detection import detect
from codeagentd.scan.walk import Stat, scan
from codeagentd.store.connection import CORRUPT
from codeagentd.store.opening import UNUSABLE
from codeagentd.vcs import git

from .background_work import BackgroundWork
from .change_watcher import ChangeWatcher
from .facts_source import FactsSource
from .index_databases import RETRY_S, IndexDatabases
from .index_requests import FileRequests
from .indexer_state import IndexerState, LastBatch
from .pace import Pace
from .unchanged_files import adopt, known_files

log = logging.getLogger("codeagentd.indexer")

LOST = "files of the index were removed while it was in use; they were made again"
MANY_FILES = 200  # files of a batch
FORGET_WRITES_S = 7 * 24 * 3600  # seconds that an exactly-once record is kept: no client resends after a week


class Indexer:
    """Writes the pending changes of one repository, batch by batch, on a thread of its own.

    `languages`: those that are parsed, none for all. `give_way` waits while questions are answered without the index.
    `facts_source`: where facts of files may come from before they are read.
    """

    def __init__(
        self, root: Path, rules: IgnoreRules, changes: PendingChanges, state: IndexerState, databases: IndexDatabases,
        pool: Pool, slow_files: SlowFiles, background: BackgroundWork, watcher: ChangeWatcher, requests: FileRequests,
        vectors: VectorStore, languages: frozenset[str], give_way: Callable[[], None],
        facts_source: FactsSource | None,
    ) -> None:  # fmt: skip
        self._root = root
        self._rules = rules
        self._changes = changes
        self._state = state
        self._databases = databases
        self._pool = pool
        self._slow_files = slow_files
        self._background = background
        self._watcher = watcher
        self._requests = requests
        self._vectors = vectors
        self._languages = languages
        self._give_way = give_way
        self._facts_source = facts_source
        self._pace = Pace()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="indexer", daemon=True)
        self._writer: BatchWriter

    # -- from other threads
    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def may_open(self) -> bool:
        """Whether the index is open, or is expected to be open in a moment."""
        return self._state.is_sound and not self._stopping.is_set()

    def close(self, deadline_s: float) -> None:
        """End the thread after the current batch, and close the databases; wait at most `deadline_s`."""
        self._stopping.set()
        self._watcher.stop(min(2.0, deadline_s))
        self._changes.close()
        if self._facts_source is not None:
            self._facts_source.close()
        if self._thread.is_alive():
            self._thread.join(deadline_s)

    # -- the thread
    def _run(self) -> None:
        try:
            # before the index can be read: it has not caught up until it was compared
            self._changes.note(set(), rescan=True)
            if not self._open():
                return
            self._give_way()
            self._pool.start(1)  # while the tree is looked at; more of them once there is work for more
            self._watcher.start()
            self._changes.wake()  # the first comparison need not wait for further changes
            self._run_batches()
        except Exception:
            log.exception("indexer ended")
            self._state.failure = (
                "the indexer ended with an internal error",
                "see `codeagentd logs`, then `codeagentd restart`",
            )
        finally:
            self._background.close()
            self._requests.close()
            self._databases.end()

    def _open(self) -> bool:
        return self._databases.open(self._stopping, self._begin_with_databases)

    def _begin_with_databases(self) -> None:
        """Continue with the databases after they were opened."""
        state, index = self._state, self._databases.index
        state.generation = int(index.value("writer.meta", ("generation",), 0))
        index.run("writer.forget_writes", (int(time.time()) - FORGET_WRITES_S,))
        state.paths = {path for path, *_ in index.all("world.known_files")}
        self._writer = BatchWriter(
            index, self._databases.facts, self._pool, self._root, state.paths, languages=self._languages,
            on_commit=self._note_commit, on_progress=self._note_progress, slow_files=self._slow_files,
            has_more=lambda: self._changes.has_more, bring_facts=self._bring_facts,
        )  # fmt: skip
        self._background.open(self._writer)
        state.is_open.set()
        if self._writer.has_whole_index:
            state.first_done.set()  # an older index answers until this one has caught up
        else:
            state.first_done.clear()

    def _run_batches(self) -> None:
        self._background.end_batch()
        while not self._stopping.is_set():
            batch = self._changes.take(self._background.wait_s)
            self._guard(self._background.read_slow_files)
            if self._databases.must_be_rebuilt:
                self._rebuild()
            elif self._databases.must_be_checked:
                self._check_damage(batch or ChangeBatch(0))
            elif batch is not None and (batch.has_any or self._requests):
                self._background.begin_batch()
                self._run_batch(batch)
                self._background.end_batch()
            elif self._databases.maintenance.should_detach(self._databases.index):
                self._guard(self._try_to_detach)
            elif not self._stopping.is_set():
                self._guard(self._background.run_next)

    def _guard(self, work: Callable[[], None]) -> None:
        """Do work that no batch depends on; where it meets damage, all databases are opened again."""
        try:
            work()
        except CORRUPT:
            self._check_damage(ChangeBatch(0))

    # -- a batch
    def _run_batch(self, batch: ChangeBatch) -> None:
        """Write one batch; what cannot be written now stays pending."""
        started, is_first, state = time.monotonic(), not self._state.first_done.is_set(), self._state
        try:
            plan, stats = self._compare_all() if batch.rescan else self._survey(batch)
            plan = self._slow_files.without(plan, stats, is_whole=batch.rescan)
            self._give_way()
            if plan.changed or plan.gone or batch.rescan:
                if len(plan.changed) > MANY_FILES and self._databases.maintenance.may_detach(self._databases.index):
                    self._detach_shared_file()
                    self._changes.requeue(batch)
                    return
                with garbage_collector_paused(len(plan.changed) >= MANY_FILES):
                    self._writer.run(plan, stats)
                if len(plan.changed) > MANY_FILES:
                    self._background.merge_and_checkpoint()
            self._changes.postpone(len(self._slow_files))
            self._fulfil_requests()
            if self._writer.pop_lost_facts():
                self._changes.note(set(), rescan=True)
            state.failure = None
            files = len(plan.changed) + len(plan.gone)
            state.last_batch = LastBatch(time.time(), files, time.monotonic() - started)
            self._log_batch(state.last_batch)
            self._background.note_batch(is_edited=0 < len(plan.changed) <= MANY_FILES and not is_first)
            state.progress = Progress()
            self._changes.done(batch)
            state.first_done.set()
        except UNUSABLE as error:
            self._wait_for_space(batch, error)
        except CORRUPT:
            self._check_damage(batch)
        except Exception:
            log.exception("batch failed")
            state.failure = ("a batch could not be indexed", "see `codeagentd logs`; `codeagentd index` tries again")
            self._pool.reap()
            self._changes.done(batch)
            state.first_done.set()

    def _log_batch(self, batch: LastBatch) -> None:
        facts = {"generation": self._state.generation, "files": batch.files, "seconds": round(batch.seconds, 3)}
        log.debug("indexed", extra={"facts": facts})

    def _fulfil_requests(self) -> None:
        while request := self._requests.first:
            request.fulfil(self._root, self._rules, self._databases.index, self._writer)
            self._changes.postpone(len(self._slow_files))
            self._requests.drop_first()

    def _compare_all(self) -> tuple[Plan, dict[str, Stat]]:
        """Compare the index with the whole repository."""
        self._give_way()
        result = scan(self._root, self._rules, git.list_files(self._root))
        self._give_way()
        self._writer.planner.save_projects(detect(self._root, result.files))
        self._writer.save_versions(versions(self._root, result.files))
        self._state.nested, self._state.skipped = result.nested, result.skipped
        index = self._databases.index
        known = known_files(index)
        plan = compare({path: known_file.stat for path, known_file in known.items()}, result.files)
        plan = adopt(self._root, index, plan, known, result.files)
        renamed = self._writer.planner.renamed_files(result.files.keys())
        return Plan(tuple(sorted({*plan.changed, *renamed})), plan.gone), result.files

    def _survey(self, batch: ChangeBatch) -> tuple[Plan, dict[str, Stat]]:
        """Examine the paths of a batch."""
        seen = survey(self._root, self._rules, batch, self._state.paths, self._writer.planner.moves_headers)
        if seen.moves_names:
            self._changes.note(set(), rescan=True)
        return seen.plan, seen.stats

    def _note_commit(self, has_most: bool) -> None:
        self._vectors.note_change()
        self._state.generation = int(self._databases.index.value("writer.meta", ("generation",), 0))
        if has_most:
            self._state.first_done.set()  # requests that wait for the first index need not wait for slow files
        self._state.report_change(is_analysis=False)

    def _bring_facts(self, files: int) -> None:
        if self._facts_source is not None:
            self._facts_source.bring(files, lambda done, total: self._note_progress(Progress("pull", done, total)))

    def _note_progress(self, progress: Progress) -> None:
        self._give_way()
        self._state.progress = self._pace.with_rate(progress)
        self._changes.progress(max(0, progress.total - progress.done) if progress.phase == "extract" else 1)

    # -- trouble
    def _wait_for_space(self, batch: ChangeBatch, error: Exception) -> None:
        log.error("cannot write the index", extra={"facts": {"error": type(error).__name__}})
        self._state.failure = (
            f"the index cannot be written ({error})",
            f"make {self._databases.folder} writable, with room on its disk; indexing goes on by itself",
        )
        self._pool.reap()
        self._changes.requeue(batch)
        self._stopping.wait(RETRY_S)

    def _rebuild(self) -> None:
        """Create removed files of the index again; readers continue with the files that they have open until then."""
        self._databases.report_loss()
        log.error("files of the index were removed")
        if self._reopen() and LOST not in self._state.notes:
            self._state.notes.append(LOST)

    def _check_damage(self, batch: ChangeBatch) -> None:
        """Open all databases again, and rebuild those that a new check finds corrupt as well; the batch stays
        pending.
        """
        log.error("the index looks corrupt")
        self._databases.report_damage()
        if self._reopen():
            self._changes.requeue(batch)

    def _reopen(self) -> bool:
        """Close the databases, open the present ones and have them compared with the disk, as at a start; return False
        if the indexer was stopped before that.
        """
        self._databases.close()
        self._background.reset()
        self._changes.note(set(), rescan=True)  # the scan finds the projects again
        return self._open()

    def _try_to_detach(self) -> None:
        try:
            self._detach_shared_file()
        except CORRUPT:
            raise
        except Exception:  # a full disk, for example
            log.exception("the index cannot be given a file of its own")

    def _detach_shared_file(self) -> None:
        """Continue in a file of its own, if the index shares its file with another worktree."""
        try:
            self._databases.detach_shared_file()
        finally:
            self._reopen()

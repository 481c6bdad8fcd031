"""The indexer's thread: takes what has changed, has it written, and does maintenance when it is idle."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base import failpoints
from codeagentd.base.limits import CARE_S, EDITING_S, RESTING_S, WORKER_IDLE_S
from codeagentd.base.malloc import collector_at_rest
from codeagentd.embed.model import ModelChoice
from codeagentd.languages.versions import version_of
from codeagentd.model.analysis import Analysis
from codeagentd.model.engine_status import Progress
from codeagentd.pipeline.background.governor import Governor
from codeagentd.pipeline.background.slow_files import SlowFiles
from codeagentd.pipeline.background.text_indexer import TextWriter
from codeagentd.pipeline.batch.batch_writer import Refresher
from codeagentd.pipeline.changes.change_scan import rules_of, survey
from codeagentd.pipeline.changes.pending_changes import Pending, Work
from codeagentd.pipeline.changes.plan import Plan, compare
from codeagentd.pipeline.embedding.vector_store import VectorStore
from codeagentd.pipeline.graph.analysis_scheduler import Analyses
from codeagentd.pipeline.workers.pool import UNTRIED, Pool
from codeagentd.scan.lockfiles.versions import versions
from codeagentd.scan.projects.detection import detect
from codeagentd.scan.walk import Stat, scan
from codeagentd.scan.watching.events import Change
from codeagentd.scan.watching.watcher import Watcher
from codeagentd.secrets.scanner import detectors
from codeagentd.store.connection import CORRUPT, Database, ReaderPool
from codeagentd.store.opening import UNUSABLE, open_disposable
from codeagentd.vcs import git

from .index_maintenance import IndexMaintenance, Occupied
from .index_requests import Request
from .index_startup import Start, begin, mark_stale
from .unchanged_files import adopt, known_files

log = logging.getLogger("codeagentd.indexer")
Changed = Callable[[bool], None]  # called after a commit (False) or an analysis (True), on the indexer's thread

LOST = "files of the index were removed while it was in use; they were made again"
MANY_FILES = 200  # files of a batch
LOADING_S = 0.02  # seconds between two looks whether the issuers' rules are there
IDLE_S = 1.0  # seconds without work between two looks at the house
CHECKPOINT_IDLE_S = 5.0  # seconds without work before the log is folded into the database
RETRY_S = 2.0  # seconds until a batch that could not be written is tried again
SLOW_LOOK_S = 0.05  # seconds between two looks at a slow file that is being read
KEEP_S = 30.0  # seconds that an analysis waits to be written
FORGET_WRITES_S = 7 * 24 * 3600  # seconds that an exactly-once record is kept: no client resends after a week


class Indexer:
    """Owns the watcher, the writer's connections and the workers. Public attributes may be read from any thread."""

    def __init__(
        self, root: Path, index: Path, blobs: Path, readers: ReaderPool, *, ignore: tuple[str, ...], workers: int,
        max_file_bytes: int, extract_deadline_s: float, make_places: Callable[[], object], use_watcher: bool,
        languages: tuple[str, ...], model: ModelChoice | None, governor: Governor, start: Start,
    ) -> None:  # fmt: skip
        self.root = root
        self.pending = Pending()
        self.is_open = threading.Event()  # the index can be read
        self.first_done = threading.Event()
        self.progress = Progress()
        self.head = git.head(root)
        self.generation = 0
        self.notes: list[str] = []  # what operators should know: a rebuilt index
        self.failure: tuple[str, str] | None = None  # (reason, remedy) while the index cannot be written
        self.changed: Changed = lambda is_analysis: None
        self.nested: tuple[str, ...] = ()
        self.skipped: dict[str, str] = {}
        self.last_batch = (0.0, 0, 0.0)  # (unix seconds, files, seconds it took)
        self.rules = rules_of(root, ignore)
        self._index, self._blobs, self._readers = index, blobs, readers
        self._languages = frozenset(languages)
        self._start = start
        self._pool = Pool(root, index, blobs, workers, extract_deadline_s, max_file_bytes)
        self._slow = SlowFiles(self._pool.arguments, extract_deadline_s)
        self.analyses = Analyses(index, self._hand_over)
        self._handed_over: deque[tuple[Analysis, threading.Event]] = deque()
        self._watcher = self._watch() if use_watcher else None
        self.vectors = VectorStore(root, index, blobs, model, self.pending.wake)
        self._thread = threading.Thread(target=self._run, name="indexer", daemon=True)
        self._stopping = threading.Event()
        self._database: Database
        self._facts: Database
        self._refresher: Refresher
        self.governor = governor
        self._is_settled = False  # since there was work
        self._is_edited = False  # the last of it were saves
        self.text = TextWriter(root, self._pool, governor)
        self._known: set[str] = set()
        self._requests: deque[Request] = deque()
        self._is_damaged = False  # somebody says so
        self._is_lost = False  # files of it have been removed
        self._make_places = make_places
        self._house = IndexMaintenance(index, blobs)
        self.shrinking: list[Callable[[], None]] = [readers.shrink]  # what gives memory back while there is no work

    def _watch(self) -> Watcher:
        return Watcher(
            self.root, self._on_change, rules=self.rules, known=self._is_known,
            forced=lambda: git.list_forced(self.root), git_dirs=lambda: _git_dirs(self.root),
            listing=lambda: git.list_files(self.root),
        )  # fmt: skip

    # -- from other threads
    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def is_sound(self) -> bool:
        """Whether the index can be written."""
        return self.failure is None

    @property
    def may_open(self) -> bool:
        """Whether the index will be open in a moment, as far as known."""
        return self.is_sound and not self._stopping.is_set()

    @property
    def sees_changes(self) -> bool:
        """Whether changes of files become known."""
        return self._watcher is None or self._watcher.mode != "off"

    @property
    def watcher(self) -> tuple[str, str, str]:
        """(mode, reason, remedy) of the watcher."""
        return (
            (self._watcher.mode, self._watcher.reason, self._watcher.remedy)
            if self._watcher
            else ("off", "not wanted", "")
        )

    def watcher_sync(self, timeout_s: float) -> bool:
        """Wait until the watcher has reported everything that happened before this call."""
        return self._watcher is None or self._watcher.sync(timeout_s)

    @property
    def slow_files(self) -> int:
        """How many files are read one at a time, when nothing else is to be done."""
        return len(self._slow)

    @property
    def worker_pids(self) -> tuple[int, ...]:
        """Process ids of the workers."""
        return (*self._pool.pids, *self._slow.pids, *self.analyses.pids, *detectors.pids)

    def ask(self, request: Request) -> None:
        """Queue an index_files call; its `done` event is set when it is done."""
        self._requests.append(request)
        self.pending.wake()

    def want_text(self) -> None:
        """Note that a request waits for text search."""
        if self.text.want():
            self.pending.wake()

    def _hand_over(self, analysis: Analysis) -> None:
        """On the analysis' thread: have it written."""
        written = threading.Event()
        self._handed_over.append((analysis, written))
        self.pending.wake()
        written.wait(KEEP_S)

    def close(self, deadline_s: float) -> None:
        """Stop in order, within a deadline."""
        self._stopping.set()
        if self._watcher:
            self._watcher.stop(min(2.0, deadline_s))
        self.pending.close()
        if self._thread.is_alive():
            self._thread.join(deadline_s)

    def _is_known(self, path: str) -> bool:
        return path in self._known

    def _on_change(self, change: Change) -> None:
        """On the watcher's thread."""
        if change.head:
            self.head = git.head(self.root)
        paths = set(change.paths) | {f"{folder}/" for folder in change.directories}
        self.pending.note(paths, rescan=change.rules or change.overflow, tracked=change.index)

    # -- the thread
    def _run(self) -> None:
        try:
            self._pool.start(1 if self._index.exists() else 2)  # what has changed since the last time is little
            # before anybody can read the index: it has not caught up until it was compared
            self.pending.note(set(), rescan=True)
            if not self._open_at_last():
                return
            if self._watcher:
                self._watcher.start()
            self.pending.wake()  # the first look at everything has no companions to wait for
            self._loop()
        except Exception:
            log.exception("indexer ended")
            self.failure = (
                "the indexer ended with an internal error",
                "see `codeagentd logs`, then `codeagentd restart`",
            )
        finally:
            self._close()

    def _open_at_last(self) -> bool:
        """Open the databases, which may take until somebody has made room; False: we were told to stop before that."""
        while not self._stopping.is_set():
            try:
                if self._is_lost:
                    self._make_places()
                self._house.move_in()
                self.notes += self._house.examine()
                begin(self._index, self._start)
                self._open()
                mark_stale(self._database, self._index, self._start)
                self.failure, self._is_lost = None, False
                return True
            except CORRUPT:  # also what looked whole a moment before, and what the first look did not read
                log.error("the index looks corrupt at its opening")
                self._house.report_corruption()
                self._close_databases()
            except Occupied as error:
                self.failure = (
                    f"the index is another daemon's, which has another CODEAGENT_RUNTIME_DIR: {error}",
                    "stop that one, or give one of them a CODEAGENT_CACHE_DIR of its own; it goes on by itself",
                )
                self._stopping.wait(RETRY_S)
            except (OSError, EngineUnavailable, *UNUSABLE) as error:
                log.error("cannot open the index", extra={"facts": {"error": type(error).__name__}})
                where = self._index.parent
                self.failure = (
                    f"the index cannot be opened ({error})",
                    f"make {where} a directory that you can write, with room on its disk; it goes on by itself",
                )
                self._stopping.wait(RETRY_S)
        return False

    def _open(self) -> None:
        self._facts, note = open_disposable(self._blobs, "blobs")
        self._database, other = open_disposable(self._index, "index")
        self.notes += [text for text in (note, other) if text]
        self._readers.renew()
        self.generation = int(self._database.value("writer.meta", ("generation",), 0))
        self._database.run("writer.forget_writes", (int(time.time()) - FORGET_WRITES_S,))
        self._refresher = Refresher(
            self._database, self._facts, self._pool, self._committed, self._progressed, self.root, self._languages
        )
        self._refresher.postponed = {}
        self._refresher.is_wanted = lambda: self.pending.has_more
        self.text.open(self._database, self._facts)
        self._refresher.paths = self._known = {path for path, *_ in self._database.all("world.known_files")}
        self.is_open.set()
        if self._known:
            self.first_done.set()  # an older index answers until this one has caught up
        else:
            self.first_done.clear()

    def _loop(self) -> None:
        idle_since = time.monotonic()
        while not self._stopping.is_set():
            work = self.pending.take(self._poll_timeout())
            if self._slow:
                self._in_background(self._read_slow, "a slow file cannot be read")
            if self._is_lost or self.is_lost:
                self._begin_anew()
            elif self._is_damaged:
                self._reopen(work or Work(0))
            elif work is not None and (work.has_any or self._requests):
                self.text.done.clear()
                self._run_batch(work)
                idle_since = time.monotonic()
            elif self._house.is_to_part(self._database):
                self._in_background(self._detach_shared_file, "the index cannot be given a file of its own")
            elif self._handed_over:
                self._keep_analysis()
            elif self.text.may_work:
                self._in_background(self.text.step, "text cannot be indexed")
                idle_since = time.monotonic()
            elif not self._stopping.is_set():
                self._in_background(self._write_vectors, "vectors cannot be written")
                self._keep_house(time.monotonic() - idle_since)

    def _poll_timeout(self) -> float:
        """How long to wait for work before looking at what else there is to do."""
        return min(SLOW_LOOK_S, self._usual_patience_s()) if self._slow else self._usual_patience_s()

    def _usual_patience_s(self) -> float:
        if not self.text.done.is_set():
            return 0 if self.text.may_work else LOADING_S if detectors.is_loading else CARE_S
        if self.vectors.has_work:
            return CARE_S if self.governor.reason else IDLE_S
        return RESTING_S if self._is_settled and (self._is_edited or not self._pool.pids) else IDLE_S

    def _in_background(self, act: Callable[[], None], trouble: str) -> None:
        """Do what nobody's batch depends on."""
        try:
            act()
        except CORRUPT:
            self._reopen(Work(0))
        except Exception:  # a full disk, for one: the next batch meets the same, and deals with it
            log.exception(trouble)

    def _keep_analysis(self) -> None:
        """Write what the analysis of the whole graph has found."""
        analysis, written = self._handed_over.popleft()

        def write() -> None:
            self._refresher.following.keep(analysis)
            self.changed(True)

        self._in_background(write, "an analysis cannot be written")
        written.set()

    def _write_vectors(self) -> None:
        """What the embedding process has made meanwhile."""
        self.vectors.step(self._database, self._facts, lambda: not self.governor.is_full and self.governor.may_work())
        if self.text.done.is_set() and not self.vectors.has_work:
            self.governor.rest()

    def _run_batch(self, work: Work) -> None:
        """One batch; what cannot be written now stays due."""
        started, is_first = time.monotonic(), not self.first_done.is_set()
        try:
            plan, stats = self._compared() if work.rescan else self._surveyed(work)
            plan = self._slow.without(plan, stats, is_whole=work.rescan)
            if plan.changed or plan.gone or work.rescan:
                if len(plan.changed) > MANY_FILES and self._house.may_part(self._database):
                    self._detach_shared_file()
                    self.pending.requeue(work)
                    return
                with collector_at_rest(len(plan.changed) >= MANY_FILES):
                    self._refresher.run(plan, stats)
                if len(plan.changed) > MANY_FILES:
                    self._settle_many()
            self._postpone(stats)
            while self._requests:
                self._postpone(self._requests[0].fulfil(self.root, self.rules, self._database, self._refresher))
                self._requests.popleft()
            if self._refresher.facts_lost:
                self._refresher.facts_lost = False
                self.pending.note(set(), rescan=True)
            self.failure = None
            self.last_batch = (time.time(), len(plan.changed) + len(plan.gone), time.monotonic() - started)
            log.debug(
                "indexed",
                extra={
                    "facts": {
                        "generation": self.generation,
                        "files": self.last_batch[1],
                        "seconds": round(self.last_batch[2], 3),
                    }
                },
            )
            self._is_edited = 0 < len(plan.changed) <= MANY_FILES and not is_first
            self.progress = Progress()
            self.pending.done(work)
            self.first_done.set()
        except UNUSABLE as error:
            self._wait_for_space(work, error)
        except CORRUPT:
            self._reopen(work)
        except Exception:
            log.exception("batch failed")
            self.failure = ("a batch could not be indexed", "see `codeagentd logs`; `codeagentd index` tries again")
            self._pool.reap()
            self.pending.done(work)
            self.first_done.set()

    def _postpone(self, stats: Mapping[str, Stat]) -> None:
        """Have what took too long read when nothing else is to be done."""
        postponed, self._refresher.postponed = self._refresher.postponed or {}, {}
        for path, (job, outcome) in postponed.items():
            self._slow.postpone(job, stats.get(path, Stat(0, 0)), was_tried=outcome.reason != UNTRIED)
        self.pending.postpone(len(self._slow))

    def _read_slow(self) -> None:
        """Go on with the slow files; of one that has been read, or never will be, the next batch writes that.

        Errors: CORRUPT, UNUSABLE.
        """
        if outcome := self._slow.step():
            self._refresher.read_before[outcome.job.path] = outcome
            self.pending.note({outcome.job.path})
            self.pending.postpone(len(self._slow))
            if known := outcome.failed:
                self._facts.run(
                    "blobs.put_failure",
                    (known.digest, known.language, version_of(known.language), outcome.extracted.reason),
                )

    def _compared(self) -> tuple[Plan, dict[str, Stat]]:
        """The index against the whole repository."""
        result = scan(self.root, self.rules, git.list_files(self.root))
        self._refresher.save_projects(detect(self.root, result.files))
        self._refresher.save_versions(versions(self.root, result.files))
        self.nested, self.skipped = result.nested, result.skipped
        known = known_files(self._database)
        plan = compare({path: known_file.stat for path, known_file in known.items()}, result.files)
        plan = adopt(self.root, self._database, plan, known, result.files)
        renamed = self._refresher.renamed(result.files.keys())
        return Plan(tuple(sorted({*plan.changed, *renamed})), plan.gone), result.files

    def _surveyed(self, work: Work) -> tuple[Plan, dict[str, Stat]]:
        """What a batch says has changed."""
        seen = survey(self.root, self.rules, work, self._known, self._refresher.moves_headers)
        if seen.moves_names:
            self.pending.note(set(), rescan=True)
        return seen.plan, seen.stats

    def _committed(self) -> None:
        self.vectors.note_change()
        self.generation = int(self._database.value("writer.meta", ("generation",), 0))
        if self._refresher.has_most:
            self.first_done.set()  # whoever waits for the first index need not wait for what takes long
        self.changed(False)

    def _progressed(self, progress: Progress) -> None:
        self.progress = progress
        self.pending.progress(max(0, progress.total - progress.done) if progress.phase == "extract" else 1)

    # -- trouble
    def _wait_for_space(self, work: Work, error: Exception) -> None:
        log.error("cannot write the index", extra={"facts": {"error": type(error).__name__}})
        self.failure = (
            f"the index cannot be written ({error})",
            f"make {self._index.parent} writable, with room on its disk; indexing goes on by itself",
        )
        self._pool.reap()
        self.pending.requeue(work)
        self._stopping.wait(RETRY_S)

    @property
    def is_lost(self) -> bool:
        """Whether a file of the index was removed, or another one is in its place. From any thread."""
        database, facts = getattr(self, "_database", None), getattr(self, "_facts", None)
        return any(connection is not None and connection.is_lost for connection in (database, facts))

    def note_loss(self) -> None:
        """Note that `is_lost` is true: until the index is built again, nothing has caught up. From any thread."""
        if not self._is_lost:
            self._is_lost = True
            self.pending.note(set(), rescan=True)

    def _begin_anew(self) -> None:
        """Make again what was removed; the readers go on with what they have open until then."""
        self._is_lost = True
        log.error("files of the index were removed")
        if self._begin_again() and LOST not in self.notes:
            self.notes.append(LOST)

    def note_damage(self) -> None:
        """Note that the index looks corrupt to a reader."""
        self._is_damaged = True
        self.pending.wake()

    def _reopen(self, work: Work) -> None:
        """Open everything anew, and make again what a fresh look finds corrupt as well."""
        self._is_damaged = False
        self._readers.retire()
        log.error("the index looks corrupt")
        self._house.report_corruption()
        if self._begin_again():
            self.pending.requeue(work)

    def _begin_again(self) -> bool:
        """Close the databases, open what is there now and have it compared with the disk, as at a start; False: we were
        told to stop before that.
        """
        self._close_databases()
        self._pool.reap()
        self._slow.close()
        self.pending.note(set(), rescan=True)  # what the index knows of projects is found by that
        return self._open_at_last()

    def _close_databases(self) -> None:
        for name in ("_database", "_facts"):
            if hasattr(self, name):
                getattr(self, name).close()
                delattr(self, name)

    # -- the house
    def _detach_shared_file(self) -> None:
        """Go on in a file of our own, where that of the index is another worktree's too."""
        try:
            self._house.detach_shared_file(self._database)
        finally:
            self._begin_again()

    def _settle_many(self) -> None:
        """After many files."""
        while self._house.merge(self._database):
            pass
        self._house.checkpoint(self._database, self._facts, truncate=True)

    def _keep_house(self, idle_s: float) -> None:
        if idle_s > WORKER_IDLE_S:
            detectors.end()
        if idle_s > (EDITING_S if self._is_edited else WORKER_IDLE_S):
            self._pool.reap()
        self.vectors.rest()
        self._house.release_shared_file()
        if idle_s < CHECKPOINT_IDLE_S:
            self._is_settled = False
        elif not self._is_settled:
            self._is_settled = True  # also where the disk fails
            self._in_background(self._settle, "the index cannot be put in order")

    def _settle(self) -> None:
        """A part of what is to be done before the house is in order; the rest, and what somebody was in the way of,
        soon.
        """
        if self._house.merge(self._database):
            self._is_settled = False
            return
        self.vectors.tidy(self._database)
        for shrink in self.shrinking:
            shrink()
        self._is_settled = self._house.checkpoint(self._database, self._facts)

    def _close(self) -> None:
        self.analyses.close()
        self.vectors.close()
        self._pool.reap()
        self._slow.close()
        detectors.end()
        for request in self._requests:
            request.done.set()
        for name in ("_database", "_facts"):
            database: Database | None = getattr(self, name, None)
            if database is not None:
                failpoints.point("stop.checkpoint")
                with contextlib.suppress(*UNUSABLE, *CORRUPT):  # the log stays, and says the same
                    database.fold(truncate=True)
                database.close()
        self._house.move_out()


def _git_dirs(root: Path) -> tuple[Path, Path] | None:
    own, common = git.git_dir(root), git.common_dir(root)
    return (own, common) if own and common else None

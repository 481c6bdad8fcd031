"""The engine: one repository's index, kept up to date, and the interface to it for the rest of the daemon."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base.limits import EXTRACT_DEADLINE_S, MAX_EMBEDDED_SYMBOLS, MAX_FILE_BYTES, MAX_INDEX_BYTES, WORKERS
from codeagentd.embed.model import ModelChoice
from codeagentd.model.embedding import Embedder, EmbeddingState
from codeagentd.model.engine_status import IndexStatus, Progress, Watermark
from codeagentd.model.graph_snapshot import Snapshot, SnapshotRequest
from codeagentd.model.on_demand import Question
from codeagentd.model.speculation import Order, Speculation
from codeagentd.pipeline.background.governor import Governor
from codeagentd.pipeline.background.slow_files import SlowFiles
from codeagentd.pipeline.background.text_indexer import TextWriter
from codeagentd.pipeline.changes.change_scan import rules_of
from codeagentd.pipeline.changes.pending_changes import PendingChanges
from codeagentd.pipeline.documents.document_analyser import DocumentAnalyser
from codeagentd.pipeline.embedding.vector_store import VectorStore
from codeagentd.pipeline.graph.analysis_inbox import AnalysisInbox
from codeagentd.pipeline.graph.analysis_scheduler import AnalysisScheduler
from codeagentd.pipeline.on_demand.loan import Loan
from codeagentd.pipeline.on_demand.on_demand_index import OnDemandIndex
from codeagentd.pipeline.revisions.snapshots import Revisions
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.speculation.speculations import Speculations
from codeagentd.store.opening import own
from codeagentd.vcs.checkout import Head

from .background_work import BackgroundWork
from .change_watcher import ChangeWatcher
from .facts_source import FactsSource
from .index_databases import IndexDatabases
from .index_requests import FileRequests
from .index_startup import AS_IT_WAS, Start
from .indexer import Indexer
from .indexer_state import IndexerState
from .status_report import StatusReport
from .work_tree_state import WorkTreeState

SYNC_PATIENCE_S = 1.0  # seconds to wait for the watcher to say that it has seen everything; it takes milliseconds
TEXT_PATIENCE_S = 5.0  # seconds that a text search waits for what was indexed just now
ANALYSIS_PATIENCE_S = 15.0  # seconds that a tool waits for the first analysis; 300,000 references take five
# analyses that a request for the present generation waits for: one that began before the last change, and two more
ANALYSES_AT_ONCE = 3
LOOK_S = 0.02  # seconds between two checks whether the index has caught up
OPENING_S = 10.0  # seconds that a question waits for the index to be opened; it takes a tenth of one
FIRST_INDEX_S = 10.0  # seconds that a tool waits for the first index (the engine then answers from what it has)


class IndexingEngine:
    """Keeps the index of one repository up to date, on threads of its own. Thread-safe.

    `sync`, `index_files` and `wait_caught_up` block, and are called from worker threads.
    """

    def __init__(
        self, root: Path, index_dir: Path, blobs_dir: Path, *, ignore: tuple[str, ...] = (), workers: int = WORKERS,
        max_file_bytes: int = MAX_FILE_BYTES, extract_deadline_s: float = EXTRACT_DEADLINE_S, use_watcher: bool = True,
        languages: tuple[str, ...] = (), model: ModelChoice | None = None, considerate: Path | None = None,
        max_index_bytes: int = MAX_INDEX_BYTES, max_embedded_symbols: int = MAX_EMBEDDED_SYMBOLS,
        start: Start = AS_IT_WAS, make_places: Callable[[], object] = lambda: None,
        on_demand: OnDemandIndex | None = None, facts_source: FactsSource | None = None,
    ) -> None:  # fmt: skip
        """`on_demand`: has files indexed that questions ask for, while there is no whole index. `facts_source`: where
        facts of files may come from before they are read.

        `considerate`: the directory in which the daemons of a user agree on who works in the background
        (pipeline.governor); None for a daemon that does not coordinate with others.

        `make_places` creates the folders of the index again when they have been removed.
        """
        self.root = root
        self.index_path, blobs = own(index_dir / "index.db", "index"), own(blobs_dir / "blobs.db", "blobs")
        self._rules = rules_of(root, ignore)
        self._changes = PendingChanges()
        self._state = IndexerState()
        self._work_tree = WorkTreeState(root, self._state.first_done if use_watcher else None)
        self._governor = Governor(self.index_path, considerate, max_index_bytes)
        self._databases = IndexDatabases(
            self.index_path, blobs, self._changes, self._state, start, make_folders=make_places
        )
        self.readers = self._databases.readers
        pool = Pool(root, self.index_path, blobs, workers, extract_deadline_s, max_file_bytes)
        slow_files = SlowFiles(pool.arguments, extract_deadline_s)
        self._text = TextWriter(root, pool, self._governor)
        self._vectors = VectorStore(root, self.index_path, blobs, model, self._changes.wake, max_embedded_symbols)
        self._analysis_inbox = AnalysisInbox(self._changes.wake)
        self._analyses = AnalysisScheduler(self.index_path, self._analysis_inbox.hand_over)
        self._background = BackgroundWork(
            self._databases, self._changes, self._state, pool, self._governor, slow_files, self._text, self._vectors,
            self._analyses, self._analysis_inbox,
        )  # fmt: skip
        self._watcher = ChangeWatcher(
            root, self._rules, self._changes, self._state, self._work_tree, is_used=use_watcher
        )
        self._requests = FileRequests(self._state.first_done, self._changes.wake)
        self._indexer = Indexer(
            root, self._rules, self._changes, self._state, self._databases, pool, slow_files, self._background,
            self._watcher, self._requests, self._vectors, frozenset(languages),
            on_demand.give_way if on_demand else lambda: None, facts_source,
        )  # fmt: skip
        self._report = StatusReport(
            self.index_path, blobs, self.readers, self._state, self._changes, self._watcher, self._background,
            slow_files, self._text, self._vectors, self._governor, on_demand, self._work_tree,
            facts_source,
        )  # fmt: skip
        if self.index_path.name != "index.db":
            self._state.notes.append(
                f"index.db was written by a newer version, which goes on with it; here is {self.index_path.name}"
            )
        self._revisions = Revisions(
            SnapshotRequest(
                str(root), str(self.index_path), str(blobs), str(index_dir / "revisions"), max_file_bytes, workers,
                ignore, languages,
            )
        )  # fmt: skip
        self._speculations = Speculations(root, blobs_dir / "speculations")
        self.documents = DocumentAnalyser(
            self.index_path, max_file_bytes, generation=lambda: self._state.generation,
            is_whole=self._state.first_done.is_set,
        )  # fmt: skip
        self._on_demand = on_demand

    def start(self) -> None:
        """Begin to catch up, in threads of the engine; returns at once."""
        if self._on_demand:
            self._on_demand.end_with(self._state.first_done)
        self._indexer.start()
        self._work_tree.note_change(has_all=True)
        self._speculations.start()

    def shrinks(self, shrink: Callable[[], None]) -> None:
        """Register `shrink`, a function of another component that frees memory; it is called whenever there is
        no work.
        """
        self._background.add_shrinker(shrink)

    def ignored(self, path: str, is_dir: bool = False) -> bool:
        """Whether the ignore rules leave `path` (relative to the repository; a folder if `is_dir`) out of the index."""
        return self._rules.ignored(path, is_dir)

    def sync(self, patience_s: float = 0.1, wait_for_first_s: float = FIRST_INDEX_S) -> Watermark:
        """Notice every file operation made before this call, and wait at most `patience_s` until its changes are
        indexed (`wait_for_first_s` while the first index is written).

        Returns: a watermark whose caught_up is False when the index may be behind.
        """
        state = self._state
        if not state.first_done.is_set() and state.is_sound:
            state.first_done.wait(wait_for_first_s)
        if not state.first_done.is_set():
            return self.watermark()
        if self._databases.is_lost:
            self._databases.note_loss()
        if self._text.done.is_set():
            self._vectors.wake()  # any request may be followed by a search, and a model takes a second to load
        head = self._work_tree.head  # before the sync point: what is noted by then is at least this commit's
        seen = self._watcher.sees_changes and self._watcher.sync(max(SYNC_PATIENCE_S, patience_s))
        caught_up = self._changes.wait(patience_s)
        if seen:
            self._work_tree.confirm_head(head)
        now = self._work_tree.head
        return self._watermark(seen and caught_up and state.is_sound and now == head, now)

    @property
    def has_whole_index(self) -> bool:
        """Whether a first index was finished."""
        return self._state.first_done.is_set()

    def await_opening(self) -> None:
        """Wait until the index is open; returns at once for an index that cannot be opened. Errors:
        engine_unavailable.
        """
        until = time.monotonic() + OPENING_S
        while not self._state.is_open.wait(LOOK_S) and self._indexer.may_open:
            if time.monotonic() > until:
                raise EngineUnavailable(
                    "the index is not open yet",
                    remedy="ask again in some seconds; `codeagentd status` says where it stands",
                )

    @contextlib.contextmanager
    def on_demand(self, question: Question, patience_s: float) -> Iterator[Loan | None]:
        """Return a context with the on-demand index, in which at most `patience_s` seconds later what `question` asks
        for is indexed. None where index.db is to be read.
        """
        index = self._on_demand
        coverage = index.ask(question, patience_s) if index and not question.is_empty else None
        if index is None or coverage is None:
            yield None
            return
        with index.lent(coverage, self.readers) as loan:
            yield loan

    def text_ready(self, patience_s: float = TEXT_PATIENCE_S) -> bool:
        """Wait at most `patience_s` until text search has everything that the index has; return whether it does.

        A long wait happens only once, for the first request. Before the first index is there, nothing is waited for.
        """
        if not self._state.first_done.is_set():
            return False
        if self._text.request():
            self._changes.wake()
        return self._text.wait(patience_s)

    def analysed(self, patience_s: float = ANALYSIS_PATIENCE_S, *, current: bool = False) -> bool:
        """Return whether index.db has an analysis of the whole graph. The first one is waited for, at most
        `patience_s`; when enough has changed since the last one, the next is started.

        With `current`, an analysis of the present generation is waited for, and the result is whether it exists.
        """
        if current:
            return self._analysed_now(time.monotonic() + patience_s)
        generation, changed, nodes = self._analysis_state()
        if (
            generation is None
            and self._state.first_done.wait(patience_s)
            and (at_work := self._analyses.request(at_once=True))
        ):
            at_work.join(patience_s)
            generation, _, _ = self._analysis_state()
        elif generation is not None and self._analyses.is_due(changed, nodes) and self._governor.has_spare_capacity():
            self._analyses.request(at_once=False)
        return generation is not None

    def _analysed_now(self, deadline: float) -> bool:
        self._state.first_done.wait(deadline - time.monotonic())
        for _ in range(ANALYSES_AT_ONCE):
            if self._analysis_state()[0] == self._state.generation:
                return True
            if at_work := self._analyses.request(at_once=True):
                at_work.join(max(0.0, deadline - time.monotonic()))
        return self._analysis_state()[0] == self._state.generation

    def _analysis_state(self) -> tuple[int | None, int | None, int]:
        """Return the generation of the last analysis, the number of nodes that were updated since (None: changes were
        not followed), and the number of all nodes.
        """
        if not self._state.is_open.is_set():
            return None, None, 0
        with self.readers.read() as db:
            state: tuple[int, int | None, int] | None = db.row("analysis.state")
        return state or (None, None, 0)

    def snapshots(self, commits: list[str]) -> list[Snapshot]:
        """Return the graph of each of `commits`, in their order; '' stands for the work tree.

        A graph that is not stored is made, which takes seconds. Errors: engine_unavailable.
        """
        return self._revisions.snapshots(commits, self._state.generation)

    def speculation(self, order: Order) -> AbstractContextManager[Speculation]:
        """Return a context with a throwaway tree, made as `order` says, in which commands can be run one at a time.

        Errors: engine_unavailable, also while there is another one; those of the order.
        """
        return self._speculations.begin(order)

    def on_change(self, changed: Callable[[bool], None]) -> None:
        """Have `changed` called too, after each commit (with False) and each analysis (with True). It runs on the
        indexer's thread and must not block.
        """
        self._state.on_change(changed)

    def begin_embedding(self, text: str) -> Callable[[], bytes | None]:
        """Start to compute the vector of `text`, a question. The result is a function that waits for the vector
        (model.embedding.VECTOR_TYPE) and returns it; None without a model that is ready.
        """
        vectors = self._vectors.begin([text], urgent=True)
        return lambda: next(iter(vectors() or ()), None)

    @property
    def embedder(self) -> Embedder:
        """The embedder, for components that store vectors of their own."""
        return self._vectors

    @property
    def embeddings(self) -> EmbeddingState:
        """The progress of the embeddings."""
        return self._vectors.state

    def limit_embeddings(self, symbols: int | None) -> None:
        """Let at most `symbols` symbols of this index have a vector (0: all); None: as many as the setting says. The
        index keeps this; returns at once.
        """
        self._vectors.limit(symbols)

    @property
    def progress(self) -> Progress:
        """The progress of the current batch; reading it neither waits nor reads the database."""
        return self._state.progress

    def watermark(self) -> Watermark:
        """Return how fresh the index is, as far as is known without waiting."""
        state, head = self._state, self._work_tree.head
        follows = not self._watcher.is_used or self._work_tree.has_indexed(head)
        caught_up = state.first_done.is_set() and self._changes.caught_up and follows
        return self._watermark(caught_up and self._watcher.sees_changes and state.is_sound, head)

    def _watermark(self, caught_up: bool, head: Head) -> Watermark:
        count = 0 if caught_up else self._changes.count
        mark = self._work_tree.watermark(self._state.generation, caught_up, count, head)
        return mark if self._watcher.sees_changes else msgspec.structs.replace(mark, dirty=msgspec.UNSET)

    def status(self) -> IndexStatus:
        """Return the whole status of the index for `codeagentd status`; never waits for the writer."""
        return self._report.status(self.watermark())

    def index_files(self, paths: list[str], session: bytes, seq: int) -> dict[str, Any]:
        """Index the files `paths` now. When a call is repeated with the same (session, seq), it returns the recorded
        answer and indexes nothing.

        Returns: {"indexed": how many, "errors": [{path, code, message}]}. Errors: engine_unavailable.
        """
        return self._requests.run(paths, session, seq)

    def wait_caught_up(self, timeout_s: float, on_progress: Callable[[Progress], None] = lambda progress: None) -> bool:
        """Wait until the index has everything, calling `on_progress` several times a second; return False after
        `timeout_s`.
        """
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            if failure := self._state.failure:
                raise EngineUnavailable(failure[0], remedy=failure[1])
            if self._state.first_done.wait(0.1) and self.sync(0.1).caught_up:
                return True
            on_progress(self._state.progress)
            # before the watcher is there nothing above waits, and a loop without a pause starves the indexer of the
            # interpreter's lock
            time.sleep(LOOK_S)
        return False

    def request_scan(self) -> None:
        """Request a comparison of everything with the disk, soon."""
        self._changes.note(set(), rescan=True)

    def close(self, deadline_s: float) -> None:
        """Stop the watcher, finish the current batch, checkpoint, close; at most `deadline_s` seconds."""
        if self._on_demand:
            self._on_demand.end()
        self._revisions.close()
        self._speculations.close()
        self.documents.close()
        self._work_tree.close()
        self._indexer.close(deadline_s)
        self.readers.close()

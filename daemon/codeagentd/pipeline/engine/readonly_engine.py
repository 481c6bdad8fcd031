"""The read-only engine, for places where nothing may be written: it reads the index on the disk, whether or not a
daemon elsewhere keeps it up to date, and compares it with the files.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import msgspec

from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.sandbox import REMEDY
from codeagentd.embed.model import ModelChoice
from codeagentd.model.embedding import Embedder, EmbeddingState
from codeagentd.model.engine_status import IndexStatus, Progress, Watermark
from codeagentd.model.graph_snapshot import Snapshot, SnapshotRequest
from codeagentd.model.on_demand import Question
from codeagentd.model.speculation import Order, Speculation
from codeagentd.pipeline.changes.change_scan import rules_of
from codeagentd.pipeline.changes.plan import compare
from codeagentd.pipeline.documents.document_analyser import DocumentAnalyser
from codeagentd.pipeline.embedding.vector_store import VectorStore
from codeagentd.pipeline.on_demand.loan import Loan
from codeagentd.pipeline.revisions.snapshots import Revisions
from codeagentd.pipeline.workers.chunker import waiting_files, withheld_files
from codeagentd.scan.walk import scan
from codeagentd.store.connection import ReaderPool, form_of
from codeagentd.store.foreign_index import ForeignIndex, Unreadable
from codeagentd.store.migrations import schema_version
from codeagentd.store.shared_files import is_shared
from codeagentd.vcs import git
from codeagentd.vcs.checkout import Head

from .index_counts import Counter, size_of
from .unchanged_files import known_files, unchanged
from .work_tree_state import WorkTreeState

READERS: Final = 4  # connections: as many as tool calls run at once
COMPARE_S: Final = (
    0.5  # seconds that a comparison may take (Django: 0.15): where it takes longer, answers do not claim to be fresh
)
AGAIN_S: Final = 60.0  # seconds until a comparison that took longer is tried again
RECENT_S: Final = 2.0  # seconds for which a status uses the last comparison: most requests ask for the status as well


class ReadOnlyEngine:
    """Answers everything that needs no writing; `why`: the reason why nothing may be written. Thread-safe.

    Errors of all methods: engine_unavailable where there is no index that this build can read. Changes are not reported
    here: `sync` compares the files with the index, where that is quick, and else reports that the index may be behind.
    """

    def __init__(
        self,
        parameters: SnapshotRequest,
        why: str,
        *,
        model: ModelChoice | None = None,
        readers: ReaderPool | None = None,
        remedy: str = REMEDY,
    ) -> None:
        """`parameters`: the repository, its databases, its settings, and the directory for graphs of past revisions (''
        for none). `readers`: other connections than the usual ones; `remedy`: what helps where something would have
        to be written.
        """
        self.root = Path(parameters.root)
        self.index_path = Path(parameters.index)
        self.progress = Progress()
        self._why, self._remedy = why, remedy
        self._parameters = parameters
        self._rules = rules_of(self.root, parameters.ignore)
        self.readers = readers or ReaderPool(self.index_path, READERS)
        self._work_tree = WorkTreeState(self.root)
        self._blobs = Path(parameters.blobs)
        self._counter = Counter(self.readers)
        self._vectors = VectorStore(self.root, self.index_path, self._blobs, model, lambda: None)
        self._revisions = Revisions(parameters) if parameters.place else None
        self.documents = DocumentAnalyser(
            self.index_path, parameters.max_file_bytes, generation=lambda: self._generation
        )
        self._lock = threading.Lock()
        self._form: tuple[int, bool] | None = None
        self._generation = 0
        self._differences = 0
        self._compared_at = self._took = 0.0
        self._open()

    def start(self) -> None:
        """Do nothing: the index is read as it is."""

    def ignored(self, path: str, is_dir: bool = False) -> bool:
        """Whether the ignore rules leave `path` (relative to the repository; a folder if `is_dir`) out of the index."""
        return self._rules.ignored(path, is_dir)

    # -- freshness

    def sync(self, patience_s: float = 0.0, wait_for_first_s: float = 0.0) -> Watermark:
        """Compare the index with the files as they are now. Returns a watermark whose caught_up is False where they
        differ, or where that takes too long; the parameters have no effect.
        """
        asked_at, head = time.monotonic(), self._work_tree.head
        with self._lock:
            self._open()
            self._generation = self._read_generation()
            if self._compared_at < asked_at and (self._took < COMPARE_S or asked_at - self._compared_at > AGAIN_S):
                self._compared_at = time.monotonic()
                self._differences = self._count_differences()
                self._took = time.monotonic() - self._compared_at
            return self._watermark(self._compared_at >= asked_at and not self._differences, head)

    def watermark(self) -> Watermark:
        """Return the watermark of the last comparison; the index may be older than the files."""
        return self._watermark(False)

    def _watermark(self, caught_up: bool, head: Head | None = None) -> Watermark:
        now = self._work_tree.head
        caught_up = caught_up and head in (None, now)
        return self._work_tree.watermark(self._generation, caught_up, 0 if caught_up else self._differences, now)

    def _read_generation(self) -> int:
        with self.readers.read() as db:
            return int(db.value("writer.meta", ("generation",), 0))

    def _open(self) -> None:
        """Open the file that has the index's name now. Errors: engine_unavailable."""
        if (form := form_of(self.index_path)) == self._form:
            return
        try:
            self._check()
        except Unreadable as error:
            raise EngineUnavailable(
                f"the index is {error.why}, and cannot be made here: {self._why}", remedy=self._remedy, index=error.why
            ) from None
        self.readers.renew()
        self._form = form

    def _check(self) -> None:
        """Check that the index can be read. Errors: Unreadable."""
        ForeignIndex(self.index_path).close()

    def _count_differences(self) -> int:
        rules = rules_of(self.root, self._parameters.ignore)  # they may be other ones than before
        result = scan(self.root, rules, git.list_files(self.root)).files
        with self.readers.read() as db:
            known = known_files(db)
            plan = compare({path: known_file.stat for path, known_file in known.items()}, result)
            return len(plan.changed) + len(plan.gone) - len(unchanged(self.root, db, plan, known, result))

    def wait_caught_up(self, timeout_s: float, on_progress: Callable[[Progress], None] = lambda progress: None) -> bool:
        """Return at once whether the index has caught up: waiting (`timeout_s`) would not change that."""
        return self.sync().caught_up

    def on_change(self, changed: Callable[[bool], None]) -> None:
        """Do nothing, and never call `changed`: another process writes the index."""

    def status(self) -> IndexStatus:
        """Return the counts of the index, and the reason why it is only read."""
        is_recent = time.monotonic() - self._compared_at < RECENT_S
        mark = self._watermark(not self._differences) if is_recent else self.sync()
        return msgspec.structs.replace(
            self._counter.count(mark.generation), state="degraded", reason=f"the index is only read: {self._why}",
            remedy=self._remedy, watermark=mark, schema_version=schema_version("index"), watcher="off",
            watcher_reason="not wanted", last_batch_at=_written_at(self.index_path), embeddings=self.embeddings,
            withheld_files=self._withheld(), text_pending=self._text_pending(), database_bytes=size_of(self.index_path),
            is_shared=is_shared(self.index_path), wal_bytes=size_of(Path(f"{self.index_path}-wal")),
            blobs_bytes=size_of(self._blobs),
        )  # fmt: skip

    def _withheld(self) -> int:
        with self.readers.read() as db:
            return withheld_files(db)

    def _text_pending(self) -> int:
        with self.readers.read() as db:
            return waiting_files(db)

    # -- queries

    def on_demand(self, question: Question, patience_s: float) -> AbstractContextManager[Loan | None]:
        """Return a context with None: there is an index."""
        return contextlib.nullcontext()

    def await_opening(self) -> None:
        """Return at once: the index is open, or the constructor would have failed."""

    @property
    def has_whole_index(self) -> bool:
        """Whether a first index was finished: nothing else is opened."""
        return True

    def text_ready(self, patience_s: float = 0.0) -> bool:
        """Return at once whether text search has everything that the index has."""
        return not self._text_pending()

    def analysed(self, patience_s: float = 1.0, *, current: bool = False) -> bool:
        """Return whether index.db has an analysis of the whole graph; with `current`, one of the present generation.

        Errors: engine_unavailable where a caller would wait for an analysis.
        """
        with self.readers.read() as db:
            generation = db.value("analysis.generation")
        is_there = generation is not None and (not current or generation == self._read_generation())
        if patience_s and not is_there:
            raise EngineUnavailable(
                f"the whole graph has not been analysed, and cannot be here: {self._why}", remedy=self._remedy
            )
        return is_there

    def snapshots(self, commits: list[str]) -> list[Snapshot]:
        """Return the graph of each of `commits`, in their order; '' stands for the index as it is.

        Errors: engine_unavailable, also where there is no directory to make them in.
        """
        if self._revisions is None:
            raise self.refusal()
        return self._revisions.snapshots(commits, self._read_generation())

    def begin_embedding(self, text: str) -> Callable[[], bytes | None]:
        """Start to compute the vector of `text`, a question. The result is a function that waits for the vector and
        returns it; None without a model that is ready, or where the vectors of the index are those of another model.
        """
        vectors = self._vectors.begin([text], urgent=True)
        with self.readers.read() as db:
            is_same = db.value("writer.meta", ("vectors",), "") == self._vectors.model
        return lambda: next(iter(vectors() or ()), None) if is_same else None

    @property
    def embedder(self) -> Embedder:
        """The embedder, for components that store vectors of their own."""
        return self._vectors

    @property
    def embeddings(self) -> EmbeddingState:
        """The progress of the embeddings."""
        state = self._vectors.state
        if state.state == "off":
            return state
        with self.readers.read() as db:
            count, (_, budget, eligible, *_) = db.value("vectors.count"), db.row("vectors.ranking") or (0, 0, 0)
        return msgspec.structs.replace(state, count=count, budget=budget, eligible=max(count, eligible or 0))

    # -- what would need writing

    def refusal(self) -> EngineUnavailable:
        """Return the error that every method raises which would have to write."""
        return EngineUnavailable(f"nothing is written here: {self._why}", remedy=self._remedy)

    def speculation(self, order: Order) -> AbstractContextManager[Speculation]:
        """Raise engine_unavailable, and return nothing: a throwaway tree needs a place to write."""
        raise self.refusal()

    def index_files(self, paths: list[str], session: bytes, seq: int) -> dict[str, Any]:
        """Raise engine_unavailable, and return nothing: the index is only read."""
        raise self.refusal()

    def limit_embeddings(self, symbols: int | None) -> None:
        """Raise engine_unavailable: the index is only read, and gets no more vectors."""
        raise self.refusal()

    def request_scan(self) -> None:
        """Do nothing: every request compares the index with the files anyway."""

    def close(self, deadline_s: float) -> None:
        """End the processes of the model and of snapshots, and close the readers; `deadline_s` has no effect."""
        if self._revisions:
            self._revisions.close()
        self._vectors.close()
        self.documents.close()
        self.readers.close()


def _written_at(path: Path) -> float:
    """Return when a database was last written, in unix seconds; 0 when it does not exist."""
    with contextlib.suppress(OSError):
        return max(part.stat().st_mtime for part in (path, Path(f"{path}-wal")) if part.exists())
    return 0.0

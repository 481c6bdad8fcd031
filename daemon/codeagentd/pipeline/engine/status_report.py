"""The index's part of `codeagentd status`: the counts of the index and the state of everything that works on it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter as Tally
from pathlib import Path
from typing import Final

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.model.engine_status import IndexStatus, Watermark
from codeagentd.pipeline.background.governor import Governor
from codeagentd.pipeline.background.slow_files import SlowFiles
from codeagentd.pipeline.background.text_indexer import TextWriter
from codeagentd.pipeline.changes.pending_changes import PendingChanges
from codeagentd.pipeline.embedding.vector_store import VectorStore
from codeagentd.pipeline.on_demand.on_demand_index import OnDemandIndex
from codeagentd.pipeline.workers.chunker import waiting_files
from codeagentd.store.connection import ReaderPool
from codeagentd.store.migrations import schema_version
from codeagentd.store.shared_files import is_shared

from .background_work import BackgroundWork
from .change_watcher import ChangeWatcher
from .facts_source import FactsSource
from .index_counts import Counter, size_of
from .indexer_state import IndexerState
from .work_tree_state import WorkTreeState

NESTED: Final = "nested repository"  # a reason why files are skipped
NESTED_LISTED: Final = 100  # repositories in this one that status names, the first by path


class StatusReport:
    """Reports the state of the index. Thread-safe; never waits for the writer."""

    def __init__(
        self, index: Path, blobs: Path, readers: ReaderPool, state: IndexerState, changes: PendingChanges,
        watcher: ChangeWatcher, background: BackgroundWork, slow_files: SlowFiles, text: TextWriter,
        vectors: VectorStore, governor: Governor, on_demand: OnDemandIndex | None, work_tree: WorkTreeState,
        facts_source: FactsSource | None,
    ) -> None:  # fmt: skip
        self._index = index
        self._blobs = blobs
        self._readers = readers
        self._counter = Counter(readers)
        self._state = state
        self._changes = changes
        self._watcher = watcher
        self._background = background
        self._slow_files = slow_files
        self._text = text
        self._vectors = vectors
        self._governor = governor
        self._on_demand = on_demand
        self._work_tree = work_tree
        self._facts_source = facts_source

    def status(self, watermark: Watermark) -> IndexStatus:
        """Return the whole status of the index, with this watermark. While the index cannot be read, the counts are the
        last ones.
        """
        state, counted = self._state, self._counter.last
        if state.is_open.is_set():
            with contextlib.suppress(EngineUnavailable):
                counted = self._counter.count(watermark.generation)
        condition, reason, remedy = self._condition()
        mode, *details = self._watcher.condition
        vectors = self._vectors.state
        on_demand = self._on_demand
        others = (vectors.pid, on_demand.pid if on_demand else 0)
        pids = (*self._background.worker_pids, *filter(None, others))
        notes = [*state.notes, *([self._facts_source.notice] if self._facts_source else [])]
        nested = sorted({*state.nested, *self._work_tree.nested})
        skipped = Tally(counted.skipped) + Tally(state.skipped.values()) + Tally({NESTED: len(nested)})
        return IndexStatus(
            state=condition, reason="; ".join(filter(None, (reason, *notes))), remedy=remedy,
            watermark=watermark, schema_version=schema_version("index"), indexed_files=counted.indexed_files,
            indexed_symbols=counted.indexed_symbols, languages=counted.languages, skipped=dict(skipped),
            unknown=counted.unknown, failed_files=counted.failed_files, unread_files=counted.unread_files,
            least_covered=counted.least_covered,
            withheld_files=self._text.withheld, text_pending=self._text_pending(), queued=self._changes.count,
            watcher=mode, watcher_reason=". ".join(filter(None, details)), progress=state.progress,
            last_batch_at=state.last_batch.at, last_batch_files=state.last_batch.files,
            last_batch_s=state.last_batch.seconds, embeddings=vectors, database_bytes=size_of(self._index),
            is_shared=is_shared(self._index), wal_bytes=size_of(Path(f"{self._index}-wal")),
            blobs_bytes=size_of(self._blobs), background=self._why_paused(), worker_pids=pids,
            worker_rss_bytes=sum(map(_rss, pids)), on_demand_files=on_demand.files if on_demand else 0,
            nested=tuple(nested[:NESTED_LISTED]),
        )  # fmt: skip

    def _text_pending(self) -> int:
        if self._text.done.is_set() or not self._state.is_open.is_set():
            return 0
        with contextlib.suppress(EngineUnavailable), self._readers.read() as database:
            return waiting_files(database)
        return 0

    def _why_paused(self) -> str:
        """Return the reason why text, vectors and analyses wait; '' if none of them is due."""
        return self._governor.reason if not self._text.done.is_set() or self._vectors.has_work else ""

    def _condition(self) -> tuple[str, str, str]:
        """Return (state, reason, remedy)."""
        state = self._state
        if state.failure:
            return "degraded", *state.failure
        mode, reason, remedy = self._watcher.condition
        if not state.first_done.is_set():
            return ("indexing" if state.progress.total else "starting"), "", ""
        if mode == "off":
            otherwise = "answers say caught_up: false; `codeagentd index` catches up"
            return "degraded", f"changes are not seen: {reason}", remedy or otherwise
        if self._governor.is_full:
            return (
                "degraded",
                "the index is larger than limits.max_index_bytes: text and vectors are no longer added",
                "leave files out by .codeagentignore",
            )
        if (vectors := self._vectors.state).is_damaged:
            return "degraded", f"no search by meaning: {vectors.reason}", vectors.remedy
        return ("ready" if self._changes.caught_up else "indexing"), _slow_files_notice(len(self._slow_files)), ""


def _slow_files_notice(files: int) -> str:
    """Return the sentence about files that take long to read; '' if there are none."""
    they = "1 file takes long: it is" if files == 1 else f"{files} files take long: they are"
    return f"{they} read alone, when nothing else is to be done" if files else ""


def _rss(pid: int) -> int:
    if sys.platform == "win32":
        return 0
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0

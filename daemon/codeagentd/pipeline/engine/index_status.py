"""The index's part of `codeagentd status`, counted once a generation."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.status import Coverage, FileCoverage
from codeagentd.base.limits import MAX_EXTENSION, MAX_EXTENSIONS
from codeagentd.model.engine_status import IndexStatus, LanguageCount, Watermark
from codeagentd.pipeline.changes.plan import UNSUPPORTED
from codeagentd.pipeline.workers.chunker import waiting_files
from codeagentd.store.connection import ReaderPool
from codeagentd.store.migrations import schema_version
from codeagentd.store.shared_files import is_shared

FEWEST_REFERENCES = 50  # of a file whose share of open ones says something
FILES_TOLD = 10

if TYPE_CHECKING:
    from .indexer import Indexer


class Counter:
    """Counts files and symbols; remembers the figures until the index moves on."""

    def __init__(self, readers: ReaderPool, index: Path, blobs: Path) -> None:
        self._readers = readers
        self._index = index
        self._blobs = blobs
        self._generation = -1
        self._counted = IndexStatus()

    def status(self, indexer: Indexer, watermark: Watermark) -> IndexStatus:
        """The whole status now; what is counted is as it was last, while the index cannot be read."""
        counted = self._counted
        if indexer.is_open.is_set():
            with contextlib.suppress(EngineUnavailable):
                counted = self.count(watermark.generation)
        state, reason, remedy = _state(indexer)
        at, files, seconds = indexer.last_batch
        meaning = indexer.vectors.state
        pids = (*indexer.worker_pids, *([meaning.pid] if meaning.pid else []))
        skipped = (
            Tally(counted.skipped) + Tally(indexer.skipped.values()) + Tally({"nested repository": len(indexer.nested)})
        )
        return IndexStatus(
            state=state, reason=reason, remedy=remedy, watermark=watermark, schema_version=schema_version("index"),
            indexed_files=counted.indexed_files, indexed_symbols=counted.indexed_symbols, languages=counted.languages,
            skipped=dict(skipped), unknown=counted.unknown, failed_files=counted.failed_files,
            least_covered=counted.least_covered, withheld_files=indexer.text.withheld,
            text_pending=self._text_pending(indexer), queued=indexer.pending.count, watcher=indexer.watcher[0],
            watcher_reason=". ".join(filter(None, indexer.watcher[1:])), progress=indexer.progress, last_batch_at=at,
            last_batch_files=files, last_batch_s=seconds, embeddings=meaning, database_bytes=size_of(self._index),
            is_shared=is_shared(self._index), wal_bytes=size_of(Path(f"{self._index}-wal")),
            blobs_bytes=size_of(self._blobs), background=_background(indexer), worker_pids=pids,
            worker_rss_bytes=sum(map(_rss, pids)),
        )  # fmt: skip

    def _text_pending(self, indexer: Indexer) -> int:
        if indexer.text.done.is_set() or not indexer.is_open.is_set():
            return 0
        with contextlib.suppress(EngineUnavailable), self._readers.read() as database:
            return waiting_files(database)
        return 0

    def count(self, generation: int) -> IndexStatus:
        """What the index of a generation has; the rest of the status is as for none."""
        if generation == self._generation:
            return self._counted
        languages: dict[str, Tally[str]] = defaultdict(Tally)
        skipped: Tally[str] = Tally()
        with self._readers.read() as database:
            for language, status, reason, files, symbols, generated in database.all("world.counts"):
                if language is None:
                    skipped[reason or status] += files
                    continue
                languages[language] += Tally({"files": files, "symbols": symbols or 0, status: files})
                skipped["generated, but indexed"] += generated or 0
            unknown = _by_extension(database.all("world.endings", (UNSUPPORTED,)))
            coverage = {language: Coverage(*counts) for language, _, *counts in database.all("world.coverage")}
            least = tuple(
                FileCoverage(*row) for row in database.all("world.least_covered", (FEWEST_REFERENCES, FILES_TOLD))
            )
            failed = tuple(path for (path,) in database.all("world.failed"))
        counts = tuple(
            LanguageCount(
                name,
                tally["files"],
                tally["symbols"],
                tally["partial"],
                tally["failed"],
                coverage.get(name, Coverage()),
            )
            for name, tally in sorted(languages.items())
        )
        self._counted = IndexStatus(
            indexed_files=sum(count.files for count in counts), indexed_symbols=sum(count.symbols for count in counts),
            languages=counts, skipped={reason: count for reason, count in skipped.items() if count}, unknown=unknown,
            failed_files=failed, least_covered=least,
        )  # fmt: skip
        self._generation = generation
        return self._counted


def _by_extension(rows: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Files by extension, the most frequent first; names without one count under ''."""
    tally: Tally[str] = Tally()
    for ending, files in rows:
        plain = "/" in ending or not ending or len(ending) > MAX_EXTENSION
        tally["" if plain else f".{ending.lower()}"] += files
    return dict(tally.most_common(MAX_EXTENSIONS))


def _state(indexer: Indexer) -> tuple[str, str, str]:
    """(state, reason, remedy); the reason also tells what happened to the index since the start."""
    state, reason, remedy = _condition(indexer)
    return state, "; ".join(filter(None, (reason, *indexer.notes))), remedy


def _background(indexer: Indexer) -> str:
    """Why text, vectors and analyses wait, while there are any to be made."""
    return indexer.governor.reason if not indexer.text.done.is_set() or indexer.vectors.has_work else ""


def _condition(indexer: Indexer) -> tuple[str, str, str]:
    if indexer.failure:
        return "degraded", *indexer.failure
    mode, reason, remedy = indexer.watcher
    if not indexer.first_done.is_set():
        return ("indexing" if indexer.progress.total else "starting"), "", ""
    if mode == "off":
        otherwise = "answers say caught_up: false; `codeagentd index` catches up"
        return "degraded", f"changes are not seen: {reason}", remedy or otherwise
    if indexer.governor.is_full:
        return (
            "degraded",
            "the index is larger than limits.max_index_bytes: text and vectors are no longer added",
            "leave files out by .codeagentignore",
        )
    if (meaning := indexer.vectors.state).is_damaged:
        return "degraded", f"no search by meaning: {meaning.reason}", meaning.remedy
    return ("ready" if indexer.pending.caught_up else "indexing"), _slow(indexer.slow_files), ""


def _slow(files: int) -> str:
    """What is said of files that take long to read, while there are any."""
    they = "1 file takes long: it is" if files == 1 else f"{files} files take long: they are"
    return f"{they} read alone, when nothing else is to be done" if files else ""


def size_of(path: Path) -> int:
    """Bytes of a file; 0 without one."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _rss(pid: int) -> int:
    if sys.platform == "win32":
        return 0
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0

"""The state of the engine: the watermark of every answer, and the status that operators read."""

from __future__ import annotations

import msgspec

from codeagent_protocol.status import Coverage, FileCoverage

from .embedding import EmbeddingState


class Watermark(msgspec.Struct, frozen=True):
    """How fresh an answer is. `head` is the commit that HEAD names ('' without git)."""

    generation: int = 0
    head: str = ""
    caught_up: bool = False
    pending_files: int = 0


class Progress(msgspec.Struct, frozen=True):
    """How far long work is; `total` is 0 while unknown."""

    phase: str = "idle"
    done: int = 0
    total: int = 0


class LanguageCount(msgspec.Struct, frozen=True):
    """Coverage of one language."""

    language: str
    files: int
    symbols: int
    partial: int = 0
    failed: int = 0
    references: Coverage = Coverage()


class IndexStatus(msgspec.Struct, frozen=True):
    """The engine's share of `codeagentd status`. Times are unix seconds, sizes bytes; `skipped` maps a reason to a
    count, `unknown` an extension; `background` says why background work pauses, '' while it does not;
    `withheld_files` are without their text, which could not be searched for keys; `text_pending` files are still to be
    found by their text; `is_shared`: the database is one file with another worktree's.
    """

    state: str = "starting"
    reason: str = ""
    remedy: str = ""
    watermark: Watermark = Watermark()
    schema_version: int = 0
    indexed_files: int = 0
    indexed_symbols: int = 0
    languages: tuple[LanguageCount, ...] = ()
    skipped: dict[str, int] = {}
    unknown: dict[str, int] = {}
    failed_files: tuple[str, ...] = ()
    least_covered: tuple[FileCoverage, ...] = ()
    withheld_files: int = 0
    text_pending: int = 0
    queued: int = 0
    watcher: str = ""
    watcher_reason: str = ""
    progress: Progress = Progress()
    last_batch_at: float = 0.0
    last_batch_files: int = 0
    last_batch_s: float = 0.0
    database_bytes: int = 0
    is_shared: bool = False
    wal_bytes: int = 0
    blobs_bytes: int = 0
    embeddings: EmbeddingState = EmbeddingState()
    background: str = ""
    worker_pids: tuple[int, ...] = ()
    worker_rss_bytes: int = 0

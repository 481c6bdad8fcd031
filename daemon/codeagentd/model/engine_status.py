"""The state of the engine: the watermark of every answer, and the status that operators read."""

from __future__ import annotations

import msgspec

from codeagent_protocol.status import Coverage, FileCoverage, UnreadFile

from .embedding import EmbeddingState


class Watermark(msgspec.Struct, frozen=True):
    """The freshness of an answer, and what it is about. `head` is the commit that HEAD names ('' without git).

    `repository` is the name of the repository's folder, `worktree` that of a linked work tree's own folder. `branch` is
    '' where HEAD is detached, and unset without git. `dirty`: whether tracked files differ from `head`; unset where
    that is not known yet.
    """

    generation: int = 0
    head: str = ""
    caught_up: bool = False
    pending_files: int = 0
    repository: str | msgspec.UnsetType = msgspec.UNSET
    worktree: str | msgspec.UnsetType = msgspec.UNSET
    branch: str | msgspec.UnsetType = msgspec.UNSET
    dirty: bool | msgspec.UnsetType = msgspec.UNSET


class Progress(msgspec.Struct, frozen=True):
    """The progress of a long task; `total` is 0 while unknown. `rate`: how many a second lately, 0 while unknown."""

    phase: str = "idle"
    done: int = 0
    total: int = 0
    rate: float = 0.0


class LanguageCount(msgspec.Struct, frozen=True):
    """The coverage of one language: its files and symbols, those parsed partly or not at all, its references by
    result, and its tier.
    """

    language: str
    files: int
    symbols: int
    partial: int = 0
    failed: int = 0
    references: Coverage = Coverage()
    tier: str = ""


class IndexStatus(msgspec.Struct, frozen=True):
    """The engine's part of `codeagentd status`. Times are unix seconds, sizes bytes; `skipped` maps a reason to a
    count, `unknown` an extension to a count; `background` is the reason why background work pauses, '' while it runs;
    `unread_files` lists the first files that failed, or were skipped for what they contain, with the reason;
    `withheld_files` counts files without their text, which could not be searched for keys; `text_pending` counts files
    that full-text search cannot find yet; `is_shared`: the database file is shared with another worktree;
    `on_demand_files` counts the files of the on-demand index, 0 while there is none; `nested` are the folders of
    repositories inside of this one, whose files it does not have.
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
    unread_files: tuple[UnreadFile, ...] = ()
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
    on_demand_files: int = 0
    nested: tuple[str, ...] = ()

"""What a daemon says about itself: the JSON behind `codeagentd status --json`.

Every field has a default and unknown ones are skipped, so that a command line of any version can read a daemon of any other.
"""

from __future__ import annotations

import msgspec


class Progress(msgspec.Struct, frozen=True):
    """How far long work is; `total` is 0 while unknown."""

    phase: str = "idle"
    done: int = 0
    total: int = 0


class LanguageStatus(msgspec.Struct, frozen=True):
    """Coverage of one language. `partial` and `failed` count files whose parse was incomplete or impossible."""

    language: str = ""
    files: int = 0
    symbols: int = 0
    partial: int = 0
    failed: int = 0


class WindowStatus(msgspec.Struct, frozen=True):
    """One connected shim: its process, where it was started, which client speaks through it, since when, and how many requests it made."""

    pid: int = 0
    cwd: str = ""
    client: str = ""
    since_s: float = 0.0
    requests: int = 0


class BatchStatus(msgspec.Struct, frozen=True):
    """The last batch of files that was committed; `at` in unix seconds, 0 before the first."""

    at: float = 0.0
    files: int = 0
    seconds: float = 0.0


class EmbeddingStatus(msgspec.Struct, frozen=True):
    """How far semantic vectors are; `model` is '' without one."""

    model: str = ""
    count: int = 0
    pending: int = 0


class Status(msgspec.Struct, frozen=True):
    """The whole status. Sizes in bytes; `skipped` maps a reason to a number of files; `unknown` those of no known language by extension
    ('' without one); `rss_bytes` is the daemon's own process.
    """

    state: str = ""
    reason: str = ""
    remedy: str = ""
    pid: int = 0
    version: str = ""
    protocol: int = 0
    uptime_s: float = 0.0
    repo: str = ""
    head: str = ""
    generation: int = 0
    caught_up: bool = False
    pending_files: int = 0
    indexed_files: int = 0
    indexed_symbols: int = 0
    schema_version: int = 0
    languages: tuple[LanguageStatus, ...] = ()
    skipped: dict[str, int] = {}
    unknown: dict[str, int] = {}
    failed_files: tuple[str, ...] = ()
    queued: int = 0
    watcher: str = ""
    watcher_reason: str = ""
    progress: Progress = Progress()
    clients: int = 0
    windows: tuple[WindowStatus, ...] = ()
    dropped_frames: int = 0
    rss_bytes: int = 0
    worker_rss_bytes: int = 0
    workers: int = 0
    database_bytes: int = 0
    wal_bytes: int = 0
    blobs_bytes: int = 0
    last_batch: BatchStatus = BatchStatus()
    embeddings: EmbeddingStatus = EmbeddingStatus()

"""The daemon's report of its own state: the JSON behind `codeagentd status --json`.

Every field has a default and unknown ones are skipped, so that a command line of any version can read a daemon of any
other.
"""

from __future__ import annotations

import msgspec


class Progress(msgspec.Struct, frozen=True):
    """The progress of a long operation; `total` is 0 while unknown. `rate`: how many a second lately, 0 while
    unknown.
    """

    phase: str = "idle"
    done: int = 0
    total: int = 0
    rate: float = 0.0


class Coverage(msgspec.Struct, frozen=True):
    """The results of resolution for references: `resolved` in the repository, `external` outside of it. Open are those
    on receivers that are computed (`dynamic`) or of unknown type, and bare names that no visible scope binds.
    """

    resolved: int = 0
    external: int = 0
    dynamic: int = 0
    unknown_receiver: int = 0
    unbound: int = 0

    @property
    def total(self) -> int:
        """The number of all references."""
        return self.resolved + self.external + self.dynamic + self.unknown_receiver + self.unbound

    @property
    def settled(self) -> float:
        """The share, from 0 to 1, of references whose target is known, in the repository or outside. It is rounded down
        to thousandths; 1 without any references.
        """
        return (self.resolved + self.external) * 1_000 // self.total / 1_000 if self.total else 1.0


def percent(settled: float) -> int:
    """Return `settled`, a share from 0 to 1, as whole per cent, never rounded up: less than 100 unless the share is
    complete.
    """
    return round(settled * 1_000) // 10


class FileCoverage(msgspec.Struct, frozen=True):
    """The references of a file, and how many of them are open."""

    path: str = ""
    references: int = 0
    open: int = 0


class UnreadFile(msgspec.Struct, frozen=True):
    """A file of a known language that is not in the index, and the reason."""

    path: str = ""
    reason: str = ""


class LanguageStatus(msgspec.Struct, frozen=True):
    """Coverage of one language. `partial` and `failed` count files whose parse was incomplete or impossible; `tier`
    says how much is known of the language: deep, good, generic or text.
    """

    language: str = ""
    files: int = 0
    symbols: int = 0
    partial: int = 0
    failed: int = 0
    references: Coverage = Coverage()
    tier: str = ""


class WindowStatus(msgspec.Struct, frozen=True):
    """One connected shim: its process, its start directory, the client that speaks through it, the time of its start,
    and the number of requests it made.
    """

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
    """The progress of semantic vectors; `model` is '' without a model.

    `state`: off | resting (it wakes with the next question) | loading | ready | absent. At most `budget` symbols (0:
    all) of the `eligible` ones that may have a vector get one, the most referenced first.
    """

    model: str = ""
    count: int = 0
    pending: int = 0
    state: str = ""
    reason: str = ""
    remedy: str = ""
    budget: int = 0
    eligible: int = 0

    @property
    def is_limited(self) -> bool:
        """Whether symbols have no vector because the budget has no place for them."""
        return 0 < self.budget < self.eligible


class Status(msgspec.Struct, frozen=True):
    """The whole status. Sizes are in bytes. `skipped` maps a reason to a number of files. `unknown` counts the files of
    no known language by extension ('' without one). `rss_bytes` is the memory of the daemon's own process.
    `background`: why background work pauses. `previous`: why the daemon before this one left by itself. `http`: the
    address where it listens for HTTP, '' where it does not. `is_shared`: the database is the same file as another
    worktree's. `withheld_files` are found by their path and names alone, because their text could not be searched for
    keys. `text_pending` files are found so for now, because their text is still being indexed.
    `on_demand_files` were indexed because questions asked for them, before the first index is there. `branch` is the
    one that is checked out, '' where there is none; `worktree` the name of a linked work tree's folder, '' for the main
    one. `dirty`: whether tracked files differ from `head`; None where that is not known. `nested`: folders of
    repositories inside of this one, whose files are not in its index.
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
    unread_files: tuple[UnreadFile, ...] = ()
    least_covered: tuple[FileCoverage, ...] = ()
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
    is_shared: bool = False
    wal_bytes: int = 0
    blobs_bytes: int = 0
    last_batch: BatchStatus = BatchStatus()
    embeddings: EmbeddingStatus = EmbeddingStatus()
    background: str = ""
    previous: str = ""
    http: str = ""
    withheld_files: int = 0
    text_pending: int = 0
    on_demand_files: int = 0
    branch: str = ""
    worktree: str = ""
    dirty: bool | None = None
    nested: tuple[str, ...] = ()

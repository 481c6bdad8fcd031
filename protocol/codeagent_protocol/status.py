"""What a daemon says about itself: the JSON behind `codeagentd status --json`.

Every field has a default and unknown ones are skipped, so that a command line of any version can read a daemon of any
other.
"""

from __future__ import annotations

import msgspec


class Progress(msgspec.Struct, frozen=True):
    """How far long work is; `total` is 0 while unknown."""

    phase: str = "idle"
    done: int = 0
    total: int = 0


class Coverage(msgspec.Struct, frozen=True):
    """What became of references: `resolved` in the repository, `external` outside of it; open are those on receivers
    that are computed (`dynamic`) or of unknown type, and bare names that nothing in sight binds.
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
        """The share of which is known where it leads, in the repository or outside, in thousandths and never rounded
        up; 1 without any.
        """
        return (self.resolved + self.external) * 1_000 // self.total / 1_000 if self.total else 1.0


def percent(settled: float) -> int:
    """A share in thousandths as whole per cent, never rounded up: what is not settled in full has less than 100."""
    return round(settled * 1_000) // 10


class FileCoverage(msgspec.Struct, frozen=True):
    """The references of a file, and how many of them are open."""

    path: str = ""
    references: int = 0
    open: int = 0


class LanguageStatus(msgspec.Struct, frozen=True):
    """Coverage of one language. `partial` and `failed` count files whose parse was incomplete or impossible."""

    language: str = ""
    files: int = 0
    symbols: int = 0
    partial: int = 0
    failed: int = 0
    references: Coverage = Coverage()


class WindowStatus(msgspec.Struct, frozen=True):
    """One connected shim: its process, where it was started, which client speaks through it, since when, and how many
    requests it made.
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
    """How far semantic vectors are; `model` is '' without one.

    `state`: off | resting (it wakes when it is asked) | loading | ready | absent.
    """

    model: str = ""
    count: int = 0
    pending: int = 0
    state: str = ""
    reason: str = ""
    remedy: str = ""


class Status(msgspec.Struct, frozen=True):
    """The whole status. Sizes in bytes; `skipped` maps a reason to a number of files; `unknown` those of no known
    language by extension ('' without one); `rss_bytes` is the daemon's own process; `background`: why background work
    pauses; `previous`: why the daemon before this one left by itself; `http`: where it listens for HTTP, ''
    where it does not; `is_shared`: the database is one file with another worktree's; `withheld_files` are found by
    their path and names alone, because their text could not be searched for keys; `text_pending` ones so far only,
    because their text is still being indexed.
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

"""Maintenance of an index's files: memory and disk space, corruption, and the separation from a file that is shared
with another worktree.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codeagent_protocol.locks import FileLock, holder_line
from codeagentd.base.malloc import return_free_memory
from codeagentd.store.connection import WAL_LIMIT_BYTES, Database
from codeagentd.store.fts_merge import Segments
from codeagentd.store.opening import LOOKS, examine
from codeagentd.store.seeding import detach_file, unlink_shared

from .index_counts import size_of

AGAIN_S: Final = 60.0  # seconds between two attempts to detach from a shared file: on a full disk none of them succeeds
# seconds after which no reader can still be using the file that was left: an analysis may take 120, a call less
READ_S: Final = 300.0


# a log this much shorter than its file is not worth a copy of the file
LOG_SHARE: Final = 64


class Occupied(Exception):
    """Raised when another process writes this index."""


class IndexMaintenance:
    """Maintains the files of one index. Used by the indexer's thread."""

    def __init__(self, index: Path, blobs: Path) -> None:
        self._index, self._blobs = index, blobs
        self._suspects: list[Path] = []  # files that look corrupt, and how often they have since one was
        self._suspicions = 0
        self._tried_at = -AGAIN_S
        self._left_at = 0.0
        self._segments = Segments()
        self._lock = FileLock(str(index.with_suffix(".lock")))
        unlink_shared(index)  # its readers were the last daemon's

    def take_ownership(self) -> None:
        """Become the only process that writes this index, until `release_ownership`. A file system without locks cannot
        ensure that.

        Errors: Occupied, OSError.
        """
        if self._lock.is_held and self._lock.is_in_place():
            return
        self._lock.release()
        self._index.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            is_ours = self._lock.try_take()
        except OSError:
            return
        if not is_ours:
            raise Occupied(f"process {holder_line(self._lock.path) or 'unknown'} writes it")
        self._lock.write(str(os.getpid()))

    def release_ownership(self) -> None:
        """Let other processes write the index."""
        self._lock.release()

    def checkpoint(self, *databases: Database, truncate: bool = False) -> bool:
        """Fold the write-ahead logs into `databases`, and free memory and disk space. Returns False where a reader
        prevented that, so that it has to be done again soon. `truncate`: also empty the logs.
        """
        for database in databases:
            database.fold(truncate=truncate)
            database.shrink()
        return_free_memory()
        return databases[0].is_shared or self._log_bytes() <= WAL_LIMIT_BYTES

    def merge(self, database: Database) -> bool:
        """Merge some segments of the full-text indexes in `database`. Returns False where nothing is left to merge, or
        the file is shared with another worktree.
        """
        return not database.is_shared and self._segments.merge(database)

    def report_corruption(self) -> None:
        """Record that a file looks corrupt to one of its users."""
        self._suspects = [self._index, self._blobs]
        self._suspicions += 1

    def examine(self) -> Iterator[str]:
        """Check the files that look corrupt, and set those aside that are. Yields a note for operators on each of
        these.

        Errors: those of UNUSABLE; the rest is then left for the next time.
        """
        is_believed = self._suspicions > LOOKS
        while self._suspects:
            if note := examine(self._suspects[0], is_believed=is_believed):
                yield note
            self._suspects.pop(0)
        self._suspicions = 0 if is_believed else self._suspicions

    def should_detach(self, database: Database) -> bool:
        """Whether the index should continue in a file of its own. That is so when its log has become long, also for a
        file of its size, or when it keeps the other index of a shared file from folding its log.
        """
        longest = max(WAL_LIMIT_BYTES, size_of(self._index) // LOG_SHARE)
        return self.may_detach(database) and (database.blocks_second_name or self._log_bytes() > longest)

    def may_detach(self, database: Database) -> bool:
        """Whether the index shares its file, and no attempt to detach it was made recently."""
        return database.is_shared and time.monotonic() - self._tried_at > AGAIN_S

    def release_shared_file(self) -> None:
        """Remove the second name of the shared file, some time after the index was detached from it."""
        if self._left_at and time.monotonic() - self._left_at > READ_S:
            unlink_shared(self._index)
            self._left_at = 0.0

    def detach_shared_file(self, database: Database) -> None:
        """Copy the index into a file of its own, and close `database`. Errors: apsw.Error, OSError."""
        self._tried_at = time.monotonic()
        detach_file(database, self._index)
        self._left_at = time.monotonic()

    def _log_bytes(self) -> int:
        return size_of(Path(f"{self._index}-wal"))

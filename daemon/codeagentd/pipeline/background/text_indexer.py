"""The text indexer: updates text search after the index, a few files at a time, when nothing is more urgent, on the
indexer's thread.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from codeagentd.base import failpoints
from codeagentd.base.malloc import return_free_memory
from codeagentd.pipeline.workers.chunker import Chunker, Piece, withheld_files
from codeagentd.pipeline.workers.messages import ChunkJob
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.secrets.scanner import detectors
from codeagentd.store.connection import CORRUPT, Database

from .file_dependencies import write_links
from .governor import Governor

LEAST_S: Final = 0.3  # seconds that each question waits: a save's text takes less
LONG_S: Final = 10.0  # seconds after which text that is still behind has minutes to go, and no question waits for it

log = logging.getLogger("codeagentd.indexer")


class TextWriter:
    """Keeps the text index up to date.

    `done` is set while text search has everything that the index has; any thread may wait for it.
    """

    def __init__(self, root: Path, pool: Pool, governor: Governor) -> None:
        self.done = threading.Event()
        self._root, self._pool, self._governor = root, pool, governor
        self._wanted_at: float | None = None  # since when a request waits: it is then no background work
        self.withheld = 0  # files without their text, which could not be searched for keys
        self._has_cut = False  # workers have cut files since the text index was last whole
        self._databases: tuple[Database, Database]
        self._chunker: Chunker

    def open(self, index: Database, facts: Database) -> None:
        """Use `index` (index.db) and `facts` (blobs.db) from now on."""
        self._databases = (index, facts)
        self._chunker = Chunker(index, self._root, self._cut_files, self._make_room)
        self.withheld = withheld_files(index)

    def request(self) -> bool:
        """Note that a request waits for text search. Return True only if text search is behind and no other request
        waits yet. From any thread.
        """
        if self.done.is_set() or self._wanted_at is not None:
            return False
        self._wanted_at = time.monotonic()
        if self.done.is_set():  # meanwhile
            self._wanted_at = None
        return self._wanted_at is not None

    def wait(self, patience_s: float) -> bool:
        """Wait until text search is up to date, from any thread; return whether it is. `patience_s` counts from the
        first request that waits, so that later requests do not wait for the whole time again; each waits at least
        LEAST_S, until text has been behind for long.
        """
        now = time.monotonic()
        since = self._wanted_at or now
        least = LEAST_S if now - since < LONG_S else 0.0
        return self.done.wait(max(min(least, patience_s), since + patience_s - now))

    @property
    def may_work(self) -> bool:
        """Whether there is text to index, and it may be indexed now."""
        return (
            not self.done.is_set()
            and not detectors.is_loading
            and (self._wanted_at is not None or self._governor.is_full or self._governor.may_work())
        )

    def step(self) -> None:
        """Index the text of a few files, so that changes need not wait for long. Errors: CORRUPT."""
        try:
            if self._governor.is_full:
                self._finish()
            elif self._chunker.work():
                failpoints.point("index.text")
            else:
                self._end_cutting()
                if not write_links(self._databases[0]):
                    self.withheld = withheld_files(self._databases[0])
                    self._finish()
        except CORRUPT:
            raise
        except Exception:  # a full disk, for example: the next batch meets and handles the same error
            log.exception("text cannot be indexed")
            self._finish()

    def _cut_files(self, files: Sequence[tuple[int, str]]) -> Iterator[tuple[int, list[Piece] | None]]:
        if not self._has_cut:
            self._pool.reap(remaining=1)
        self._has_cut = True
        jobs = [ChunkJob(file, path) for file, path in files]
        return ((done.file, done.pieces) for done in self._pool.chunk(jobs, gives_way=self._wanted_at is None))

    def _make_room(self) -> bool:
        """Free memory for the scanner of issuers' rules. Returns whether the rules are loaded. Loading takes half a
        second, and four seconds the first time.
        """
        if detectors.is_loading:
            return False
        self._pool.reap()
        if not detectors.pids:
            gc.collect()
        for database in self._databases:
            database.shrink()
        return_free_memory()
        return detectors.prepare()

    def _end_cutting(self) -> None:
        if self._has_cut:
            self._pool.reap()  # saves need no worker for their text, and these may have low priority
            detectors.end()
        self._has_cut = False

    def _finish(self) -> None:
        self._end_cutting()
        self._wanted_at = None
        self.done.set()

"""The databases of one index: opened, created again when they are damaged or lost, and closed."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from pathlib import Path

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base import failpoints
from codeagentd.pipeline.changes.pending_changes import PendingChanges
from codeagentd.store.connection import CORRUPT, Database, ReaderPool
from codeagentd.store.opening import UNUSABLE, open_disposable

from .index_maintenance import IndexMaintenance, Occupied
from .index_startup import Start, begin, mark_stale
from .indexer_state import IndexerState

log = logging.getLogger("codeagentd.indexer")

READERS = 4  # connections: as many as tool calls run at once
RETRY_S = 2.0  # seconds until an index that could not be opened or written is tried again


class IndexDatabases:
    """The connections to an index: the readers', and the writer's connections to index.db and blobs.db.

    The indexer's thread opens, uses and closes the writer's connections; any thread may report damage and loss.
    """

    def __init__(
        self, index: Path, blobs: Path, changes: PendingChanges, state: IndexerState, start: Start,
        make_folders: Callable[[], object],
    ) -> None:  # fmt: skip
        self.readers = ReaderPool(index, READERS, self.note_damage)
        self.maintenance = IndexMaintenance(index, blobs)
        self._paths = {"index": index, "blobs": blobs}
        self._changes = changes
        self._state = state
        self._start = start
        self._make_folders = make_folders
        self._index: Database | None = None
        self._facts: Database | None = None
        self._is_damaged = False  # a reader has met damage
        self._is_lost = False  # files of it have been removed

    @property
    def index(self) -> Database:
        """The writer's connection to index.db."""
        assert self._index is not None, "the databases are open"
        return self._index

    @property
    def facts(self) -> Database:
        """The writer's connection to blobs.db."""
        assert self._facts is not None, "the databases are open"
        return self._facts

    @property
    def folder(self) -> Path:
        """The folder of index.db."""
        return self._paths["index"].parent

    def has_index(self) -> bool:
        """Whether there is an index on the disk."""
        return self._paths["index"].exists()

    # -- from any thread
    @property
    def is_lost(self) -> bool:
        """Whether a file of the index was removed, or another one is in its place."""
        return any(database is not None and database.is_lost for database in (self._index, self._facts))

    def note_loss(self) -> None:
        """Record that a file of the index is lost: until the index is built again, it has not caught up."""
        if not self._is_lost:
            self._is_lost = True
            self._changes.note(set(), rescan=True)

    def note_damage(self) -> None:
        """Record that the index looks corrupt to a reader."""
        self._is_damaged = True
        self._changes.wake()

    # -- from the indexer's thread
    @property
    def must_be_rebuilt(self) -> bool:
        """Whether the next `open` has to build the index again, because one of its files is gone."""
        return self._is_lost or self.is_lost

    @property
    def must_be_checked(self) -> bool:
        """Whether the files have to be examined, because a reader found them corrupt."""
        return self._is_damaged

    def report_loss(self) -> None:
        """Have the lost files created again by the next `open`."""
        self._is_lost = True

    def report_damage(self) -> None:
        """Have the files examined by the next `open`; no reader uses them until then."""
        self._is_damaged = False
        self.readers.retire()
        self.maintenance.report_corruption()

    def open(self, stopping: threading.Event, begin_with: Callable[[], None]) -> bool:
        """Open the databases and call `begin_with`, waiting until there is room on the disk. Return False if `stopping`
        was set before that.
        """
        while not stopping.is_set():
            try:
                self._open()
                begin_with()
                mark_stale(self.index, self._paths["index"], self._start)
                self._state.failure, self._is_lost = None, False
                return True
            # also a file that looked sound a moment before, and parts that the first check did not read
            except CORRUPT:
                log.error("the index looks corrupt at its opening")
                self.maintenance.report_corruption()
                self.close()
            except Occupied as error:
                self._state.failure = (
                    f"the index is another daemon's, which has another CODEAGENT_RUNTIME_DIR: {error}",
                    "stop that one, or give one of them a CODEAGENT_CACHE_DIR of its own; it goes on by itself",
                )
                stopping.wait(RETRY_S)
            except (OSError, EngineUnavailable, *UNUSABLE) as error:
                log.error("cannot open the index", extra={"facts": {"error": type(error).__name__}})
                where = self._paths["index"].parent
                self._state.failure = (
                    f"the index cannot be opened ({error})",
                    f"make {where} a directory that you can write, with room on its disk; it goes on by itself",
                )
                stopping.wait(RETRY_S)
        return False

    def _open(self) -> None:
        if self._is_lost:
            self._make_folders()
        self.maintenance.take_ownership()
        for note in self.maintenance.examine():
            self._state.notes.append(note)
        begin(self._paths["index"], self._start)
        self._facts, note = open_disposable(self._paths["blobs"], "blobs")
        self._index, other = open_disposable(self._paths["index"], "index")
        self._state.notes += [text for text in (note, other) if text]
        self.readers.renew()

    def detach_shared_file(self) -> None:
        """Give the index a file of its own, if it shares one with another worktree. The writer's connection to it is
        closed.
        """
        self.maintenance.detach_shared_file(self.index)

    def close(self) -> None:
        """Close the writer's connections, to open them again."""
        index, facts, self._index, self._facts = self._index, self._facts, None, None
        for database in (index, facts):
            if database is not None:
                database.close()

    def end(self) -> None:
        """Fold the logs into the databases, close these, and let other processes write the index."""
        for database in (self._index, self._facts):
            if database is not None:
                failpoints.point("stop.checkpoint")
                with contextlib.suppress(*UNUSABLE, *CORRUPT):  # the log stays, and has the same content
                    database.fold(truncate=True)
                database.close()
        self._index = self._facts = None
        self.maintenance.release_ownership()

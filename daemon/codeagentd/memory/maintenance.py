"""Background maintenance of the memory database: missing vectors and anchors, a daily copy, and the removal of entries
that were deleted 90 days ago.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.base.log import EventLog
from codeagentd.store.backups import backup, backups_of

from .anchors import anchor_late
from .memory_store import Code, MemoryStore
from .vectors import catch_up
from .write import KEPT_DAYS

LOOK_S: Final = 5.0  # seconds between two checks, so that a new model is used soon
MOST_LOOK_S: Final = 30.0  # the pauses grow to this while there is no work, so that idle daemons sleep
DAY_S: Final = 86_400.0
DAILY: Final = "daily"
DAILY_COPIES: Final = 3  # daily copies that are kept; copies made before a migration or by hand stay too
CALLS_DAYS: Final = 7  # days that a record of a call is kept: no client resends a call after a week
AT_ONCE: Final = 500  # memories that are removed in one transaction

_log = EventLog(__name__)


class MaintenanceThread:
    """The thread that maintains the memory database. It never keeps the process alive."""

    def __init__(self, memories: MemoryStore, code: Callable[[], Code]) -> None:
        """Prepare the thread. `code` returns the repository's present code."""
        self._memories = memories
        self._code = code
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memory-upkeep", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current step."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        due, pause_s, model, last_warning = 0.0, LOOK_S, "", ""
        while not self._stopping.wait(pause_s):
            pause_s = min(MOST_LOOK_S, pause_s * 2)
            try:
                if not self._memories.store.is_there:
                    continue  # there is no database of memories yet, or its server is away
                # the status reports the fault until a write succeeds
                if time.monotonic() >= due or self._memories.store.trouble:
                    due = time.monotonic() + DAY_S / 24
                    forget(self._memories, time.time())
                    copy_daily(self._memories, time.time())
                if anchor_late(self._memories, self._code()) or model != self._memories.embedder.model:
                    pause_s, model = LOOK_S, self._memories.embedder.model
                fill(self._memories, self._stopping)
                last_warning = ""
            except CodedError as error:
                if last_warning != error.message:
                    _log.warning("memories are not kept up", why=error.message)
                last_warning = error.message
            except Exception as error:  # noqa: BLE001 - a model in trouble, a full disk: the next look meets it again
                _log.error("upkeep of memories failed", error)


def fill(memories: MemoryStore, stopping: threading.Event | None = None) -> None:
    """Compute the missing vectors of memories; end early when `stopping` is set."""
    number = catch_up(memories, memories.embedder, 0)
    while number and not (stopping and stopping.is_set()):
        number = catch_up(memories, memories.embedder, number)


def forget(memories: MemoryStore, now: float) -> None:
    """Remove the memories deleted, and the audit entries written, long enough before `now`."""
    before = now - KEPT_DAYS * DAY_S
    with memories.store.write() as db:
        db.run("memory.forget_history", (before,))
        db.run("memory.forget_calls", (now - CALLS_DAYS * DAY_S,))
        gone = [number for (number,) in db.all("memory.forgettable", (before, AT_ONCE))]
        for number in gone:
            db.run("memory.forget_links", (number, number))
            db.run("anchors.forget", (number,))
            db.run("memory.forget", (number,))
        if gone:
            db.run("recall.forget_vectors")


def copy_daily(memories: MemoryStore, now: float) -> None:
    """Make today's copy, unless there is one, and remove all but the latest daily copies. `now`: in unix seconds."""
    path = memories.store.file
    if path is None:
        return  # a server has backups of its own
    backups = backups_of(path)
    if backups and now - backups[0].stat().st_mtime < DAY_S:
        return
    with memories.store.read():  # opening it fails for a damaged database, which must not be copied
        backup(path, DAILY)
    for old in [file for file in backups_of(path) if file.stem.endswith(f"-{DAILY}")][DAILY_COPIES:]:
        with contextlib.suppress(FileNotFoundError):
            old.unlink()

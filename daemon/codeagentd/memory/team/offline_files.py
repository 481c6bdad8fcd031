"""The files of a user of a team's server for the time while that is away: the writes that wait for it, and copies of
memories that this machine has written or seen.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.store.durable_database import DurableStore

OUTBOX: Final = "outbox.db"
COPIES: Final = "copies.db"
MOST_SEEN: Final = 1_000  # memories that wait to be copied
SENDING: Final = "sending"  # locked by the process that sends


class Waiting(NamedTuple):
    """How many writes wait for the server, how many it refused, and since when the oldest waits (0: none)."""

    operations: int = 0
    refused: int = 0
    since: float = 0.0


class QueuedOperation(NamedTuple):
    """The columns of the statement outbox.next."""

    number: int
    session: bytes
    seq: int
    operation: bytes


class OfflineFiles:
    """The two databases in `folder`, shared by the daemons of all repositories of a user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.copies = DurableStore(folder / COPIES, "memory")
        self._seen: deque[str] = deque(maxlen=MOST_SEEN)  # ids of memories that are to be copied
        self._outbox = DurableStore(folder / OUTBOX, "outbox")

    def note_seen(self, ids: Iterable[str]) -> None:
        """Note memories of the server that are to be copied soon."""
        self._seen.extend(ids)

    def take_seen(self, limit: int) -> list[str]:
        """Return at most `limit` of the memories that were noted, each once, the last first; they are noted no more."""
        ids: dict[str, None] = {}
        with contextlib.suppress(IndexError):
            while len(ids) < limit:
                ids[self._seen.pop()] = None
        return list(ids)

    def waiting(self) -> Waiting:
        """Return what waits for the server. Errors: db_error."""
        if not self._outbox.is_there:
            return Waiting()
        with self._outbox.read() as db:
            row = db.row("outbox.counts")
        return Waiting(row[0], row[1], row[2] or 0.0) if row else Waiting()

    def put(self, session: bytes, seq: int, operation: bytes) -> None:
        """Add an operation behind the others; it is on the disk when this returns. Errors: db_error."""
        with self._outbox.write() as db:
            db.run("outbox.put", (session, seq, operation, time.time()))

    def first(self) -> QueuedOperation | None:
        """Return the operation that is to be sent next."""
        if not self._outbox.is_there:
            return None
        with self._outbox.read() as db:
            row = db.row("outbox.next")
        return QueuedOperation(*row) if row else None

    def remove(self, number: int) -> None:
        """Remove an operation that the server has done."""
        with self._outbox.write() as db:
            db.run("outbox.remove", (number,))

    def refuse(self, number: int, reason: str) -> None:
        """Set an operation aside that the server will not do."""
        with self._outbox.write() as db:
            db.run("outbox.refuse", (reason, number))

    def retry_refused(self) -> None:
        """Let the operations that were set aside wait again."""
        if self._outbox.is_there:
            with self._outbox.write() as db:
                db.run("outbox.retry")

    def refused(self) -> list[tuple[float, bytes, str]]:
        """Return the operations that were set aside: (unix seconds, operation, reason)."""
        if not self._outbox.is_there:
            return []
        with self._outbox.read() as db:
            return [(at, operation, reason) for at, operation, reason in db.all("outbox.refused")]

    def close(self) -> None:
        """Close both databases; they are opened again when needed."""
        self._outbox.close()
        self.copies.close()

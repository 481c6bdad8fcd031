"""Requests of index_files: a client asks for certain files now; the rows and the record of the answer are one
transaction.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from codeagent_protocol.errors import INDEX_ERROR, INVALID_PARAMETER, NOT_FOUND, EngineUnavailable
from codeagentd.base import failpoints
from codeagentd.pipeline.batch.batch_writer import BatchWriter
from codeagentd.pipeline.changes.change_scan import left_out
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.pipeline.workers.messages import POSTPONED, Extracted
from codeagentd.scan.ignore import IgnoreRules
from codeagentd.scan.walk import look
from codeagentd.store.connection import Database

PATIENCE_S = 30.0  # seconds for up to 100 files


class FileRequests:
    """The index_files calls that wait for the indexer's thread. `wake` makes the thread check for them."""

    def __init__(self, first_done: threading.Event, wake: Callable[[], None]) -> None:
        self._first_done, self._wake = first_done, wake
        self._queue: deque[Request] = deque()

    # -- from the indexer's thread
    def __len__(self) -> int:
        return len(self._queue)

    @property
    def first(self) -> Request | None:
        """The request that waits longest; None where none waits."""
        return self._queue[0] if self._queue else None

    def drop_first(self) -> None:
        """Remove the first request, after it was answered."""
        self._queue.popleft()

    def close(self) -> None:
        """Release the waiting requests without an answer."""
        for request in self._queue:
            request.done.set()

    # -- from other threads

    def run(self, paths: list[str], session: bytes, seq: int) -> dict[str, Any]:
        """Index `paths` on the indexer's thread, and return the answer: {"indexed": how many, "errors": [...]}; see
        IndexingEngine.index_files.
        """
        if not self._first_done.wait(PATIENCE_S):
            raise EngineUnavailable(
                "the first index is still being made", remedy="ask get_status, and try again when it is ready"
            )
        request = Request(paths, session, seq)
        self._queue.append(request)
        self._wake()
        if not request.done.wait(PATIENCE_S):
            raise EngineUnavailable(
                "the writer did not answer in time",
                remedy="ask get_status; the files are indexed anyway as soon as it can",
            )
        if request.answer is None:
            raise EngineUnavailable("the engine is shutting down", remedy="call again: the daemon comes back by itself")
        answer: dict[str, Any] = msgspec.json.decode(request.answer)
        return answer


class Request:
    """One index_files call on its way to and from the indexer's thread."""

    def __init__(self, paths: list[str], session: bytes, seq: int) -> None:
        self.paths = paths
        self.session = session
        self.seq = seq
        self.done = threading.Event()
        self.answer: bytes | None = None

    def fulfil(self, root: Path, rules: IgnoreRules, database: Database, writer: BatchWriter) -> None:
        """Index the request's files, exactly once, and record the answer; on the indexer's thread. Files that the
        ignore rules leave out are refused.
        """
        if self.session:
            self.answer = database.value("writer.written", (self.session, self.seq))
        if self.answer is None:
            result = look(root, self.paths).files
            gone = {path for path in self.paths if path not in result}
            refused = left_out(root, rules, result)
            plan = Plan(tuple(sorted(result.keys() - refused)), tuple(sorted(gone)))
            writer.run(plan, result, lambda outcomes: self._record(database, outcomes, refused))
        failpoints.point("write.indexed")
        self.done.set()

    def _record(self, database: Database, outcomes: list[Extracted], refused: set[str]) -> None:
        """Record the outcome of the files, inside the transaction that writes their rows."""
        by_path = {outcome.path: outcome for outcome in outcomes}
        errors = [
            _refusal(path) if path in refused else error
            for path in self.paths
            if (error := _error(path, by_path.get(path))) or path in refused
        ]
        self.answer = msgspec.json.encode({"indexed": len(self.paths) - len(errors), "errors": errors})
        if self.session:
            database.run("writer.put_write", (self.session, self.seq, self.answer, int(time.time())))


def _refusal(path: str) -> dict[str, str]:
    return {
        "path": path,
        "code": INVALID_PARAMETER,
        "message": f"{path!r} is not indexed: it is left out of the index by an ignore rule",
    }


def _error(path: str, outcome: Extracted | None) -> dict[str, str] | None:
    if outcome is None or outcome.status in ("full", "partial"):
        return None
    if outcome.status == "gone":
        return {
            "path": path,
            "code": NOT_FOUND,
            "message": "there is no such file; what the index had of it was removed",
        }
    later = "; it is read again, with more time, when nothing else is to be done" if outcome.status == POSTPONED else ""
    return {"path": path, "code": INDEX_ERROR, "message": f"{outcome.status}: {outcome.reason}{later}"}

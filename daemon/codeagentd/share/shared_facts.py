"""The facts of a store, for the daemon: before many files are read, a process pulls what the store has of them.

Whatever the store does, the index is made: what is not there in time is extracted here.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.child_process import ChildProcess, module_command
from codeagentd.base.log import EventLog
from codeagentd.base.paths import read_regular
from codeagentd.pipeline.workers.messages import Job

from .identity import SharedFile
from .pull import PullReport, PullRequest
from .pull_process import Ended, FactsAreThere, PullMessage, PullProgress, decoder

LEAST_FILES: Final = 100  # to be read: fewer are extracted before a store has answered
STALL_S: Final = 15.0  # without a sign of life the process is ended
# in all, and for each file: extraction takes ten times that
LONGEST_S: Final = 30.0
LONGEST_FILE_S: Final = 0.003
RECORD: Final = "share.json"
MAX_RECORD_BYTES: Final = 100_000

_log = EventLog(__name__)


class SharedFacts:
    """Pulls facts into blobs.db. `request`: the parameters of every pull; the files are filled in."""

    def __init__(self, request: PullRequest) -> None:
        self._request = request
        self._process: ChildProcess | None = None
        self._lock = threading.Lock()
        self._closed = False

    def bring(self, jobs: Sequence[Job], on_progress: Callable[[int, int], None]) -> None:
        """Have blobs.db filled with what the store has of `jobs`, files that are about to be read. Returns when the
        facts are there, or will not come; vectors follow in the background. Never raises for what a store does.
        """
        if len(jobs) < LEAST_FILES:
            return
        before = last_report(Path(self._request.blobs))
        if before is not None and before.refused and before.url == self._request.url:
            _log.warning("the store is not used", reason=before.refused)
            return
        files = [SharedFile(job.path, job.language, dict(job.openings)) for job in jobs]
        try:
            process = self._start(msgspec.structs.replace(self._request, files=files))
        except OSError as error:
            _log.warning("the pull did not start", reason=str(error))
            return
        if process is not None and self._is_followed(process, time.monotonic() + self._patience_s(files), on_progress):
            threading.Thread(target=self._follow_vectors, args=(process,), name="shared vectors", daemon=True).start()

    def close(self) -> None:
        """End the running pull; none begins any more."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    @staticmethod
    def _patience_s(files: Sequence[SharedFile]) -> float:
        return LONGEST_S + LONGEST_FILE_S * len(files)

    def _start(self, request: PullRequest) -> ChildProcess | None:
        with self._lock:
            if self._closed:
                return None
            self._process = ChildProcess(module_command("codeagentd.share.pull_process"))
            process = self._process
        with contextlib.suppress(BrokenPipeError):
            process.send(msgspec.msgpack.encode(request))
        process.close_input()
        return process

    def _is_followed(self, process: ChildProcess, until: float, on_progress: Callable[[int, int], None]) -> bool:
        """Wait for the facts. Returns whether the process goes on, with vectors."""
        while True:
            message = _next(process, min(STALL_S, until - time.monotonic()))
            if isinstance(message, PullProgress):
                on_progress(message.done, message.total)
            elif isinstance(message, FactsAreThere):
                return True
            else:
                self._end(process, message)
                return False

    def _follow_vectors(self, process: ChildProcess) -> None:
        message: PullMessage | None = PullProgress(0, 0)
        while isinstance(message, PullProgress):
            message = _next(process, STALL_S)
        self._end(process, message)

    def _end(self, process: ChildProcess, message: PullMessage | None) -> None:
        process.end()
        report = (
            message.report
            if isinstance(message, Ended)
            else PullReport(
                self._request.url,
                time.time(),
                trouble="the store did not answer in time, or the pull ended by itself",
                remedy="`codeagentd share pull` tries it again, `codeagentd logs` may say more",
            )
        )
        save_report(Path(self._request.blobs), report)
        if report.refused or report.trouble:
            _log.error("facts of the store", reason=report.refused or report.trouble)
        else:
            _log.info("facts of the store", facts=report.facts, files=report.files, bytes=report.bytes)


def _next(process: ChildProcess, seconds: float) -> PullMessage | None:
    """Return the next message of the process, which is killed after `seconds`; None once it has ended."""
    with process.killed_after(max(0.0, seconds)):
        data = process.receive()
    message: PullMessage | None = None
    with contextlib.suppress(msgspec.MsgspecError):
        message = decoder.decode(data)
    return message


def last_report(blobs: Path) -> PullReport | None:
    """Return the report of the last pull into `blobs`; None where there was none."""
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(read_regular(blobs.with_name(RECORD), MAX_RECORD_BYTES) or b"", type=PullReport)
    return None


def save_report(blobs: Path, report: PullReport) -> None:
    """Save the report of a pull beside `blobs`; on a full disk the old one stays."""
    part = blobs.with_name(f".{RECORD}")
    with contextlib.suppress(OSError):
        part.write_bytes(msgspec.json.encode(report))
        part.replace(blobs.with_name(RECORD))

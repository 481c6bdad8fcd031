"""The facts of a store, for the daemon: before many files are read, a process pulls what the store has of them.

Whatever the store does, the index is made: what is not there in time is extracted here.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.child_process import ChildProcess, module_command
from codeagentd.base.log import EventLog
from codeagentd.base.paths import read_regular

from .pull_messages import Ended, FactsAreThere, PullMessage, PullProgress, PullReport, PullRequest, decoder

LEAST_FILES: Final = 100  # to be read: fewer are extracted before a store has answered
STALL_S: Final = 15.0  # without a sign of life the process is ended
# in all, and for each file: extraction takes ten times that
LONGEST_S: Final = 30.0
LONGEST_FILE_S: Final = 0.003
RECORD: Final = "share.json"
MAX_RECORD_BYTES: Final = 100_000

_log = EventLog(__name__)


class SharedFacts:
    """Pulls facts into blobs.db, as `request` says."""

    def __init__(self, request: PullRequest) -> None:
        self._request = request
        self._process: ChildProcess | None = None
        self._is_ahead = False  # a pull was started before anybody asked for its facts
        self._lock = threading.Lock()
        self._closed = False
        self._notice = ""

    @property
    def notice(self) -> str:
        """See FactsSource."""
        return self._notice

    def start(self) -> None:
        """Begin to pull, for a first index that will soon ask for the facts."""
        self._is_ahead = self._begin()

    def bring(self, files: int, on_progress: Callable[[int, int], None]) -> None:
        """Have blobs.db filled with what the store has, before `files` files are read. Returns when the facts are
        there, or will not come; vectors follow in the background. Never raises for what a store does.
        """
        is_ahead, self._is_ahead = self._is_ahead, False
        if not is_ahead and (files < LEAST_FILES or not self._begin()):
            return
        process = self._process
        if process is not None and self._is_followed(process, files, on_progress):
            threading.Thread(target=self._follow_vectors, args=(process,), name="shared vectors", daemon=True).start()

    def close(self) -> None:
        """End the running pull; none begins any more."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def _begin(self) -> bool:
        """Start the process. Returns whether it runs."""
        before = last_report(Path(self._request.blobs))
        if before is not None and before.refused and before.url == self._request.url:
            _log.warning("the store is not used", reason=before.refused)
            self._notice = f"{before.refused} ({before.remedy})"
            return False
        try:
            with self._lock:
                if self._closed:
                    return False
                self._process = ChildProcess(module_command("codeagentd.share.pull_process"))
                with contextlib.suppress(BrokenPipeError):
                    self._process.send(msgspec.msgpack.encode(self._request))
                self._process.close_input()
        except OSError as error:
            _log.warning("the pull did not start", reason=str(error))
            return False
        return True

    def _is_followed(self, process: ChildProcess, files: int, on_progress: Callable[[int, int], None]) -> bool:
        """Wait for the facts. Returns whether the process goes on, with vectors."""
        until = time.monotonic() + LONGEST_S + LONGEST_FILE_S * files
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
        self._notice = f"{report.refused} ({report.remedy})" if report.refused else ""
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

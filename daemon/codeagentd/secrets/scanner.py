"""The client of the scanner process, which finds the keys of some hundred issuers by Kingfisher's rules.

The process is started when it is needed, and ends by itself when it is not.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Sequence
from typing import Final

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base.child_process import ChildProcess, module_command

LOAD_PATIENCE_S: Final = (
    30.0  # seconds to load the rules: usually 0.35, 4 the first time on a machine, more on a busy one
)
RETRY_S: Final = 30.0  # seconds after a load that failed, or took too long, until another one is tried
SCAN_PATIENCE_S: Final = 5.0  # seconds for one text: the longest texts, 4 MB, take 0.02
IDLE_S: Final = (
    5.0  # seconds without a request after which the process ends: it uses 60 MB, and starts in half a second
)
WORKER: Final = (*module_command("codeagentd.secrets.scanner_process"), str(IDLE_S))


class Detectors:
    """The connection to the scanner process, and the start of that process when it is needed. Thread-safe: it scans one
    text at a time.
    """

    def __init__(self, command: Sequence[str] = WORKER, scan_s: float = SCAN_PATIENCE_S) -> None:
        self._command = command
        self._scan_s = scan_s
        self._lock = threading.Lock()
        self._process: ChildProcess | None = None
        self._is_ready = False  # whether the process has loaded its rules
        self._failed_at = -RETRY_S  # when they could not be loaded the last time
        self._loading: threading.Thread | None = None
        self._is_preparing = False  # whether the loading thread holds the lock
        self._was_loaded = False  # the result of the last load

    @property
    def is_loading(self) -> bool:
        """Whether `prepare` has begun to load the rules and has not finished."""
        return self._loading is not None and self._loading.is_alive()

    def prepare(self) -> bool:
        """Load the rules in the background. Returns True if there is nothing to wait for: they are loaded, or could not
        be.

        To be used by one thread only.
        """
        if self.is_loading:
            return False
        has_failed, self._loading = self._loading is not None and not self._was_loaded, None
        if has_failed or (self._is_ready and self.pids):
            return True
        self._loading = threading.Thread(target=self._load, name="detectors", daemon=True)
        self._loading.start()
        return False

    def _load(self) -> None:
        with self._lock:
            self._is_preparing = True
            if not (self._is_ready and self.pids):
                self._end()
                self._start()
            self._was_loaded = self._is_ready
            self._is_preparing = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The id of the scanner process; () while it does not run."""
        process = self._process
        return (process.pid,) if process is not None and process.is_running else ()

    def detected(self, data: bytes) -> list[tuple[int, int]]:
        """Return the places of keys in `data`, a UTF-8 text that is not empty: (start, end) in bytes, in order,
        possibly overlapping.

        Errors: engine_unavailable, when a new process also dies from the text or takes too long, and for a while after
        the rules could not be loaded. The caller then keeps nothing of the text, since nothing is known about it.
        """
        with self._lock:
            result = self._scan(data)
            if result is None:  # the process ended meanwhile, by itself or killed: not because of the text
                self._end()
                if time.monotonic() - self._failed_at >= RETRY_S:  # callers that have waited for one load wait no more
                    self._start()
                    result = self._scan(data)
            if result is None:
                self._end()
                raise EngineUnavailable(
                    "a text cannot be searched for keys", remedy="try again; `codeagentd logs` may say why"
                )
            return result

    def end(self) -> None:
        """End the scanner process, which frees its memory; the next scan starts another."""
        if self._is_preparing and (process := self._process) is not None:
            process.kill()  # no caller waits for it
        with self._lock:
            self._end()

    def _start(self) -> None:
        with contextlib.suppress(OSError):
            self._process = ChildProcess(self._command)
            with self._process.killed_after(LOAD_PATIENCE_S):
                self._is_ready = bool(self._process.receive())
        if not self._is_ready:
            self._failed_at = time.monotonic()

    def _scan(self, data: bytes) -> list[tuple[int, int]] | None:
        """The places that the process finds; None if no process answers."""
        process = self._process
        if process is None:
            return None
        with contextlib.suppress(OSError), process.killed_after(self._scan_s):
            process.send(data)
            if answer := process.receive():
                return [(start, end) for start, end in json.loads(answer)]
        return None

    def _end(self) -> None:
        process, self._process, self._is_ready = self._process, None, False
        if process is not None:
            process.end()


detectors: Final = Detectors()  # one scanner process per process of this program

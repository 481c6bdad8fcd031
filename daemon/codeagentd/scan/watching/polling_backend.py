"""Watching by polling, where the system reports no events: scan, compare, report. One scan serves all callers that
asked before it began.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from codeagentd.base.limits import POLL_INTERVAL_S, POLL_SHARE
from codeagentd.scan.ignore import RULE_FILES
from codeagentd.scan.walk import Stat, scan

from .backend import Emit, Fail
from .events import EVERYTHING, GONE, HEAD, INDEX, RULES, Admission, Change, WatchFailed
from .git_state import GitDirs, GitWatch

Listing = Callable[[], list[str] | None]

log = logging.getLogger(__name__)


class Poller:
    """A backend that scans every `interval_s` seconds, less often if a scan takes long, and whenever `sync` is
    called.
    """

    def __init__(
        self,
        root: Path,
        admission: Admission,
        git_dirs: GitDirs,
        listing: Listing,
        emit: Emit,
        fail: Fail,
        interval_s: float = POLL_INTERVAL_S,
    ) -> None:
        self.mode = "polling"
        self.reason = ""
        self._root = root
        self._admission = admission
        self._git_dirs = git_dirs
        self._listing = listing
        self._emit = emit
        self._fail = fail
        self._interval_s = interval_s
        self._turn = threading.Condition()
        self._awaited_scan = 0  # the scan that the last caller of sync waits for
        self._begun = 0
        self._done = 0
        self._running = False
        self._files: dict[str, Stat] = {}
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Scan once, to have a state to compare with."""
        self._git = GitWatch(self._git_dirs)
        self._admission.reconsider(set())
        self._files = self._scan()
        self._running = True
        self._thread.start()

    def stop(self, deadline_s: float) -> None:
        """End the poller's thread, waiting at most `deadline_s`."""
        with self._turn:
            self._running = False
            self._turn.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(deadline_s)

    def sync(self, timeout_s: float) -> bool:
        """Wait for a scan that begins now or later, and until it has been reported; return False after `timeout_s`."""
        with self._turn:
            target = self._awaited_scan = self._begun + 1
            self._turn.notify_all()
            return (
                self._turn.wait_for(lambda: self._done >= target or not self._running, timeout_s)
                and self._done >= target
            )

    def _run(self) -> None:
        pause = self._interval_s
        try:
            while self._await_turn(pause):
                started = time.monotonic()
                if change := self._compare():
                    self._emit(change)
                pause = max(self._interval_s, POLL_SHARE * (time.monotonic() - started))
                with self._turn:
                    self._done = self._begun
                    self._turn.notify_all()
        except Exception as error:
            log.exception("the poller's thread failed")
            self.mode, self.reason = "off", f"internal error: {type(error).__name__}"
            self._fail(WatchFailed(self.reason))
        finally:
            with self._turn:
                self._running = False
                self._turn.notify_all()

    def _await_turn(self, pause: float) -> bool:
        with self._turn:
            self._turn.wait_for(lambda: self._awaited_scan > self._begun or not self._running, pause)
            self._begun += 1
            return self._running

    def _compare(self) -> Change:
        """Return the changes since the last scan. A missing root counts as an empty one."""
        self.reason = "" if self._root.is_dir() else GONE
        flags = self._git.changed()
        before, self._files = self._files, self._scan()
        paths = frozenset(path for path, _ in before.items() ^ self._files.items())
        if any(path.rpartition("/")[2] in RULE_FILES for path in paths) or any(
            os.path.lexists(self._root / path) for path in before.keys() - self._files.keys()
        ):
            flags.add(RULES)  # what is there and no longer listed was ignored meanwhile
        if INDEX in flags:
            self._admission.reconsider(flags)
        if before and not self._files:
            return EVERYTHING
        return Change(paths, head=HEAD in flags, rules=RULES in flags, index=INDEX in flags)

    def _scan(self) -> dict[str, Stat]:
        self._admission.rules.refresh()
        return scan(self._root, self._admission.rules, self._listing()).files

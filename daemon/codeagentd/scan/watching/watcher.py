"""The watcher: reports changed files as they change, by the best method that works on this system, and has a sync
point.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from codeagentd.base.limits import POLL_INTERVAL_S
from codeagentd.scan.ignore import IgnoreRules

from .backend import Backend
from .events import EVERYTHING, GONE, GONE_REMEDY, Admission, Change, WatchFailed
from .git_state import GitDirs
from .polling_backend import Listing, Poller
from .remote_filesystem import remote_type

AUTO: Final = "auto"
OBSERVER: Final = "observer"  # watchdog, where something better is at hand
POLLING: Final = "polling"
OFF: Final = "off"

__all__ = ["AUTO", "EVERYTHING", "OBSERVER", "OFF", "POLLING", "Change", "Watcher"]


class Watcher:
    """A reporter of possible changes below `root`: it calls `on_change` one change at a time, at once, from a thread of
    its own. `on_change` must be quick.

    `known` says which files are in the index: they count even where the rules ignore them. The other parameters are
    answers of vcs.git: `forced` is list_forced (without it, every change of git's index is reported), `git_dirs` is
    (git_dir, common_dir) or None, `listing` is list_files. `way` chooses the method of watching; by default the best
    that works. Do not call `sync` with a lock that `on_change` takes, nor from `on_change`.
    """

    def __init__(
        self,
        root: Path,
        on_change: Callable[[Change], None],
        *,
        rules: IgnoreRules,
        known: Callable[[str], bool] = lambda path: False,
        forced: Callable[[], Iterable[str]] | None = None,
        git_dirs: GitDirs = lambda: None,
        listing: Listing = lambda: None,
        way: str = AUTO,
        poll_interval_s: float = POLL_INTERVAL_S,
    ) -> None:
        self._root = Path(os.path.realpath(root))
        self._on_change = on_change
        self._admission = Admission(rules, known, forced)
        self._git_dirs = git_dirs
        self._listing = listing
        self._way = way
        self._poll_interval_s = poll_interval_s
        self._lock = threading.Lock()
        self._backend: Backend | None = None
        self._failure = WatchFailed("")
        self._stopped = False

    @property
    def mode(self) -> str:
        """The method in use: 'inotify', 'fsevents', 'windows', 'polling' or 'off'."""
        return self._backend.mode if self._backend else OFF

    @property
    def reason(self) -> str:
        """The reason why this is not the usual method; '' if it is."""
        return (self._backend.reason if self._backend else "") or self._failure.reason

    @property
    def remedy(self) -> str:
        """The remedy that the user can apply for the usual method; '' if there is none."""
        return self._failure.remedy or (GONE_REMEDY if self.reason == GONE else "")

    def start(self) -> None:
        """Begin to watch; returns when every later change will be reported. Methods that do not work are replaced by
        polling.
        """
        if self._way == OFF:
            self._failure = WatchFailed("watching is switched off")
            return
        try:
            backend = self._native()
            backend.start()
            self._backend = backend
        except WatchFailed as failure:
            self._poll(failure)

    def stop(self, deadline_s: float) -> None:
        """End the watcher's thread, waiting at most `deadline_s` seconds. No change is reported after that."""
        with self._lock:
            self._stopped = True
            backend, self._backend = self._backend, None
        if backend:
            backend.stop(deadline_s)

    def sync(self, timeout_s: float) -> bool:
        """Wait until `on_change` has been called for every file operation made before this call.

        Returns: False if that did not happen in `timeout_s` seconds, or cannot (`reason` says why).
        """
        deadline = time.monotonic() + timeout_s
        while backend := self._backend:
            if backend.sync(max(0.0, deadline - time.monotonic())):
                return True
            if self._backend is backend or time.monotonic() >= deadline:
                return False
        return False

    def _native(self) -> Backend:
        if self._way == POLLING:
            raise WatchFailed("polling was asked for")
        if sys.platform == "linux" and self._way == AUTO:
            if kind := remote_type(self._root):
                raise WatchFailed(
                    f"changes on a {kind} file system are not reported", "keep the repository on a local disk"
                )
            from .inotify_backend import LinuxBackend

            return LinuxBackend(self._root, self._admission, self._git_dirs, self._tell, self._on_failure)
        from .watchdog_backend import ObserverBackend

        return ObserverBackend(self._root, self._admission, self._git_dirs, self._tell, self._on_failure)

    def _poll(self, failure: WatchFailed) -> None:
        self._failure = failure
        poller = Poller(
            self._root,
            self._admission,
            self._git_dirs,
            self._listing,
            self._tell,
            self._on_failure,
            self._poll_interval_s,
        )
        poller.start()
        with self._lock:
            stopped = self._stopped
            self._backend = None if stopped else poller
        if stopped:
            poller.stop(0.0)

    def _on_failure(self, failure: WatchFailed) -> None:
        """Replace a backend that has failed by polling, and report that everything has to be examined."""
        if self._stopped or isinstance(self._backend, Poller):
            return
        self._poll(failure)
        self._tell(EVERYTHING)

    def _tell(self, change: Change) -> None:
        if not self._stopped:
            self._on_change(change)

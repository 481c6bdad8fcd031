"""Watching with watchdog: on macOS and Windows, and wherever its emitters run. Cookie files are the sync point."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
)
from watchdog.observers.api import EventQueue, ObservedWatch

from codeagentd.base.limits import COOKIE_PATIENCE_S, OBSERVER_RESCAN_S, WATCH_VERIFY_S
from codeagentd.scan.ignore import COOKIE

from .backend import Emit, Fail
from .events import EVERYTHING, GONE, HEAD, INDEX, RULES, SILENT, Admission, Batch, WatchFailed
from .git_state import GitDirs, GitWatch, meaning

# Everything else is noise: watchdog's own walks open and close directories, and hear themselves.
FILTER: Final = [
    FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent, FileClosedEvent, DirCreatedEvent,
    DirDeletedEvent, DirMovedEvent,
]  # fmt: skip
EMITTERS: Final = {
    "darwin": ("fsevents", "watchdog.observers.fsevents", "FSEventsEmitter"),
    "win32": ("windows", "watchdog.observers.read_directory_changes", "WindowsApiEmitter"),
    "linux": ("inotify", "watchdog.observers.inotify", "InotifyEmitter"),
}
FSEVENTS_LOST: Final = 0x1 | 0x2 | 0x4  # MustScanSubDirs, UserDropped, KernelDropped, which watchdog passes over


class _Direct(EventQueue):
    """A replacement for watchdog's queue and dispatching thread: gives each event to a function at once, on the
    emitter's thread.
    """

    def __init__(self, handle: Callable[[FileSystemEvent], None]) -> None:
        super().__init__()
        self._handle = handle

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Handle one item: (event, watch)."""
        self._handle(item[0])


class ObserverBackend:
    """The backend for a watchdog emitter. The events of a cookie file come after those of everything done before it was
    created.

    There is one cookie at a time. It serves all callers that asked before it was created, and later ones wait for the
    next.
    """

    def __init__(self, root: Path, admission: Admission, git_dirs: GitDirs, emit: Emit, fail: Fail) -> None:
        self.mode, module, name = EMITTERS.get(sys.platform, ("", "", ""))
        self.reason = ""
        self._root = root
        self._base = f"{root}{os.sep}"
        self._admission = admission
        self._git_dirs = git_dirs
        self._emit = emit
        self._fail = fail
        try:
            self._emitter_class: Any = getattr(import_module(module), name) if module else None
        except ImportError as error:  # watchdog is there without its part in C, as when it was built without a compiler
            raise WatchFailed(f"watchdog cannot be loaded: {error}", "install watchdog again, from a wheel") from error
        self._turn = threading.Condition()
        self._numbers = itertools.count(1)
        self._flying = 0  # the number of the cookie that was written and not yet reported
        self._landed = 0
        self._looked_at = 0.0
        self._running = False

    def start(self) -> None:
        """Begin to watch, and check that a cookie file is reported."""
        if self._emitter_class is None:
            raise WatchFailed(f"no file watcher for {sys.platform}")
        dirs = self._git_dirs()
        self._place = dirs[0] if dirs and self._root in dirs[0].parents else self._root
        for stale in self._place.glob(f"{COOKIE}*"):
            stale.unlink(missing_ok=True)
        self._git = GitWatch(self._git_dirs)
        self._admission.reconsider(set())
        watch = ObservedWatch(str(self._root), recursive=True, event_filter=FILTER)
        self._emitter = self._emitter_class(_Direct(self._handle), watch, event_filter=FILTER)
        if self.mode == "fsevents":
            self._emitter.events_callback = self._with_losses(self._emitter.events_callback)
        self._running = True
        self._looked_at = time.monotonic()
        try:
            self._emitter.start()
        except OSError as error:
            raise WatchFailed(f"watching failed: {error.strerror}") from error
        if os.access(self._place, os.W_OK) and not self.sync(WATCH_VERIFY_S):
            self.stop(WATCH_VERIFY_S)
            raise WatchFailed(SILENT)

    def stop(self, deadline_s: float) -> None:
        """End the emitter's thread, waiting at most `deadline_s`."""
        with self._turn:
            self._running = False
            self._cookie(self._flying).unlink(missing_ok=True)
            self._turn.notify_all()
        self._emitter.stop()
        if self._emitter.is_alive() and self._emitter is not threading.current_thread():
            self._emitter.join(deadline_s)

    def sync(self, timeout_s: float) -> bool:
        """Wait until every file operation made before the call has been reported; return False after `timeout_s`, or if
        no cookie can be written.
        """
        deadline = time.monotonic() + timeout_s
        with self._turn:
            cookie = self._flying + 1  # the cookie under way may have been made before the caller's last operation was
            while self._running and self._landed < cookie:
                if self._flying < cookie and self._landed == self._flying and not self._send():
                    return False
                if not self._turn.wait(deadline - time.monotonic()):
                    self._forget_lost()
                    return False
            if not self._running:
                return False
        self._look_elsewhere()
        return True

    def _send(self) -> bool:
        number = next(self._numbers)
        try:
            os.close(os.open(self._cookie(number), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as error:
            self.reason = f"no sync point: {error.strerror}"
            return False
        self._flying, self._sent_at = number, time.monotonic()
        return True

    def _cookie(self, number: int) -> Path:
        return self._place / f"{COOKIE}{os.getpid()}-{number}"

    def _land(self, name: str) -> None:
        pid, _, number = name.removeprefix(COOKIE).partition("-")
        with self._turn:
            if pid == str(os.getpid()) and number.isdigit() and int(number) == self._flying:
                self._landed = self._flying
                self._turn.notify_all()
        with contextlib.suppress(OSError):
            (self._place / name).unlink()

    def _forget_lost(self) -> None:
        """Give up a cookie that was never reported, so that the next one can be written."""
        if self._landed < self._flying and time.monotonic() - self._sent_at > COOKIE_PATIENCE_S:
            with contextlib.suppress(OSError):
                self._cookie(self._flying).unlink()
            self._landed = self._flying
            self._emit(EVERYTHING)

    def _look_elsewhere(self) -> None:
        """Check what no event reports: git's files outside of the root, and now and then events that Windows lost
        without an error.
        """
        batch = Batch()
        batch.flags = self._git.changed()
        if self.mode == "windows" and time.monotonic() - self._looked_at > OBSERVER_RESCAN_S:
            self._looked_at = time.monotonic()
            batch.overflow = True
        self._tell(batch)

    def _handle(self, event: FileSystemEvent) -> None:
        batch = Batch()
        for raw in {event.src_path, event.dest_path}:
            path = os.fsdecode(raw)
            if path == str(self._root) and isinstance(event, DirDeletedEvent | DirMovedEvent):
                self._running = False
                self._fail(WatchFailed(GONE))
            elif path.startswith(self._base):
                self._sort(path[len(self._base) :].replace(os.sep, "/"), event, batch)
        self._tell(batch)

    def _sort(self, path: str, event: FileSystemEvent, batch: Batch) -> None:
        name = path.rpartition("/")[2]
        if name.startswith(COOKIE):
            self._land(name)
        elif path == ".git":
            batch.flags |= {HEAD, INDEX, RULES}
        elif path.startswith(".git/"):
            batch.flags |= {meaning(path[5:])} - {""}
        elif name == ".git":
            batch.flags.add(RULES)
        elif not event.is_directory:
            batch.file(path, name)
            # Windows cannot tell what a deleted entry was
            batch.directories |= {path} if self.mode == "windows" and isinstance(event, FileDeletedEvent) else set()
        elif self._admission.folder(path):
            batch.directories.add(path)

    def _tell(self, batch: Batch) -> None:
        if batch.flags & {INDEX, RULES} or batch.overflow:
            self._admission.reconsider(batch.flags)
        if batch.overflow or RULES in batch.flags:
            self._admission.rules.refresh()
        if change := batch.change(self._admission):
            self._emit(change)

    def _with_losses(self, callback: Callable[..., None]) -> Callable[..., None]:
        def wrapped(paths: list[bytes], inodes: list[int], flags: list[int], ids: list[int]) -> None:
            callback(paths, inodes, flags, ids)
            if any(flag & FSEVENTS_LOST for flag in flags):
                self._emit(EVERYTHING)

        return wrapped

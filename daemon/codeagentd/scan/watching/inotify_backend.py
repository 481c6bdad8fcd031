"""Watching on Linux: one thread that reads the kernel's queue, and a sync point that needs no file."""

from __future__ import annotations

import logging
import os
import select
import threading
import time
from pathlib import Path

from codeagentd.base.limits import ROOT_RETRY_S, WATCH_VERIFY_S
from codeagentd.scan.ignore import COOKIE

from .backend import Emit, Fail
from .events import GONE, HEAD, INDEX, RULES, SILENT, Admission, Batch, WatchFailed
from .git_state import GitDirs
from .inotify import events
from .watch_tree import Folders

UNREPORTED = "the kernel does not tell how many events are waiting"

log = logging.getLogger(__name__)


class LinuxBackend:
    """The backend for inotify. The lock `_turn` is held from reading events until every receiver has had them.

    The kernel queues an event before the system call that caused it returns. So a thread that holds the lock and finds
    the queue empty knows that everything done before has been reported; and if n bytes are waiting, everything has been
    reported once n more bytes are handled.
    """

    def __init__(self, root: Path, admission: Admission, git_dirs: GitDirs, emit: Emit, fail: Fail) -> None:
        self.mode = "inotify"
        self.reason = ""
        self._root = root
        self._admission = admission
        self._git_dirs = git_dirs
        self._emit = emit
        self._fail = fail
        self._turn = threading.Condition()
        self._known_dirs: tuple[Path, Path] | None = None
        self._handled = 0
        self._running = False
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Watch every directory; returns when every later change will be reported."""
        self._folders = Folders(self._root, self._admission.rules, self._git_dirs)
        self._wake, self._waker = os.pipe()
        with self._turn:
            try:
                self._folders.rebuild()
                self._note_root()
                self._verify()
                self._reconsider(Batch())
            except WatchFailed:
                self._close()
                raise
            self._running = True
        self._thread.start()

    def stop(self, deadline_s: float) -> None:
        """End the thread, waiting at most `deadline_s`."""
        with self._turn:
            if self._running:
                self._running = False
                os.write(self._waker, b"!")
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(deadline_s)

    def sync(self, timeout_s: float) -> bool:
        """Wait until every file operation made before the call has been reported; return False after `timeout_s`, or if
        there is no root to watch.
        """
        deadline = time.monotonic() + timeout_s
        if not self._turn.acquire(timeout=max(0.0, timeout_s)):
            return False
        try:
            if not self._running:
                return False
            if not self._folders.present:  # no event reports that a directory above was moved
                self._attend()
                if not self._running:
                    return False
            target = self._handled + self._folders.queue.pending()
            while self._handled < target:
                if not self._turn.wait(deadline - time.monotonic()) or not self._running:
                    return False
            return self._folders.present
        finally:
            self._turn.release()

    def _run(self) -> None:
        poller = select.poll()
        poller.register(self._folders.queue.handle, select.POLLIN)
        poller.register(self._wake, select.POLLIN)
        try:
            while self._running:
                poller.poll(None if self._folders.present else ROOT_RETRY_S * 1000)
                with self._turn:
                    if self._running:
                        self._attend()
        finally:
            with self._turn:
                self._running = False
                self._turn.notify_all()
                self._close()

    def _attend(self) -> None:
        """Handle one read of events; after a failure, report that another backend has to watch."""
        try:
            self._take_turn()
        except WatchFailed as failure:
            self._give_up(failure)
        except Exception as error:
            log.exception("the watcher's turn failed")
            self._give_up(WatchFailed(f"internal error: {type(error).__name__}"))

    def _take_turn(self) -> None:
        """Handle the events of the queue, up to one read."""
        batch = Batch()
        batch.overflow = not self._folders.present and (self.reason != GONE or self._root.is_dir())
        data = self._folders.queue.read()
        for event in events(data):
            self._folders.handle(event, batch)
        if INDEX in batch.flags:
            self._reconsider(batch)
        if batch.overflow or RULES in batch.flags:
            self._start_over(batch)
        if change := batch.change(self._admission):
            self._emit(change)
        self._handled += len(data)
        self._turn.notify_all()

    def _start_over(self, batch: Batch) -> None:
        """Read the ignore rules again, and watch the directories that they admit now."""
        self._admission.rules.refresh()
        self._folders.rebuild()
        self._reconsider(batch)
        before, self._known_dirs = self._known_dirs, self._git_dirs()
        if before != self._known_dirs:
            batch.flags |= {HEAD, INDEX}
        self._note_root()

    def _reconsider(self, batch: Batch) -> None:
        self._admission.reconsider(batch.flags)
        self._folders.cover(self._admission.forced)

    def _note_root(self) -> None:
        self.mode, self.reason = ("inotify", "") if self._folders.present else ("off", GONE)

    def _verify(self) -> None:
        """Check that the kernel reports a file that this process writes. Where this process can write none, no check is
        needed, since no other process writes there either.
        """
        dirs = self._known_dirs = self._git_dirs()
        cookie = (dirs[0] if dirs else self._root) / f"{COOKIE}{os.getpid()}"
        try:
            self._folders.queue.pending()
        except OSError as error:
            raise WatchFailed(UNREPORTED) from error
        try:
            os.close(os.open(cookie, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
            cookie.unlink()
        except OSError:
            return
        poller = select.poll()
        poller.register(self._folders.queue.handle, select.POLLIN)
        if not poller.poll(WATCH_VERIFY_S * 1000):
            raise WatchFailed(SILENT)

    def _give_up(self, failure: WatchFailed) -> None:
        self._running = False
        os.write(self._waker, b"!")
        self.mode, self.reason = "off", failure.reason
        self._fail(failure)

    def _close(self) -> None:
        self._folders.queue.close()
        os.close(self._wake)
        os.close(self._waker)

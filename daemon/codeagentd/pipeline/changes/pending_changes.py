"""Pending changes: noted and not yet in the index, with the threads that wait for them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from codeagentd.base.limits import DEBOUNCE_S


@dataclass
class ChangeBatch:
    """The paths that one batch has to examine, or everything (`rescan`). `ticket` covers every change noted so far."""

    ticket: int
    paths: set[str] = field(default_factory=set)
    rescan: bool = False
    tracked: bool = False

    @property
    def has_any(self) -> bool:
        """Whether there is anything to examine."""
        return bool(self.paths or self.rescan or self.tracked)


class PendingChanges:
    """The queue between the watcher, the indexer and the threads that want fresh answers. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._paths: set[str] = set()
        self._rescan = False
        self._tracked = False
        self._noted = 0
        self._done = 0
        self._in_work = 0
        self._first_at = 0.0
        self._hurry = 0
        self._poked = False
        self._closed = False
        self._postponed = 0

    def wake(self) -> None:
        """Make `take` return at once with the changes so far, because a request waits in another queue."""
        with self._changed:
            self._poked = True
            self._changed.notify_all()

    def note(self, paths: set[str], rescan: bool = False, tracked: bool = False) -> None:
        """Add changed `paths`, which the index may leave out. `rescan`: everything has to be compared with the disk;
        `tracked`: git may track other files now.
        """
        if not paths and not rescan and not tracked:
            return
        with self._changed:
            if not self._paths and not self._rescan and not self._tracked:
                self._first_at = time.monotonic()
            self._tracked = self._tracked or tracked
            self._paths |= paths
            self._rescan = self._rescan or rescan
            self._noted += 1
            self._changed.notify_all()

    def take(self, timeout_s: float) -> ChangeBatch | None:
        """Return the next batch, after a short time in which more changes may arrive, or at once where a request waits;
        None when `timeout_s` have passed without changes.
        """
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                if self._poked:
                    return self._take_noted()
                if self._paths or self._rescan or self._tracked:
                    ripe = self._first_at + DEBOUNCE_S
                    if self._hurry or now >= ripe:
                        return self._take_noted()
                    self._changed.wait(ripe - now)
                elif now >= deadline:
                    return None
                else:
                    self._changed.wait(deadline - now)
            return None

    def _take_noted(self) -> ChangeBatch:
        batch = ChangeBatch(self._noted, self._paths, self._rescan, self._tracked)
        self._in_work = len(self._paths)
        self._paths, self._rescan, self._tracked, self._poked = set(), False, False, False
        return batch

    def requeue(self, batch: ChangeBatch) -> None:
        """Put `batch`, which could not be written, back into the queue."""
        with self._changed:
            self._paths |= batch.paths
            self._rescan = self._rescan or batch.rescan
            self._tracked = self._tracked or batch.tracked
            self._first_at = time.monotonic()
            self._in_work = 0

    @property
    def has_more(self) -> bool:
        """Whether changes were noted that are in no batch yet."""
        with self._changed:
            return bool(self._paths or self._rescan or self._tracked)

    def done(self, batch: ChangeBatch) -> None:
        """Note that `batch` is committed."""
        with self._changed:
            self._done = max(self._done, batch.ticket)
            self._in_work = 0
            self._changed.notify_all()

    def progress(self, left: int) -> None:
        """Note that `left` files of the current batch are still to be committed."""
        self._in_work = left

    def postpone(self, files: int) -> None:
        """Record that `files` files will be read when there is no other work. No request waits for them; until they are
        read, the index has not caught up.
        """
        with self._changed:
            self._postponed = files

    def wait(self, timeout_s: float) -> bool:
        """Wait until everything noted before this call is committed, except postponed files. Return True only if that
        is reached within `timeout_s` and no file is postponed.
        """
        deadline = time.monotonic() + timeout_s
        with self._changed:
            ticket = self._noted
            self._hurry += 1
            self._changed.notify_all()
            try:
                while self._done < ticket and not self._closed:
                    left = deadline - time.monotonic()
                    if left <= 0:
                        return False
                    self._changed.wait(left)
            finally:
                self._hurry -= 1
            return self._done >= ticket and not self._postponed

    @property
    def caught_up(self) -> bool:
        """Whether everything that was noted is committed."""
        with self._changed:
            return self._done >= self._noted and not self._postponed

    @property
    def count(self) -> int:
        """The number of files that are noted or being indexed; at least 1 while the index has not caught up."""
        with self._changed:
            count = len(self._paths) + self._in_work + self._postponed
            return count if self._done >= self._noted else max(1, count)

    def close(self) -> None:
        """Wake all waiting threads; from now on `take` and `wait` return at once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

"""Database files with several names: the indexes of worktrees begin as one file, and each continues in a log of its
own.

SQLite writes the file of a database with a write-ahead log only to fold the log into it. While a file has a second name
no process does that, so it keeps the content that it had when it got the name, and each log refers to its pages.
Folding, and adding a name, take an exclusive lock.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

PATIENCE_S: Final = (
    2.0  # seconds; a copy of 60 MB takes 0.2, and a process that was stopped in the middle of one may never end
)
LOOK_S: Final = 0.01


class Quiet(NamedTuple):
    """The operations that the locks on a file allow at the moment: folding its log, and giving it another name."""

    may_fold: bool
    may_name: bool


ALONE: Final = Quiet(True, True)
NO_LOCKS: Final = Quiet(True, False)  # no process gives names there, so folding disturbs none
DISTURBED: Final = Quiet(False, False)


class File:
    """The file to which a name led when a database was opened by that name."""

    def __init__(self, path: Path | str) -> None:
        self.path = os.path.realpath(path)
        self.key = key_of(self.path)

    def is_shared(self) -> bool:
        """Whether the file has another name too, or another file now has the name by which it was opened."""
        return is_shared(self.path) or key_of(self.path) not in (_NONE, self.key)

    def is_lost(self) -> bool:
        """Whether the file has lost its name: it was removed, or another file has that name now."""
        return self.key not in (_NONE, key_of(self.path))

    @contextlib.contextmanager
    def undisturbed(self) -> Iterator[Quiet]:
        """Keep other processes from folding the log and from giving the file another name, if the lock can be had soon.
        The context gives the operations that are allowed.
        """
        if sys.platform == "win32":
            yield NO_LOCKS
            return
        try:
            folder = os.open(os.path.dirname(self.path), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:  # with the database in it, to which no process can give a name any more
            yield NO_LOCKS
            return
        try:
            yield _locked(folder)
        finally:
            os.close(folder)


def _locked(folder: int) -> Quiet:
    if sys.platform == "win32":
        return NO_LOCKS
    import fcntl

    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return ALONE
        except BlockingIOError:
            if time.monotonic() > deadline:
                return DISTURBED
            time.sleep(LOOK_S)
        except OSError:  # some network file systems lock no folders
            break
    return NO_LOCKS


def is_shared(path: Path | str) -> bool:
    """Whether the file of the database at `path` has more than one name."""
    with contextlib.suppress(OSError):
        return os.stat(path).st_nlink > 1
    return False


def key_of(path: Path | str) -> tuple[int, int]:
    """Return the identity of the file at `path`: (device, inode); (0, 0) where there is none."""
    with contextlib.suppress(OSError):
        status = os.stat(path)
        return status.st_dev, status.st_ino
    return _NONE


_NONE: Final = (0, 0)


class InUse:
    """The database files that this process has open.

    Within a process SQLite keeps the state of one log for each file, whatever the name by which it was opened.
    Therefore a file that is open must not be opened by a second name, which has a log of its own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users: dict[tuple[int, int], weakref.WeakKeyDictionary[Any, str]] = {}
        self._refused: set[tuple[int, int]] = set()

    def note(self, file: File, user: object) -> bool:
        """Record that `user` has opened `file`. Return False where this process has the file open by another name, so
        that `user` must close it at once.
        """
        with self._lock:
            users = self._users.setdefault(file.key, weakref.WeakKeyDictionary())
            if any(name != file.path for name in users.values()) and file.key != _NONE:
                self._refused.add(file.key)
                return False
            users[user] = file.path
            return True

    def forget(self, file: File, user: object) -> None:
        """Remove the record of `user`, which has closed `file`."""
        with self._lock:
            users = self._users.get(file.key)
            if users is not None:
                users.pop(user, None)
            if not users:
                self._users.pop(file.key, None)
                self._refused.discard(file.key)

    def is_refused(self, file: File) -> bool:
        """Whether this process was refused `file` by another name."""
        return file.key in self._refused

    def is_open(self, path: Path) -> bool:
        """Whether this process has the file at `path` open, by any name."""
        with self._lock:
            return bool(self._users.get(key_of(path)))


in_use = InUse()

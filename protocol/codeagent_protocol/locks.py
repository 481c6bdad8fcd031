"""File locks that end with their process: the daemon holds one, and the process that starts it another.

A lock file is never removed: that would let two processes hold "the" lock on two files of one name.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Final

CARE: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)

if sys.platform == "win32":
    import msvcrt

    # attempts; two processes that check at the same moment each take the other for the holder, since Windows has no
    # shared locks
    PROBES: Final = 5
    _LOCKED_AT: Final = 1 << 30  # far beyond the content: other processes cannot read a locked range

    def _lock(fd: int, *, shared: bool = False) -> None:
        """Lock a file without waiting. Errors: BlockingIOError."""
        os.lseek(fd, _LOCKED_AT, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from None

    def _unlock(fd: int) -> None:
        os.lseek(fd, _LOCKED_AT, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    PROBES: Final = 1

    def _lock(fd: int, *, shared: bool = False) -> None:
        """Lock a file without waiting. Errors: BlockingIOError."""
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)

    def _unlock(fd: int) -> None:
        # closing is not enough while a child process that is being started still has a copy
        fcntl.flock(fd, fcntl.LOCK_UN)


class FileLock:
    """An exclusive lock on a file, held until it is released or the process ends."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._fd = -1

    @property
    def is_held(self) -> bool:
        """Whether this object holds the lock."""
        return self._fd >= 0

    def try_take(self) -> bool:
        """Take the lock without waiting. Returns whether this object now holds it."""
        if self.is_held:
            return True
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT | CARE, 0o600)
        try:
            _lock(fd)
        except BlockingIOError:
            os.close(fd)
            return False
        self._fd = fd
        if self.is_in_place():
            return True
        self.release()  # another process removed the directory between open and lock
        return False

    def is_in_place(self) -> bool:
        """Whether the path still leads to the file that is locked here; a daemon whose lock file was removed has lost
        its claim.
        """
        try:
            return os.path.samestat(os.fstat(self._fd), os.stat(self.path))
        except OSError:
            return False

    def write(self, text: str) -> None:
        """Replace the content of the locked file by the line `text`."""
        os.ftruncate(self._fd, 0)
        os.lseek(self._fd, 0, os.SEEK_SET)
        os.write(self._fd, f"{text}\n".encode())

    def release(self) -> None:
        """Release the lock; do nothing when it is not held."""
        if self.is_held:
            _unlock(self._fd)
            os.close(self._fd)
            self._fd = -1


def is_held(path: str) -> bool:
    """Whether any process holds the lock on the file at `path`.

    The check takes the lock and drops it at once, so a process that fails to take it should try again after a moment.
    """
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except (FileNotFoundError, NotADirectoryError):
        return False
    try:
        return all(_is_locked(fd, pause_s=0.002 * bool(number)) for number in range(PROBES))
    finally:
        os.close(fd)


def _is_locked(fd: int, pause_s: float) -> bool:
    if pause_s:
        time.sleep(pause_s)
    try:
        _lock(fd, shared=True)
    except BlockingIOError:
        return True
    _unlock(fd)
    return False


def is_seen(path: str) -> bool:
    """Whether any process holds the lock on the file at `path`, as `is_held`, but False for a file that cannot
    be read.
    """
    try:
        return is_held(path)
    except OSError:
        return False


def holder_line(path: str) -> str:
    """Return the line that the last holder of the lock wrote into the file at `path`; "" when there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().strip()
    except FileNotFoundError:
        return ""

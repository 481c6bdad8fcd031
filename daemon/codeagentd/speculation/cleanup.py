"""The folder of throwaway trees, and the removal of abandoned ones. A repository and all its worktrees share one
folder, with a lock in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from codeagent_protocol.dirs import make_private
from codeagent_protocol.locks import FileLock

from .process_tree import end_marked
from .work_tree import remove

_LOCK: Final = "lock"


def lock_of(place: Path) -> FileLock:
    """Return the lock in the folder `place`. A process that tries out a change holds it until all its files and
    processes are gone.
    """
    make_private(str(place))
    return FileLock(str(place / _LOCK))


def collect(place: Path) -> None:
    """End the processes that killed processes left, and remove their files in `place`; only for the holder of the
    lock.
    """
    end_marked(place)
    for left in [entry for entry in place.iterdir() if entry.name != _LOCK]:
        remove(left)


def collect_unused(place: Path) -> None:
    """Remove abandoned files in `place`, unless a process holds the lock."""
    if place.is_dir() and (lock := lock_of(place)).try_take():
        try:
            collect(place)
        finally:
            lock.release()

"""The end of all processes that a command started, including those that left its process group and session.

Where the process that watches commands was killed itself, those that they started are known by a mark: the largest file
that they may write has a size of its own for each repository. A process can clear its environment and leave its group,
but cannot raise this limit again; only one that lowers it further loses the mark.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Final

from codeagentd.base.host_load import KILL
from codeagentd.base.limits import MAX_WRITTEN_BYTES

if sys.platform == "linux":
    import resource

PATIENCE_S: Final = 5.0  # seconds; then a process that cannot be killed, since it waits for a dead disk, is left
LOOK_S: Final = 0.005


def end_descendants() -> bool:
    """Kill and reap all descendants of this process, which adopts orphans. Returns whether none is left. Without /proc
    only children are found.
    """
    deadline = time.monotonic() + PATIENCE_S
    while True:
        for pid in _descendants(os.getpid()):
            _kill(pid)
        if not _reap():
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(LOOK_S)


def mark_of(place: Path) -> int:
    """Return the mark of processes of trees in `place`: the size in bytes that their files may have."""
    return MAX_WRITTEN_BYTES + (zlib.crc32(os.fsencode(place)) & 0xFFFFFF | 1)  # odd, as hardly another limit is


def end_marked(place: Path) -> None:
    """Kill the processes with the mark of `place`: those that a killed process left."""
    deadline, seen, mark = time.monotonic() + PATIENCE_S, {os.getpid()}, mark_of(place)
    # they may start others meanwhile
    while marked := [pid for pid in set(_processes()) - seen if _most_bytes(pid) == mark]:
        for pid in marked:
            _kill(pid)
        seen.update(marked)
        if time.monotonic() > deadline:
            return


def _most_bytes(pid: int) -> int:
    """The size that a file of a process may have at most; -1 where the system does not tell."""
    if sys.platform == "linux":
        with suppress(OSError):
            return resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
    return -1


def _reap() -> bool:
    """Reap the children that have ended. Returns whether any others are left."""
    if sys.platform == "win32":
        return False
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _kill(pid: int) -> None:
    with suppress(OSError):
        os.kill(pid, KILL)


def _descendants(ancestor: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for pid in _processes():
        with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
            parent = int(file.read().rpartition(b")")[2].split()[1])  # after the name, which may contain any characters
            children.setdefault(parent, []).append(pid)
    result = list(children.get(ancestor, ()))
    for pid in result:
        result += children.get(pid, ())
    return result


def _processes() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []

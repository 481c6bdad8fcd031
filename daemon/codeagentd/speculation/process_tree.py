"""The end of all processes that a command started, including those that left its process group and session."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import Final

from codeagentd.base.host_load import KILL

from .environment import MARK

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


def end_marked(folder: str) -> None:
    """Kill the processes with a folder below `folder` in their environment: those that a killed process left."""
    mark = f"{MARK}={folder}".encode()
    for pid in _processes():
        with suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
            if pid != os.getpid() and any(line.startswith(mark) for line in file.read().split(b"\0")):
                _kill(pid)


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

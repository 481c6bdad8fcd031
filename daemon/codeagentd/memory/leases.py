"""Leases of tasks: a window holds one for as long as its process lives; no time-out is used.

A lease outlives the daemon, since a window keeps its session over any number of daemons. The next caller, in the daemon
of any repository, checks whether the process is still the one that took the lease, so that a lease of a window that
never came back after a restart ends too.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

from codeagent_protocol.errors import StoreFailed
from codeagentd.store.connection import Database

from .memory_store import Caller, MemoryStore, note
from .task_states import RELEASE, after

_BOOT: Final = "/proc/sys/kernel/random/boot_id"
_START_FIELD: Final = 19  # index of starttime after the name in /proc/PID/stat (proc(5): field 22)
_ASK_S: Final = 2.0


class Lease(NamedTuple):
    """A window's claim to a task: the columns of the statement tasks.leases."""

    task: int
    id: str
    session: bytes
    pid: int
    birth: str
    repository: str
    files_exclusive: str
    files_readonly: str


def process_identity(pid: int) -> str:
    """Return a text that identifies the process with the id `pid` among all others: boot, name space of its id, start.
    '' for an ended process.
    """
    if sys.platform == "win32":
        return _born(pid)
    if not sys.platform.startswith("linux"):
        completed = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False, timeout=_ASK_S
        )
        return f"||{completed.stdout.strip()}" if completed.stdout.strip() else ""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else f"{_here()}|{fields[_START_FIELD]}"


if sys.platform == "win32":

    def _born(pid: int) -> str:
        """The creation time of a process, in Windows' own unit; '' for one that has ended."""
        import ctypes

        kernel, (created, ended, *used) = ctypes.windll.kernel32, [ctypes.c_ulonglong() for _ in range(4)]
        handle = ctypes.c_void_p(kernel.OpenProcess(0x1000, False, pid))  # PROCESS_QUERY_LIMITED_INFORMATION
        if not handle.value:
            return ""
        try:
            has_succeeded = kernel.GetProcessTimes(handle, *map(ctypes.byref, (created, ended, *used)))
        finally:
            kernel.CloseHandle(handle)
        return f"||{created.value}" if has_succeeded and not ended.value else ""


def _here() -> str:
    """The identity of this boot and this name space of process ids; parts that a sandbox hides are left out."""
    boot = space = ""
    with contextlib.suppress(OSError):
        boot = Path(_BOOT).read_text(encoding="ascii").strip()
        space = os.readlink("/proc/self/ns/pid")
    return f"{boot}|{space}"


def has_ended(lease: Lease) -> bool:
    """Whether the window that took `lease` has ended.

    A process of another container cannot be seen from here, and counts as alive until the machine restarts.
    """
    boot, space, _ = lease.birth.split("|", 2)
    if boot:
        own_boot, own_space = _here().split("|")
        if boot != own_boot:
            return True
        if space != own_space:
            return False
    return process_identity(lease.pid) != lease.birth


def current(db: Database) -> list[Lease]:
    """Return every lease, also those of windows that have ended."""
    return [Lease(*row) for row in db.all("tasks.leases")]


def release(db: Database, caller: Caller) -> None:
    """Return the tasks of windows that have ended to the board; their leases are deleted."""
    for lease in current(db):
        if has_ended(lease):
            db.run("tasks.delete_lease", (lease.task,))
            db.run("tasks.set_status", (after(lease.id, "in_progress", RELEASE), time.time(), lease.task))
            note(db, caller, RELEASE, lease.id, {"pid": lease.pid}, None)


def tidy(memories: MemoryStore, caller: Caller) -> None:
    """Release the leases of windows that have ended, before a read; it writes only if there are any."""
    with memories.store.read() as db:
        over = any(map(has_ended, current(db)))
    if over:
        # a lease that cannot be released now is released by a later caller
        with contextlib.suppress(StoreFailed), memories.store.write() as db:
            release(db, caller)

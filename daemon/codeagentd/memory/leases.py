"""Leases of tasks: a window holds one for as long as its process lives; no time-out is used on one machine.

A lease outlives the daemon, since a window keeps its session over any number of daemons. The next caller, in the daemon
of any repository, checks whether the process is still the one that took the lease, so that a lease of a window that
never came back after a restart ends too.

In a database that several machines share, nobody else sees that process. There a lease also ends by the server's clock,
unless a daemon of its machine renews it (`renew`); no machine's own clock decides anything.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Final, NamedTuple

from codeagent_protocol.errors import StoreFailed
from codeagentd.store.memory_backend import MemoryConnection

from .memory_store import Caller, MemoryStore, as_json, note
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
    is_over: bool  # by the clock of the server that several machines share


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


def machine() -> str:
    """Return a text that identifies this machine among all, until it restarts where the system tells restarts."""
    return _here().partition("|")[0] or f"{socket.gethostname()}-{uuid.getnode():x}"


def shared_identity(pid: int) -> str:
    """Return `process_identity` with the machine in the place of the boot; '' for an ended process."""
    _, separator, rest = process_identity(pid).partition("|")
    return f"{machine()}|{rest}" if separator else ""


def has_ended(lease: Lease, *, spans_machines: bool = False) -> bool:
    """Whether the window that took `lease` has ended. `spans_machines`: it may be a window of another machine, about
    which only the server's clock decides.

    A process of another container cannot be seen from here, and counts as alive until the machine restarts.
    """
    if lease.is_over:
        return True
    boot, space, _ = lease.birth.split("|", 2)
    own_boot, own_space = _here().split("|")
    if spans_machines:
        is_seen = boot == machine() and space == own_space
        return is_seen and shared_identity(lease.pid) != lease.birth
    if boot:
        if boot != own_boot:
            return True
        if space != own_space:
            return False
    return process_identity(lease.pid) != lease.birth


def current(db: MemoryConnection) -> list[Lease]:
    """Return every lease, also those of windows that have ended."""
    return [Lease(*row) for row in db.all("tasks.leases")]


def ended(db: MemoryConnection) -> list[Lease]:
    """Return the leases of windows that have ended."""
    return [lease for lease in current(db) if has_ended(lease, spans_machines=db.spans_machines)]


def release(db: MemoryConnection, caller: Caller) -> None:
    """Return the tasks of windows that have ended to the board; their leases are deleted."""
    if not ended(db):
        return
    db.run("tasks.lock")  # another machine may be releasing the same ones
    for lease in ended(db):
        if db.value("tasks.delete_lease", (lease.task,)) is not None:
            db.run("tasks.set_status", (after(lease.id, "in_progress", RELEASE), time.time(), lease.task))
            note(db, caller, RELEASE, lease.id, {"pid": lease.pid}, None)


def tidy(memories: MemoryStore, caller: Caller) -> None:
    """Release the leases of windows that have ended, before a read; it writes only if there are any."""
    with memories.store.read() as db:
        over = bool(ended(db))
    if over:
        # a lease that cannot be released now is released by a later caller
        with contextlib.suppress(StoreFailed), memories.store.write() as db:
            release(db, caller)


def release_ended(memories: MemoryStore) -> None:
    """Release the leases of windows that have ended, so that other machines need not wait for the server's clock.
    Errors: db_error.
    """
    with memories.store.read() as db:
        over = bool(ended(db))
    if over:
        with memories.store.write() as db:
            release(db, Caller())


def renew(memories: MemoryStore) -> int:
    """Put off the end of the leases of this machine's living windows, in a database that several machines share.

    Returns: how many there are. Errors: db_error.
    """
    with memories.store.read() as db:
        if not db.spans_machines:
            return 0
        own = [lease.task for lease in current(db) if lease.birth.partition("|")[0] == machine()]
        own = [task for task in own if task not in {lease.task for lease in ended(db)}]
    if own:
        with memories.store.write() as db:
            db.run("tasks.renew", (as_json(own),))
    return len(own)

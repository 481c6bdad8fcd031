"""Which processes belong to a world of directories, what they cost, and how they are ended."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterable

import psutil

from tests.harness.waiting import PATIENCE_S, comes

MEGABYTE = 1_000_000
SAMPLE_S = 0.025
Gone = (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess)


def alive(pid: int) -> bool:
    """Whether the process runs (a zombie does not)."""
    with contextlib.suppress(*Gone):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


def ended(pid: int, patience_s: float = PATIENCE_S) -> bool:
    """Wait until a process does not run any more; whether that came in time."""
    if sys.platform != "linux":
        return comes(lambda: not alive(pid), patience_s)
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(patience_s * 1000))
    finally:
        os.close(handle)


def with_argument(word: str) -> list[int]:
    """The processes that run with a word on their command line: a process with numbers of its own cannot tell the one that it has here."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(*Gone):
            if word in process.cmdline() and alive(process.pid):
                found.append(process.pid)
    return found


class Roster:
    """Every process, other than this one, that was started with one CODEAGENT_RUNTIME_DIR. Remembers whom it has asked: sampling stays cheap."""

    def __init__(self, runtime_dir: str) -> None:
        self._runtime_dir = runtime_dir
        self._known: dict[int, bool] = {os.getpid(): False}

    def present(self) -> set[int]:
        """The living ones."""
        pids = set(psutil.pids())
        self._known = {pid: ours for pid, ours in self._known.items() if pid in pids}
        for pid in pids - self._known.keys():
            self._known[pid] = self._is_ours(pid)
        return {pid for pid, ours in self._known.items() if ours and alive(pid)}

    def _is_ours(self, pid: int) -> bool:
        with contextlib.suppress(*Gone, OSError):
            return bool(psutil.Process(pid).environ().get("CODEAGENT_RUNTIME_DIR") == self._runtime_dir)
        return False


def end(pids: Iterable[int], patience_s: float = 5.0) -> None:
    """Terminate processes by their ids; kill those that stay."""
    processes = []
    for pid in pids:
        with contextlib.suppress(*Gone):
            process = psutil.Process(pid)
            process.terminate()
            processes.append(process)
    for process in _staying(processes, patience_s):
        with contextlib.suppress(*Gone):
            process.kill()
    _staying(processes, patience_s)


def _staying(processes: Iterable[psutil.Process], patience_s: float) -> list[psutil.Process]:
    """Those that have not ended in time; a zombie has ended, though its new parent may take a second to reap it."""
    deadline = time.monotonic() + patience_s
    return [
        process
        for process in processes
        if process.is_running() and not ended(process.pid, max(0.0, deadline - time.monotonic()))
    ]


def family(pid: int) -> list[psutil.Process]:
    """A process and everything below it."""
    with contextlib.suppress(*Gone):
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    return []


def rss_bytes(pids: Iterable[int]) -> int:
    """Resident memory of the processes together."""
    total = 0
    for pid in pids:
        with contextlib.suppress(*Gone):
            total += psutil.Process(pid).memory_info().rss
    return total


def pss_bytes(pid: int) -> int:
    """A process's own share of the memory it shares with others (resident memory where the system does not tell)."""
    with contextlib.suppress(*Gone):
        memory = psutil.Process(pid).memory_full_info()
        return int(getattr(memory, "pss", memory.rss))
    return 0


class Meter(threading.Thread):
    """Samples CPU and memory of a changing set of processes until it is finished."""

    def __init__(self, pids: Callable[[], set[int]], leave_out: Callable[[], set[int]] = set) -> None:
        super().__init__(daemon=True)
        self._pids, self._leave_out = pids, leave_out
        self._finished = threading.Event()
        self._cpu_s: dict[int, float] = {}
        self.peak_rss = 0
        self.most_processes = 0

    def run(self) -> None:
        """Sample until `finish`."""
        while not self._finished.wait(SAMPLE_S):
            self.sample()

    def sample(self) -> None:
        """Look once."""
        rss = count = 0
        for pid in self._pids() - self._leave_out():
            with contextlib.suppress(*Gone):
                process = psutil.Process(pid)
                times = process.cpu_times()
                self._cpu_s[pid] = times.user + times.system
                rss += process.memory_info().rss
                count += 1
        self.peak_rss = max(self.peak_rss, rss)
        self.most_processes = max(self.most_processes, count)

    def finish(self, daemon: int) -> float:
        """Stop; CPU seconds of all processes, living and dead: the larger of what was sampled and what the daemon knows of its children."""
        self._finished.set()
        self.join()
        self.sample()
        known = 0.0
        for process in family(daemon):
            with contextlib.suppress(*Gone):
                times = process.cpu_times()
                known += times.user + times.system + times.children_user + times.children_system
        return max(known, sum(self._cpu_s.values()))

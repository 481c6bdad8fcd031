"""The machine and its load: memory, processor load, battery power, and low scheduling priority for a process."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path
from typing import Final

from .limits import NICENESS

POWER: Final = Path("/sys/class/power_supply")  # Documentation/ABI/testing/sysfs-class-power
# number of the system call, which glibc has no function for
_IOPRIO_SET: Final = {"x86_64": 251, "aarch64": 30, "riscv64": 30}
_IOPRIO_WHO_PROCESS: Final = 1
_IOPRIO_IDLE: Final = 3 << 13

if sys.platform == "win32":
    KILL: Final = signal.SIGTERM  # os.kill ends a process there at once, whatever it is given
else:
    KILL: Final = signal.SIGKILL


def load_per_core() -> float:
    """Return the load average of the last minute divided by the number of cores; 0 where the system does not
    report it.
    """
    if sys.platform == "win32":
        return 0.0
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except OSError:
        return 0.0


def memory_bytes() -> int:
    """Return the memory of the machine in bytes; 0 where the system does not report it."""
    if sys.platform == "win32":
        return 0
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return 0


def on_battery(supplies: Path = POWER) -> bool:
    """Whether the machine runs on its battery (one of a mouse does not count); False where the system does not report
    it.
    """
    try:
        supply_folders = list(supplies.iterdir())
    except OSError:
        return False
    return any(
        _word(supply / "type") == "Battery"
        and _word(supply / "scope") != "Device"
        and _word(supply / "status") == "Discharging"
        for supply in supply_folders
    )


def is_wsl(release: str = "") -> bool:
    """Whether this Linux runs under Windows (WSL), by the name of its kernel. `release`: the kernel release to
    judge.
    """
    return sys.platform != "win32" and "microsoft" in (release or os.uname().release).lower()


def lower_priority(task: int = 0) -> None:
    """Give the process or thread with the id `task` (0: this one) the lowest priority for processor and disk; errors of
    the system are ignored.
    """
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, task, NICENESS)  # Linux: of a thread; elsewhere of a process
    number = _IOPRIO_SET.get(os.uname().machine) if sys.platform == "linux" else None
    if number:
        ctypes.CDLL(None).syscall(number, _IOPRIO_WHO_PROCESS, task, _IOPRIO_IDLE)


def _word(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""

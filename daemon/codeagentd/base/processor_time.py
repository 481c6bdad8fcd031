"""Processor time: limits for a piece of work in this process, and what another process has used."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Return a context in which this process may use `seconds` of processor time (0: any); then a signal of the system
    ends it, whatever code runs. Waiting does not count.
    """
    if not seconds or sys.platform == "win32":
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@contextlib.contextmanager
def uncounted() -> Iterator[None]:
    """Return a context whose processor time does not count for a limit around it: work that is done once in a process,
    whoever needs it first.
    """
    if sys.platform == "win32":
        yield
        return
    left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
    try:
        yield
    finally:
        if left:
            signal.setitimer(signal.ITIMER_PROF, left)


def used(pid: int) -> int | None:
    """Return how many nanoseconds of processor time the main thread of the process `pid` has used; None where the
    system does not say.
    """
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[0])
    except (OSError, ValueError, IndexError):
        return None

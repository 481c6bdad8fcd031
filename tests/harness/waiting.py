"""Waiting for what is to come: nothing is true at once when processes have to do it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE_S = 30.0
LOOK_S = 0.02  # seconds between two looks, or twice what a look takes: one that runs a command takes a core


def comes(found: Callable[[], object], patience_s: float = PATIENCE_S) -> bool:
    """Whether something comes to pass in time."""
    return bool(_awaited(found, patience_s))


def eventually(found: Callable[[], T], patience_s: float = PATIENCE_S) -> T:
    """What is found once it is something. Errors: AssertionError when it does not come in time."""
    value = _awaited(found, patience_s)
    assert value, "it did not come"
    return value


def _awaited(found: Callable[[], T], patience_s: float) -> T:
    """What is found in the end, be it nothing."""
    deadline = time.monotonic() + patience_s
    while True:
        began = time.monotonic()
        value = found()
        ended = time.monotonic()
        if value or ended > deadline:
            return value
        time.sleep(max(LOOK_S, 2 * (ended - began)))

"""Waiting for what is to come: nothing is true at once when processes have to do it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE_S = 30.0
LOOK_S = 0.02


def comes(found: Callable[[], object], patience_s: float = PATIENCE_S) -> bool:
    """Whether something comes to pass in time."""
    deadline = time.monotonic() + patience_s
    while not found():
        if time.monotonic() > deadline:
            return False
        time.sleep(LOOK_S)
    return True


def eventually(found: Callable[[], T], patience_s: float = PATIENCE_S) -> T:
    """What is found once it is something. Errors: AssertionError when it does not come in time."""
    deadline = time.monotonic() + patience_s
    while not (value := found()):
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(LOOK_S)
    return value

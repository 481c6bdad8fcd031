"""Waiting: for what is to come, which nothing announces, and for time that has to pass. No other test or harness sleeps.

Where there is an event, wait for that: `processes.ended` for the end of a process, `threading.Event`, an answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE_S = 30.0
LOOK_S = 0.01  # seconds between two looks, or twice what a look takes: one that runs a command takes a core


def comes(found: Callable[[], object], patience_s: float = PATIENCE_S) -> bool:
    """Whether something comes to pass in time."""
    return bool(_awaited(found, patience_s))


def eventually(
    found: Callable[[], T], patience_s: float = PATIENCE_S, *, explain: Callable[[], object] = lambda: "it did not come"
) -> T:
    """What is found once it is something. Errors: AssertionError with the explanation when it does not come in time."""
    value = _awaited(found, patience_s)
    assert value, explain()
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


async def eventually_beside(found: Callable[[], T], patience_s: float = PATIENCE_S) -> T:
    """As `eventually`, beside the other tasks of an event loop."""
    async with asyncio.timeout(patience_s):
        while not (value := found()):  # noqa: ASYNC110 - what changes is in other threads or processes
            await asyncio.sleep(LOOK_S)
    return value


def let_pass(seconds: float, why: str) -> None:
    """Let time pass where that is the subject: a clock has to advance, a server is slow, nothing may happen meanwhile."""
    assert why
    time.sleep(seconds)


async def let_pass_beside(seconds: float, why: str) -> None:
    """As `let_pass`, beside the other tasks of an event loop."""
    assert why
    await asyncio.sleep(seconds)

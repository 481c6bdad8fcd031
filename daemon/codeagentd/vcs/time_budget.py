"""A time budget for git: the seconds that one tool call may spend on all of its git commands together.

A repository's configuration can make each git process slow (by includes of includes), and a call runs several commands
one after the other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Budget:
    """The seconds that a call has left for git, and whether one of its commands was cut off for want of time."""

    def __init__(self, seconds: float) -> None:
        self.left_s = seconds
        self.is_late = False


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def at_most(seconds: float) -> Iterator[Budget]:
    """Limit all git commands that this thread runs inside the block to `seconds` together. The context gives the
    budget.
    """
    token = _current.set(budget := Budget(seconds))
    try:
        yield budget
    finally:
        _current.reset(token)


def is_late() -> bool:
    """Whether a git command of this call ran out of time. A negative result of the call then proves nothing."""
    budget = _current.get()
    return budget is not None and budget.is_late


@contextmanager
def spending(deadline_s: float) -> Iterator[float]:
    """Return a context that gives the seconds for one command, which has `deadline_s` of its own; they are taken from
    the budget of the call.

    A TimeoutError in the block passes on, and marks the call as late.
    """
    budget, begun = _current.get(), time.monotonic()
    try:
        yield deadline_s if budget is None else max(0.0, min(deadline_s, budget.left_s))
    except TimeoutError:
        if budget:
            budget.is_late = True
        raise
    finally:
        if budget:
            budget.left_s -= time.monotonic() - begun

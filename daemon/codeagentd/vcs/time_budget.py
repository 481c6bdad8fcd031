"""The time that one call may spend on questions to git, all of them together.

A repository's configuration can make each git process slow (by includes of includes), and a call asks several questions
one after the other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Budget:
    """What is left of a call's time for git, and whether a question of it went unanswered for want of time."""

    def __init__(self, seconds: float) -> None:
        self.left_s = seconds
        self.is_late = False


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def at_most(seconds: float) -> Iterator[Budget]:
    """Give all questions to git that this thread asks inside so much time together."""
    token = _current.set(budget := Budget(seconds))
    try:
        yield budget
    finally:
        _current.reset(token)


def is_late() -> bool:
    """Whether git did not answer a question of this call in time: what it seemed to say no to is not known then."""
    budget = _current.get()
    return budget is not None and budget.is_late


@contextmanager
def spending(deadline_s: float) -> Iterator[float]:
    """The seconds for one question, which has `deadline_s` of its own; they are taken from the call's.

    TimeoutError passes, and makes the call late.
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

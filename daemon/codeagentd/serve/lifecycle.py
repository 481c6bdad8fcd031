"""The states of the daemon, and the events that lead from one to the next: a table, and the translation of the engine's
reports into these events.
"""

from __future__ import annotations

from typing import Final

import msgspec

from codeagentd.model.engine_status import IndexStatus

STARTING: Final = "starting"  # nothing is known yet
INDEXING: Final = "indexing"  # answers come from what is there, and say that they are behind
READY: Final = "ready"
DEGRADED: Final = "degraded"  # works, with something missing: reason and remedy say what
DRAINING: Final = "draining"  # leaves as soon as what is in flight is answered
STATES: Final = (STARTING, INDEXING, READY, DEGRADED, DRAINING)

STALE: Final = "behind"
CAUGHT_UP: Final = "caught up"
TROUBLE: Final = "trouble"
LEAVE: Final = "leave"
EVENTS: Final = (STALE, CAUGHT_UP, TROUBLE, LEAVE)

TRANSITIONS: Final[dict[tuple[str, str], str]] = {
    (STARTING, STALE): INDEXING,
    (STARTING, CAUGHT_UP): READY,
    (STARTING, TROUBLE): DEGRADED,
    (STARTING, LEAVE): DRAINING,
    (INDEXING, STALE): INDEXING,
    (INDEXING, CAUGHT_UP): READY,
    (INDEXING, TROUBLE): DEGRADED,
    (INDEXING, LEAVE): DRAINING,
    (READY, STALE): INDEXING,
    (READY, CAUGHT_UP): READY,
    (READY, TROUBLE): DEGRADED,
    (READY, LEAVE): DRAINING,
    (DEGRADED, STALE): INDEXING,
    (DEGRADED, CAUGHT_UP): READY,
    (DEGRADED, TROUBLE): DEGRADED,
    (DEGRADED, LEAVE): DRAINING,
    (DRAINING, STALE): DRAINING,
    (DRAINING, CAUGHT_UP): DRAINING,
    (DRAINING, TROUBLE): DRAINING,
    (DRAINING, LEAVE): DRAINING,
}


class Condition(msgspec.Struct, frozen=True):
    """A state with what an operator should know and do about it."""

    state: str = STARTING
    reason: str = ""
    remedy: str = ""

    @property
    def is_draining(self) -> bool:
        """Whether nothing new is taken."""
        return self.state == DRAINING


def after(condition: Condition, event: str, reason: str = "", remedy: str = "") -> Condition:
    """The condition that an event leads to; a daemon that leaves keeps the reason it left for."""
    state = TRANSITIONS[condition.state, event]
    if condition.is_draining:
        return condition
    return Condition(state, reason, remedy)


def observed(condition: Condition, engine: IndexStatus, trouble: Condition) -> Condition:
    """The condition after a look at the engine. `trouble` is the daemon's own (a configuration it refused), with an
    empty reason for none.

    An engine in trouble comes first; the daemon's own trouble shows once the engine has none.
    """
    if engine.state == STARTING:
        return condition
    if engine.state == DEGRADED:
        return after(condition, TROUBLE, engine.reason, engine.remedy)
    if trouble.reason:
        return after(condition, TROUBLE, trouble.reason, trouble.remedy)
    return after(condition, CAUGHT_UP if engine.state == READY else STALE, engine.reason, engine.remedy)

"""The states of the daemon, and the events that lead from one to the next: a transition table, and the translation of
the engine's state into these events.
"""

from __future__ import annotations

from typing import Final

import msgspec

from codeagentd.model.engine_status import IndexStatus

STARTING: Final = "starting"  # the state is not known yet
INDEXING: Final = "indexing"  # answers come from the present index, and state that it is behind
READY: Final = "ready"
DEGRADED: Final = "degraded"  # works with a fault, which reason and remedy describe
DRAINING: Final = "draining"  # leaves as soon as running requests are answered
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
    """A state, with the reason and the remedy for an operator."""

    state: str = STARTING
    reason: str = ""
    remedy: str = ""

    @property
    def is_draining(self) -> bool:
        """Whether new requests are refused because the daemon is leaving."""
        return self.state == DRAINING


def after(condition: Condition, event: str, reason: str = "", remedy: str = "") -> Condition:
    """Return the condition that follows `condition` upon `event`, with this reason and remedy; a daemon that leaves
    keeps its first reason.
    """
    state = TRANSITIONS[condition.state, event]
    if condition.is_draining:
        return condition
    return Condition(state, reason, remedy)


def observed(condition: Condition, engine: IndexStatus, trouble: Condition) -> Condition:
    """Return the condition that follows `condition` when the status of the engine is read. `trouble` is a fault of the
    daemon itself (a configuration that it refused); its reason is '' without a fault.

    A fault of the engine comes first; the daemon's own is shown when the engine has none.
    """
    if engine.state == STARTING:
        return condition
    if engine.state == DEGRADED:
        return after(condition, TROUBLE, engine.reason, engine.remedy)
    if trouble.reason:
        return after(condition, TROUBLE, trouble.reason, trouble.remedy)
    return after(condition, CAUGHT_UP if engine.state == READY else STALE, engine.reason, engine.remedy)

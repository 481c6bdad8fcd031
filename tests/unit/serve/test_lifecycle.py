"""The states of the daemon."""

from __future__ import annotations

import itertools

import pytest

from codeagentd.model.engine_status import IndexStatus
from codeagentd.serve.lifecycle import (
    CAUGHT_UP,
    DEGRADED,
    DRAINING,
    EVENTS,
    INDEXING,
    LEAVE,
    READY,
    STALE,
    STARTING,
    STATES,
    TRANSITIONS,
    TROUBLE,
    Condition,
    after,
    observed,
)

NO_TROUBLE = Condition()
REFUSED = Condition(DEGRADED, "config.json is left out", "correct it")


@pytest.mark.parametrize(("state", "event"), list(itertools.product(STATES, EVENTS)))
def test_every_event_in_every_state_leads_somewhere(state, event):
    assert TRANSITIONS[state, event] in STATES


@pytest.mark.parametrize("event", EVENTS)
def test_a_daemon_that_leaves_never_comes_back(event):
    leaving = Condition(DRAINING, "asked to stop")
    assert after(leaving, event, "something else") == leaving


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ((), STARTING),
        ((STALE,), INDEXING),
        ((STALE, CAUGHT_UP), READY),
        ((STALE, TROUBLE), DEGRADED),
        ((STALE, TROUBLE, CAUGHT_UP), READY),
        ((CAUGHT_UP, STALE, CAUGHT_UP), READY),
        ((TROUBLE, LEAVE, CAUGHT_UP), DRAINING),
    ],
)
def test_states_follow_the_events(events, state):
    condition = Condition()
    for event in events:
        condition = after(condition, event)
    assert condition.state == state


def test_a_recovered_daemon_gives_no_reason_any_more():
    degraded = after(Condition(), TROUBLE, "disk full", "make room")
    assert (degraded.reason, degraded.remedy) == ("disk full", "make room")
    assert after(degraded, CAUGHT_UP) == Condition(READY)


@pytest.mark.parametrize(
    ("engine", "trouble", "state", "reason"),
    [
        (IndexStatus(state="starting"), REFUSED, STARTING, ""),
        (IndexStatus(state="indexing"), NO_TROUBLE, INDEXING, ""),
        (IndexStatus(state="ready"), NO_TROUBLE, READY, ""),
        (IndexStatus(state="ready"), REFUSED, DEGRADED, "config.json is left out"),
        (IndexStatus(state="degraded", reason="disk full"), REFUSED, DEGRADED, "disk full"),
    ],
)
def test_the_condition_is_what_engine_and_daemon_report(engine, trouble, state, reason):
    seen = observed(Condition(), engine, trouble)
    assert (seen.state, seen.reason) == (state, reason)

"""What the daemon knows of itself."""

from __future__ import annotations

import pytest

from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.errors import EngineUnavailable
from codeagentd.model.engine_status import IndexStatus, Watermark
from codeagentd.serve.daemon_state import Service
from codeagentd.serve.lifecycle import DEGRADED, Condition
from codeagentd.serve.tool_calls import ToolSelection


class ManualClock:
    """Stands still until moved."""

    def __init__(self):
        self.at = 100.0

    def ticks(self):
        return self.at

    def now(self):
        return self.at


class Engine:
    """Says what it is told to."""

    def __init__(self, status):
        self.told = status

    def status(self):
        if isinstance(self.told, Exception):
            raise self.told
        return self.told

    def watermark(self):
        return Watermark(9)


class NoWindows:
    """No client is connected."""

    count = 0
    dropped_frames = 3

    def windows(self):
        return ()


@pytest.fixture
def service(tmp_path):
    return Service(endpoint_of(tmp_path), ManualClock(), Condition())


def opened(service, status, trouble=None):
    service.trouble = trouble or Condition()
    service.sessions = NoWindows()
    engine = Engine(status)
    service.open(engine, None, ToolSelection([]))
    return engine


def test_before_the_engine_is_there_status_says_starting(service):
    service.clock.at = 102.5
    status = service.status()
    assert (status.state, status.uptime_s, status.caught_up, status.repo) == (
        "starting",
        2.5,
        False,
        service.endpoint.root,
    )
    with pytest.raises(EngineUnavailable):
        service.engine()


def test_status_repeats_the_engine(service):
    opened(
        service,
        IndexStatus(
            state="indexing", watermark=Watermark(4, "abc", False, 12), skipped={"binary": 3}, worker_pids=(1, 2)
        ),
    )
    status = service.status()
    assert (status.state, status.generation, status.head, status.pending_files) == ("indexing", 4, "abc", 12)
    assert (status.skipped, status.workers, status.dropped_frames) == ({"binary": 3}, 2, 3)


def test_an_engine_that_fails_to_tell_does_not_keep_status_from_answering(service):
    engine = opened(service, IndexStatus(state="ready", watermark=Watermark(4), indexed_files=7))
    service.status()
    engine.told = RuntimeError("no such table")
    status = service.status()
    assert (status.state, status.indexed_files, status.generation) == ("ready", 7, 9)


def test_trouble_of_the_daemons_own_shows_with_its_remedy(service):
    opened(service, IndexStatus(state="ready"), Condition(DEGRADED, "config.json is left out", "correct it"))
    status = service.status()
    assert (status.state, status.reason, status.remedy) == ("degraded", "config.json is left out", "correct it")


def test_a_daemon_leaves_once_and_lends_its_engine_no_more(service):
    opened(service, IndexStatus(state="ready"))
    assert service.leave("asked to stop")
    assert not service.leave("again")
    assert (service.status().state, service.status().reason) == ("draining", "asked to stop")
    with pytest.raises(EngineUnavailable):
        service.engine()


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (IndexStatus(state="ready"), True),
        (IndexStatus(state="degraded", watermark=Watermark(pending_files=4)), True),
        (IndexStatus(state="ready", queued=1), False),
        (IndexStatus(state="indexing"), False),
        (IndexStatus(state="starting"), False),
    ],
)
def test_a_daemon_is_idle_when_its_engine_does_nothing(service, status, expected):
    opened(service, status)
    assert service.is_idle() is expected


def test_a_daemon_with_a_window_is_not_idle(service):
    opened(service, IndexStatus(state="ready"))
    service.sessions.count = 1
    assert not service.is_idle()

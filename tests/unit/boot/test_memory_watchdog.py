"""A daemon that has too much memory makes way, and its successor says why."""

from __future__ import annotations

import os
import sys

import pytest

from codeagent_protocol import frames
from codeagent_protocol.endpoint import endpoint_of
from codeagentd.base.limits import RESTART_APART_S, RSS_PATIENCE_S
from codeagentd.boot import memory_watchdog
from codeagentd.boot.memory_watchdog import MemoryWatchdog, default_cap, record_exit_reason, take_exit_reason
from tests.unit.serve.raw_window import RawWindow
from tests.unit.serve.stub_process import StubDaemon

GREEDY = """
import os, sys
from codeagentd.boot import daemon_process, memory_watchdog
memory_watchdog.RSS_PATIENCE_S, daemon_process.RSS_LOOK_S = 0.2, 0.05
memory_watchdog.RESTART_APART_S = float(os.environ["APART_S"])
daemon_process.rss_bytes = lambda: 3_000_000_000
from tests.unit.serve.engineless import build
from codeagentd.boot.daemon import main
code = main(build=build)
sys.stdout.flush()
os._exit(code)
"""


class Greedy(StubDaemon):
    """A daemon that believes it has 3 GB."""

    COMMAND = (sys.executable, "-c", GREEDY)


class Clock:
    at = 0.0

    def ticks(self):
        return self.at

    def now(self):
        return self.at


def test_a_peak_passes_and_what_stays_is_told():
    clock = Clock()
    care = MemoryWatchdog(lambda: 1000, clock)
    assert care.trouble(2000) == ""
    clock.at += RSS_PATIENCE_S - 1
    assert care.trouble(2000) == ""
    assert care.trouble(1000) == ""
    clock.at += 2
    assert care.trouble(2_000_000) == ""
    clock.at += RSS_PATIENCE_S
    assert "2 MB" in care.trouble(2_000_000)
    assert not care.may_leave
    clock.at = RESTART_APART_S
    assert care.may_leave


def test_the_cap_follows_the_machine_and_the_repository(monkeypatch):
    monkeypatch.setattr(memory_watchdog, "memory_bytes", lambda: 24_000_000_000)
    assert default_cap(0) == 1_500_000_000
    assert default_cap(100_000) == 2_000_000_000
    monkeypatch.setattr(memory_watchdog, "memory_bytes", lambda: 2_000_000_000)
    assert default_cap(1_000_000) == 1_000_000_000
    monkeypatch.setattr(memory_watchdog, "memory_bytes", lambda: 0)
    assert default_cap(100_000) == 1_500_000_000


def test_a_word_is_told_once_and_a_missing_one_is_none(repo):
    endpoint = endpoint_of(repo)
    assert take_exit_reason(endpoint) == ""
    record_exit_reason(endpoint, "too much " * 200)
    assert take_exit_reason(endpoint).startswith("too much too much")
    assert take_exit_reason(endpoint) == ""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="only the peak is known here")
def test_a_daemon_that_has_too_much_memory_hands_its_windows_over_and_the_next_one_says_why(repo):
    with Greedy(repo, APART_S="1") as greedy, RawWindow(greedy.endpoint) as window:
        window.initialize()
        frame, _ = window.hear()
        while frame.kind != frames.DRAINING:
            frame, _ = window.hear()
        assert greedy.ended() == 0
        assert any("limits.max_rss_bytes" in str(event) for event in greedy.log())
        with StubDaemon(repo) as next_one:
            assert "limits.max_rss_bytes" in next_one.wait_up().status()["previous"]


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="only the peak is known here")
def test_a_daemon_that_needs_much_from_its_start_stays_and_says_so(repo):
    with Greedy(repo, APART_S="600") as greedy:
        status = greedy.wait_up().wait_status(state="degraded")
        assert "limits.max_rss_bytes" in status["reason"]
        assert greedy.ask("ping")["pid"] == greedy.process.pid

"""The ways in which a daemon leaves: on a signal, on request, for a newer one, when no client needs it."""

from __future__ import annotations

import os
import signal

import pytest

from codeagent_protocol import frames
from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.locks import FileLock
from codeagent_protocol.services import endpoint_line, place_of
from tests.harness.waiting import comes, eventually, let_pass
from tests.unit.serve.raw_window import RawWindow
from tests.unit.serve.stub_process import StubDaemon, wait_free


def next_kind(window: RawWindow) -> int:
    return window.hear()[0].kind


def is_tidy(daemon: StubDaemon) -> bool:
    """Whether the engine was closed, and nothing is left but the lock's file."""
    wait_free(daemon.endpoint)
    left = [path for path in (daemon.endpoint.socket, daemon.endpoint.control) if os.path.exists(path)]
    return not left and os.path.exists(os.path.join(daemon.endpoint.root, "closed"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_in_order(repo, number):
    with StubDaemon(repo) as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        daemon.process.send_signal(number)
        assert next_kind(window) == frames.BYE
        assert daemon.ended() == 0
        assert is_tidy(daemon)


@pytest.mark.parametrize(("verb", "last_kind"), [("stop", frames.BYE), ("restart", frames.DRAINING)])
def test_an_operator_ends_it_with_an_answer(repo, verb, last_kind):
    with StubDaemon(repo) as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        assert daemon.ask(verb)["pid"] == daemon.process.pid
        assert next_kind(window) == last_kind
        assert daemon.ended() == 0
        assert is_tidy(daemon)


def test_what_is_in_flight_is_answered_before_it_leaves(repo):
    with StubDaemon(repo) as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        napping = window.request("tools/call", {"name": "nap", "arguments": {"seconds": 0.5}})
        eventually((repo / "napping").exists)
        daemon.ask("stop")
        late = window.request("tools/call", {"name": "echo"})
        _, answer = window.answer_to(napping)
        assert answer["result"]["structuredContent"] == {"text": "awake"}
        assert next_kind(window) == frames.BYE
        assert daemon.ended() == 0
        with pytest.raises(TimeoutError):  # left to the next daemon
            window.answer_to(late, 0.1)


def test_what_takes_too_long_is_left_to_the_next_daemon(repo):
    with StubDaemon(repo) as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        napping = window.request("tools/call", {"name": "nap", "arguments": {"seconds": 60}})
        eventually((repo / "napping").exists)
        daemon.ask("stop")
        assert daemon.ended() == 0
        assert is_tidy(daemon)
        with pytest.raises(TimeoutError):
            window.answer_to(napping, 0.1)


def test_a_newer_window_is_served_until_its_own_daemon_takes_over(repo):
    with (
        StubDaemon(repo) as older,
        RawWindow(older.wait_up().endpoint) as old,
        RawWindow(older.endpoint, product="99.0.0") as new,
    ):
        old.initialize()
        new.initialize()
        older.seem_older()
        with StubDaemon(repo, "--succeed") as newer:
            assert next_kind(old) == next_kind(new) == frames.DRAINING
            assert older.ended() == 0
            with RawWindow(newer.wait_up().endpoint) as later:
                later.initialize()


def test_where_a_service_is_installed_a_newer_window_makes_it_leave_for_the_managers(
    repo, monkeypatch, tmp_path_factory
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    endpoint = endpoint_of(repo)
    os.makedirs(os.path.dirname(place_of(endpoint)))
    with open(place_of(endpoint), "w", encoding="utf-8") as file:
        file.write(f"[Socket]\n{endpoint_line(endpoint)}\n")
    with (
        StubDaemon(repo) as daemon,
        RawWindow(daemon.wait_up().endpoint) as old,
        RawWindow(daemon.endpoint, product="99.0.0") as new,
    ):
        old.initialize()
        frame, _ = new.greet()
        assert frame.kind == frames.DRAINING
        assert next_kind(old) == frames.DRAINING
        assert daemon.ended() == 0
        assert is_tidy(daemon)
        assert [event["reason"] for event in daemon.log() if event["event"] == "leaving"] == [
            "a window has the newer version 99.0.0"
        ]


def test_a_daemon_of_the_same_version_is_not_taken_over(repo):
    with StubDaemon(repo) as first, StubDaemon(first.wait_up().endpoint.root, "--succeed") as second:
        assert second.ended() == 0
        assert first.ask("ping")["pid"] == first.process.pid


def test_of_several_successors_one_takes_over(repo):
    with StubDaemon(repo) as older:
        older.wait_up().seem_older()
        turn = FileLock(older.endpoint.successor_lock)
        assert turn.try_take()
        with StubDaemon(repo, "--succeed") as second:
            assert second.ended() == 0
        turn.release()
        assert older.ask("ping")["pid"] == older.process.pid


def test_where_nobody_serves_any_more_a_successor_serves(repo):
    with StubDaemon(repo, "--succeed") as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        assert daemon.ask("ping")["pid"] == daemon.process.pid


def test_an_older_window_is_served(repo):
    with StubDaemon(repo) as daemon, RawWindow(daemon.wait_up().endpoint, product="0.0.1") as window:
        window.initialize()
        assert window.call("echo", {"text": "hi"})["structuredContent"] == {"text": "hi"}


def test_while_it_leaves_status_says_so_and_newcomers_are_sent_on(repo):
    with (
        StubDaemon(repo) as daemon,
        RawWindow(daemon.wait_up().endpoint) as window,
        RawWindow(daemon.endpoint) as newcomer,
    ):
        window.initialize()
        window.request("tools/call", {"name": "nap", "arguments": {"seconds": 2}})
        eventually((repo / "napping").exists)
        daemon.ask("stop")
        assert daemon.status()["state"] == "draining"
        assert comes(
            lambda: newcomer.greet()[0].kind == frames.DRAINING
        )  # the loop of the windows may hear of it a moment later


def test_an_idle_daemon_leaves_and_one_with_a_window_stays(repo):
    with StubDaemon(repo, "--idle-exit", "0.2") as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        began = daemon.status()["uptime_s"]
        let_pass(0.6, "an idle daemon would have left")
        assert daemon.status()["uptime_s"] > began + 0.5
        window.tell(frames.BYE)
        assert daemon.ended() == 0
        assert is_tidy(daemon)
        assert [event["reason"] for event in daemon.log() if event["event"] == "leaving"] == ["idle"]


def test_a_daemon_that_still_indexes_is_not_idle(repo):
    with StubDaemon(repo, "--idle-exit", "0.1", STUB_STATE="indexing") as daemon:
        daemon.wait_up()
        let_pass(0.6, "an idle daemon would have left")
        assert daemon.process.poll() is None


def test_a_refused_configuration_degrades_the_daemon_and_no_more(repo):
    (repo / ".codeagent").mkdir()
    (repo / ".codeagent" / "config.json").write_text('{"embedding": {"model_path": "/tmp/evil"}}')
    with StubDaemon(repo) as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        fields = daemon.wait_status(state="degraded")
        assert "'embedding.model_path' may not be set by a repository" in fields["reason"]
        assert "config.json" in fields["remedy"]
        window.initialize()
        assert window.call("echo", {"text": "hi"})["structuredContent"] == {"text": "hi"}


def test_toolsets_of_the_settings_are_for_windows_that_choose_none(repo):
    (repo / ".codeagent").mkdir()
    (repo / ".codeagent" / "config.json").write_text('{"toolsets": "engine"}')
    with StubDaemon(repo) as daemon, RawWindow(daemon.wait_up().endpoint, toolsets="") as window:
        window.initialize()
        assert "echo" in [tool["name"] for tool in window.ask("tools/list")["result"]["tools"]]


def test_toolsets_of_the_settings_that_do_not_exist_refuse_nobody(repo):
    (repo / ".codeagent").mkdir()
    (repo / ".codeagent" / "config.json").write_text('{"toolsets": "nonsense"}')
    with StubDaemon(repo) as daemon, RawWindow(daemon.wait_up().endpoint, toolsets="") as window:
        window.initialize()
        assert "nonsense" in daemon.wait_status(state="degraded")["reason"]


def test_an_engine_that_cannot_be_built_ends_the_daemon_with_a_word(repo):
    with StubDaemon(repo, STUB_BROKEN="1") as daemon:
        assert daemon.ended() == 1
        wait_free(daemon.endpoint)
        with open(daemon.endpoint.start_log, encoding="utf-8") as file:
            assert "the daemon failed: RuntimeError" in file.read()
        assert not os.path.exists(daemon.endpoint.socket)

"""Daemons die; the client gets one answer for each request all the same."""

from __future__ import annotations

import os
import random
import shutil
import signal
import threading
from collections.abc import Callable

from codeagent_protocol.frames import REPLAY, RESENT
from tests.harness.waiting import let_pass
from tests.unit.shim.stage import Stage


def test_a_request_in_flight_when_the_daemon_is_killed_is_answered_by_the_next_one(stage: Stage):
    window = stage.connected()
    hanging = window.begin("hang", {"word": "kept"})
    stage.noted(lambda notes: any(note.get("method") == "hang" for note in notes))
    stage.kill_daemon()
    answer = window.finish(hanging)
    assert answer.result["params"] == {"word": "kept"}
    assert answer.result["pid"] == stage.daemons()[1]


def test_the_next_daemon_is_told_the_session_in_the_clients_order(stage: Stage):
    window = stage.connected()
    assert window.request("echo").result
    wanted = [window.begin("hang")]
    assert "error" not in window.request("resources/subscribe", {"uri": "x"}).message
    wanted.append(window.begin("hang"))
    stage.noted(lambda notes: sum(note.get("method") == "hang" for note in notes) == 2)
    stage.kill_daemon()
    for number in wanted:
        assert window.finish(number).result
    assert stage.lines(stage.daemons()[1]) == [
        (1, REPLAY, "initialize"),
        (2, REPLAY, "notifications/initialized"),
        (4, RESENT, "hang"),
        (5, REPLAY, "resources/subscribe"),
        (6, RESENT, "hang"),
    ]
    assert window.request("echo").result
    assert window.surplus == 0


def test_an_idle_window_fetches_a_daemon_back_at_once(stage: Stage):
    window = stage.connected()
    assert window.request("echo").result
    stage.kill_daemon()
    notes = stage.noted(lambda notes: sum(note["event"] == "line" and note["flags"] == REPLAY for note in notes) == 2)
    assert sum(note["event"] == "born" for note in notes) == 2


def test_a_window_without_a_session_leaves_a_dead_daemon_dead_until_it_is_needed(stage: Stage):
    window = stage.window()
    stage.noted(lambda notes: any(note["event"] == "hello" for note in notes))
    stage.kill_daemon()
    window.initialize()
    assert len(stage.daemons()) == 2
    assert [note["event"] for note in stage.journal() if note["pid"] == stage.daemons()[1]][:3] == [
        "born",
        "hello",
        "line",
    ]


def test_a_request_that_kills_every_daemon_is_answered_with_an_error_and_the_session_lives_on(
    make_stage: Callable[..., Stage],
):
    stage = make_stage(PAUSES_S=[0, 0, 0, 0, 0])
    window = stage.connected()
    answer = window.request("crash")
    error = answer.message["error"]
    assert error["data"]["code"] == "engine_unavailable"
    assert ".log" in error["data"]["remedy"]
    assert len(stage.daemons()) == 6
    assert window.request("echo").result["pid"] == stage.daemons()[6]
    assert window.surplus == 0


def test_a_daemon_that_cannot_start_is_reported_with_its_last_words_and_tried_again_by_the_next_request(
    make_stage: Callable[..., Stage],
):
    stage = make_stage("die-at-once", PAUSES_S=[0, 0, 0, 0, 0])
    window = stage.window()
    for _ in range(2):
        error = window.request("initialize").message["error"]
        assert error["code"] == -32000
        assert "the stub was told to die" in error["message"]
        assert "codeagentd doctor" in error["message"]
    assert window.surplus == 0


def test_a_daemon_that_lives_but_never_greets_is_reported(make_stage: Callable[..., Stage]):
    stage = make_stage("silent", PATIENCE_S=0.3)
    window = stage.window()
    error = window.request("initialize").message["error"]
    assert error["data"]["code"] == "engine_unavailable"
    assert "codeagentd status" in error["message"]


def test_a_daemon_that_forgot_the_session_is_told_it_again(stage: Stage):
    window = stage.connected()
    answer = window.request("forget")
    assert answer.result["pid"] == stage.daemons()[0]
    assert stage.lines(stage.daemons()[0])[3:] == [
        (1, REPLAY, "initialize"),
        (2, REPLAY, "notifications/initialized"),
        (3, RESENT, "forget"),
    ]
    assert window.request("echo").result
    assert window.surplus == 0


def test_a_runtime_directory_that_was_cleared_away_is_made_again(stage: Stage):
    window = stage.connected()
    shutil.rmtree(stage.environment["CODEAGENT_RUNTIME_DIR"])
    stage.kill_daemon()
    assert window.request("echo").result["pid"] == stage.daemons()[1]


def test_a_silent_daemon_is_not_given_up_while_it_lives(make_stage: Callable[..., Stage]):
    stage = make_stage(PULSE_S=0.05)
    window = stage.connected()
    holding = window.begin("hold")
    pid = stage.daemons()[0]
    os.kill(pid, signal.SIGSTOP)
    let_pass(0.3, "several pulses of a daemon that cannot answer them")
    os.kill(pid, signal.SIGCONT)
    assert window.request("echo").result["pid"] == pid
    assert stage.daemons() == [pid]
    stage.kill_daemon()
    stage.noted(lambda notes: any(note.get("method") == "hold" and note["flags"] == RESENT for note in notes))
    assert holding not in window.answers


def test_a_daemon_that_has_stopped_is_reported_with_what_to_do_and_its_late_answer_dropped(
    make_stage: Callable[..., Stage],
):
    stage = make_stage(PULSE_S=0.05, PULSES=4)
    window = stage.connected()
    pid = stage.daemons()[0]
    os.kill(pid, signal.SIGSTOP)
    try:
        for _ in range(2):
            error = window.request("echo").message["error"]
            assert "not answer" in error["message"]
            assert "codeagentd restart" in str(error)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert window.request("echo").result["pid"] == pid
    window.drain(0.2)
    assert window.surplus == 0


def test_a_busy_daemon_that_answers_pulses_is_waited_for(make_stage: Callable[..., Stage]):
    window = make_stage(PULSE_S=0.02, PULSES=4).connected()
    holding = window.begin("hold")
    window.drain(0.5)
    assert holding not in window.answers


def test_every_request_is_answered_once_while_daemons_are_killed_again_and_again(stage: Stage):
    windows = [stage.connected() for _ in range(3)]
    randomness = random.Random(5)
    stopping = threading.Event()

    def kill() -> None:
        try:
            for _ in range(5):
                born = len(stage.daemons())
                let_pass(randomness.uniform(0.02, 0.2), "it works for a moment")
                stage.kill_daemon()
                stage.noted(lambda notes, born=born: sum(note["event"] == "born" for note in notes) > born)
        finally:
            stopping.set()

    killer = threading.Thread(target=kill)
    killer.start()
    asked = 0
    while not stopping.is_set():
        wanted = [(window, window.begin("echo", {"at": asked})) for window in windows for _ in range(5)]
        assert [window.finish(number).result["params"] for window, number in wanted] == [{"at": asked}] * len(wanted)
        asked += 1
    killer.join()
    assert asked > 10
    for window in windows:
        window.drain(0.05)
        assert set(window.answers.values()) == {1}
        assert window.surplus == 0

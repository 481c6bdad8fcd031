"""A client talks through a shim as if it held the daemon's own pipes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from codeagent_protocol import frames
from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.locks import FileLock
from tests.harness import processes
from tests.unit.shim.stage import Stage


def test_a_request_is_answered_through_the_daemon(stage: Stage):
    window = stage.connected()
    answer = window.request("echo", {"word": "ümlaut"})
    assert answer.result["params"] == {"word": "ümlaut"}
    assert answer.result["pid"] == stage.daemons()[0]


def test_lines_arrive_in_order_and_numbered_from_one(stage: Stage):
    window = stage.connected()
    wanted = [window.begin("echo", {"at": at}) for at in range(200)]
    assert [window.finish(number).result["params"]["at"] for number in wanted] == list(range(200))
    told = stage.lines(stage.daemons()[0])
    assert [seq for seq, _, _ in told] == list(range(1, 203))
    assert [method for _, _, method in told[:3]] == ["initialize", "notifications/initialized", "echo"]


def test_lines_sent_before_the_daemon_is_up_wait_for_it(make_stage: Callable[..., Stage]):
    stage = make_stage("slow")
    window = stage.window()
    wanted = [window.begin(method) for method in ("initialize", "echo", "echo")]
    assert all(window.finish(number).result for number in wanted)
    assert [flags for _, flags, _ in stage.lines(stage.daemons()[0])] == [0, 0, 0]


def test_a_second_answer_to_the_same_request_is_dropped(stage: Stage):
    window = stage.connected()
    assert window.request("twice").result
    assert window.request("echo").result
    assert window.surplus == 0


def test_notifications_and_requests_of_the_server_reach_the_client_and_its_responses_the_daemon(stage: Stage):
    window = stage.connected()
    assert window.request("notify").result
    notes = stage.noted(lambda notes: any(note.get("method") == "response" for note in notes))
    assert [note["id"] for note in notes if note.get("method") == "response"] == ["s1"]


def test_noise_from_the_daemon_harms_nobody_and_a_header_of_a_newer_peer_is_understood(stage: Stage):
    window = stage.connected()
    assert "error" not in window.request("noise").message
    assert window.request("echo").result
    assert window.surplus == 0


def test_garbage_lines_are_forwarded_as_they_are_and_blank_ones_are_not(stage: Stage):
    window = stage.connected()
    os.write(window.process.stdin.fileno(), b'\n  \t\n\xff\xfe{"broken\r\n')
    assert window.request("echo").result
    assert [method for _, _, method in stage.lines(stage.daemons()[0])][2:] == ["garbage", "echo"]


def test_the_daemon_learns_who_the_window_is_and_what_it_wants(stage: Stage):
    flags = ("--toolsets", "all", "--tools=a,b", "--exclude-tools", "c", "--read-only", "--tool-names", "underscore")
    window = stage.window("--repo", str(stage.repo), *flags, CODEAGENT_ALLOW_EXEC="1", CODEAGENT_TOOLSETS="symbols")
    window.initialize()
    hello = stage.journal("hello")[0]["hello"]
    assert hello["pid"] == window.pid
    assert hello["parent_pid"] == os.getpid()
    assert hello["repo"] == str(stage.repo)
    assert (hello["toolsets"], hello["tools"], hello["exclude_tools"], hello["tool_names"]) == (
        "all",
        "a,b",
        "c",
        "underscore",
    )
    assert hello["read_only"]
    assert hello["allow_exec"]


def test_the_identity_is_one_for_the_life_of_a_window_and_differs_between_windows(stage: Stage):
    first, second = stage.connected(), stage.connected()
    stage.kill_daemon()
    assert first.request("echo").result
    assert second.request("echo").result
    sessions = {note["hello"]["pid"]: set() for note in stage.journal("hello")}
    for note in stage.journal("hello"):
        sessions[note["hello"]["pid"]].add(note["session"])
    assert [len(names) for names in sessions.values()] == [1, 1]
    assert len(set.union(*sessions.values())) == 2
    assert all(len(bytes.fromhex(name)) == 16 for name in set.union(*sessions.values()))


def test_a_line_beyond_the_limit_is_refused_with_its_id_and_never_sent(stage: Stage):
    window = stage.connected()
    big = "x" * (frames.MAX_LINE_BYTES + 1)
    stdin = window.process.stdin
    stdin.write(json.dumps({"jsonrpc": "2.0", "id": 900, "method": "echo", "params": big}).encode() + b"\n")
    stdin.write(json.dumps({"method": "echo", "params": big, "jsonrpc": "2.0", "id": "tail"}).encode() + b"\n")
    stdin.write(b"y" * (frames.MAX_LINE_BYTES + 1) + b"\n")
    assert window.request("echo").result
    refused = [json.loads(line) for line in window.noise]
    assert [message["id"] for message in refused] == [900, "tail", None]
    assert {message["error"]["data"]["code"] for message in refused} == {"too_large"}
    assert [method for _, _, method in stage.lines(stage.daemons()[0])][2:] == ["echo"]


def test_a_line_of_exactly_the_limit_passes(stage: Stage):
    window = stage.connected()
    window.process.stdin.write(b"y" * frames.MAX_LINE_BYTES + b"\n")
    assert window.request("echo").result
    assert "garbage" in [method for _, _, method in stage.lines(stage.daemons()[0])]


def test_a_client_that_reads_late_gets_everything(stage: Stage):
    window = stage.connected()
    flood = window.begin("flood", {"messages": 40})
    after = [window.begin("echo", {"at": at}) for at in range(20)]
    stage.noted(
        lambda notes: sum(note.get("method") == "echo" for note in notes) == 20
    )  # the shim still takes lines while its answers are not read
    assert "error" not in window.finish(flood).message
    assert [window.finish(number).result["params"]["at"] for number in after] == list(range(20))
    assert window.surplus == 0


def test_what_a_client_does_not_read_waits_in_the_daemon_and_not_in_the_shim(stage: Stage):
    window = stage.connected()
    flood = window.begin("flood", {"messages": 500})  # 50 MB
    stage.noted(lambda notes: any(note.get("method") == "flood" for note in notes))
    after = window.begin("echo")
    stage.noted(lambda notes: any(note.get("method") == "echo" for note in notes))
    assert processes.rss_bytes([window.pid]) < 40 * processes.MEGABYTE
    assert "error" not in window.finish(flood).message
    assert window.finish(after).result


def test_an_older_daemon_gets_a_successor_of_our_version_and_serves_until_then(make_stage: Callable[..., Stage]):
    stage = make_stage("older")
    window = stage.connected()
    stage.noted(lambda notes: any(note["event"] == "would succeed" for note in notes))
    assert window.request("echo").result["pid"] == stage.daemons()[0]
    assert len(stage.daemons()) == 1


def test_a_daemon_that_already_has_a_successor_gets_no_other(make_stage: Callable[..., Stage]):
    stage = make_stage("older")
    runtime = Path(stage.environment["CODEAGENT_RUNTIME_DIR"])
    runtime.mkdir(mode=0o700, exist_ok=True)
    turn = FileLock(str(runtime / f"{endpoint_of(stage.repo).name}.next"))
    assert turn.try_take()
    window = stage.connected()
    assert window.request("echo").result
    turn.release()
    assert stage.connected().request("echo").result
    stage.noted(lambda notes: any(note["event"] == "would succeed" for note in notes))
    assert len(stage.journal("would succeed")) == 1


def test_a_daemon_of_another_version_that_is_no_older_gets_no_successor(stage: Stage):
    window = stage.connected()
    assert window.request("echo").result
    assert stage.journal("would succeed") == []

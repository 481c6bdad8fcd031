"""MCP through a real daemon process: both eras, errors, freshness, cancellation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from codeagent_protocol import frames
from codeagent_protocol.initialize import LATEST, PROTOCOL_VERSIONS, initialize_result
from codeagentd.serve.tool_calls import META_INDEX
from tests.unit.serve.raw_window import RawWindow
from tests.unit.serve.stub_process import StubDaemon

WATERMARK = {"generation": 7, "head": "c0ffee", "caught_up": True, "pending_files": 0}
MODERN = "2026-07-28"
ALWAYS_LOADED = dict.fromkeys(("fail", "grow", "nap", "spin", "stub.status", "write")) | {
    "echo": {"anthropic/alwaysLoad": True}
}  # `_meta` of the stub's tools
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.parametrize("version", PROTOCOL_VERSIONS)
def test_every_older_version_is_spoken(daemon, version):
    with RawWindow(daemon.endpoint) as window:
        assert window.initialize(version)["result"] == initialize_result(version)
        assert window.call("echo", {"text": "hi"})["structuredContent"] == {"text": "hi"}


def test_an_unknown_version_is_answered_with_the_latest(daemon):
    with RawWindow(daemon.endpoint) as window:
        assert window.initialize("1999-01-01")["result"]["protocolVersion"] == LATEST


CLIENT = {"name": "raw", "version": "1"}
HANDSHAKES = [
    ({}, "2025-06-18"),
    ({"protocolVersion": "2025-06-18"}, "2025-06-18"),
    ({"protocolVersion": "2025-11-25"}, "2025-11-25"),
    ({"capabilities": {}, "clientInfo": CLIENT}, "2025-06-18"),
    ({"protocolVersion": "2025-06-18", "capabilities": None, "clientInfo": {"name": "raw"}}, "2025-06-18"),
]
UNUSUAL = {"anything_more": "goes through the SDK"}


@pytest.mark.parametrize(("params", "version"), HANDSHAKES)
@pytest.mark.parametrize("more", [{}, UNUSUAL])
def test_a_handshake_may_leave_out_what_scripts_leave_out(daemon, params, version, more):
    with RawWindow(daemon.endpoint) as window:
        window.greet()
        assert window.ask("initialize", params | more)["result"] == initialize_result(version)
        assert window.call("echo", {"text": "hi"})["structuredContent"] == {"text": "hi"}
        assert window.call("echo", {"text": "hi"}, **UNUSUAL)["structuredContent"] == {"text": "hi"}


@pytest.mark.parametrize(
    ("method", "params", "named"),
    [
        ("initialize", {"capabilities": 5}, "capabilities"),
        ("initialize", {"clientInfo": {"name": []}}, "clientInfo.name"),
        ("initialize", {"protocolVersion": 5}, "protocolVersion"),
        ("tools/call", {}, "name is missing"),
        ("tools/call", {"name": "echo", "arguments": []}, "arguments"),
        ("resources/read", {}, "uri is missing"),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "onboard"}, "argument": {"value": "x"}},
            "argument.name is missing",
        ),
    ],
)
def test_the_error_of_a_malformed_request_says_what_is_wrong_with_it(daemon, method, params, named):
    with RawWindow(daemon.endpoint) as window:
        window.greet() if method == "initialize" else window.initialize()
        error = window.ask(method, params)["error"]
    assert error["code"] == -32602
    assert named in error["message"]
    assert error["data"]["code"] == "invalid_parameter"


def test_a_request_before_the_handshake_is_told_to_begin_with_it(daemon):
    with RawWindow(daemon.endpoint) as window:
        window.greet()
        error = window.ask("tools/call", {"name": "echo"})["error"]
        assert (error["code"], "initialize" in error["message"]) == (-32602, True)
        assert window.ask("initialize")["result"]["protocolVersion"] == "2025-06-18"
        assert window.call("echo", {"text": "hi"})["structuredContent"] == {"text": "hi"}


def test_a_client_without_handshake_is_served(daemon):
    with RawWindow(daemon.endpoint) as window:
        window.greet()
        found = window.ask("server/discover", {"_meta": ENVELOPE})["result"]
        assert MODERN in found["supportedVersions"]
        listed = window.ask("tools/list", {"_meta": ENVELOPE})["result"]
        assert {tool["name"]: tool.get("_meta") for tool in listed["tools"]} == ALWAYS_LOADED
        result = window.call("echo", {"text": "hi"}, _meta=ENVELOPE)
        assert result["structuredContent"] == {"text": "hi"}
        assert result["resultType"] == "complete"
        assert result["_meta"][META_INDEX] == WATERMARK


def test_the_usual_answers_are_the_sdks_own(daemon):
    with RawWindow(daemon.endpoint) as usual, RawWindow(daemon.endpoint) as unusual:
        native = usual.initialize(), usual.ask("tools/list"), usual.ask("ping")
        sdk = (
            unusual.initialize(anything_more="goes through the SDK"),
            unusual.ask("tools/list", {"x": 1}),
            unusual.ask("ping", {"x": 1}),
        )
    assert [answer["result"] for answer in native] == [answer["result"] for answer in sdk]
    assert {tool["name"]: tool.get("_meta") for tool in native[1]["result"]["tools"]} == ALWAYS_LOADED


STATELESS = [
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "explain_subsystem", "arguments": {"topic": "x"}}),
    ("prompts/get", {"name": "onboard"}),
    ("prompts/get", {"name": "nothing"}),
    ("resources/subscribe", {"uri": "codegraph://stats"}),
    ("resources/subscribe", {"uri": "codegraph://nothing"}),
    ("resources/unsubscribe", {"uri": "codegraph://stats"}),
    ("resources/unsubscribe", {"uri": "codegraph://nothing"}),
    ("logging/setLevel", {"level": "error"}),
    ("logging/setLevel", {"level": "emergency"}),
]


@pytest.mark.parametrize(("method", "params"), STATELESS)
def test_a_plain_request_is_answered_as_the_sdk_would(window, method, params):
    plain, unusual = window.ask(method, params), window.ask(method, params | {"x": 1})
    assert [plain.get("result"), plain.get("error")] == [unusual.get("result"), unusual.get("error")]


def test_what_clients_ask_when_they_start_needs_no_sdk(tmp_path):
    with StubDaemon(tmp_path) as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        for method, params in [*STATELESS, ("tools/list", {}), ("ping", {})]:
            window.ask(method, params)
        window.call("echo", {"text": "hi"})
        assert "the SDK is needed" not in [event["event"] for event in daemon.log()]
        window.ask("tools/list", {"x": 1})
        assert "the SDK is needed" in [event["event"] for event in daemon.log()]


def test_the_sdk_joins_a_session_that_began_without_it(window):
    window.call("echo")
    assert window.ask("no/such/method")["error"]["code"] == -32601
    assert window.ask("tools/list", {"x": 1})["result"]["tools"]


def test_a_tools_answer_carries_text_structure_and_watermark(window):
    result = window.call("echo", {"text": "ä\u2028"})
    assert result["structuredContent"] == {"text": "ä\u2028"}
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result["isError"] is False
    assert result["_meta"] == {META_INDEX: WATERMARK}


BOTH_WAYS = [
    ("echo", {"text": "hi"}),
    ("stub.status", {}),
    ("stub_status", {}),
    ("echo", {"colour": "red"}),
    ("no_such_tool", {}),
    ("grow", {"size": 100_000}),
]


@pytest.mark.parametrize(("name", "arguments"), BOTH_WAYS)
def test_a_plain_call_is_answered_as_the_sdk_would(window, name, arguments):
    assert window.call(name, arguments) == window.call(name, arguments, anything_more="goes through the SDK")


@pytest.mark.parametrize("meta", [{"progressToken": []}, ENVELOPE])
def test_an_envelope_of_the_wrong_kind_is_refused(window, meta):
    assert window.ask("tools/call", {"name": "echo", "_meta": meta})["error"]["code"] in (-32600, -32602)


def test_tools_are_found_under_dotted_and_underscored_names(window):
    assert window.call("stub.status") == window.call("stub_status")


@pytest.mark.parametrize(
    ("name", "arguments", "code", "named"),
    [
        ("no_such_tool", {}, "not_found", "no_such_tool"),
        ("echo", {"colour": "red"}, "invalid_parameter", "colour"),
        ("echo", {"text": 5}, "invalid_parameter", "text"),
        ("fail", {}, "internal", "fail"),
    ],
)
def test_a_tools_error_is_a_result_that_says_what_is_wrong(window, name, arguments, code, named):
    result = window.call(name, arguments)
    assert result["isError"]
    assert result["structuredContent"]["error"]["code"] == code
    assert named in result["content"][0]["text"]
    assert result["_meta"][META_INDEX] == WATERMARK


def test_a_bugs_own_words_go_neither_to_the_client_nor_to_the_log(daemon, window):
    answer = json.dumps(window.call("fail"))
    logged = json.dumps(daemon.log())
    assert "secret words" not in answer + logged
    assert "RuntimeError" in logged


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/such/method", {}, -32601),
        ("resources/read", {"uri": "codegraph://nothing"}, -32602),
        ("prompts/get", {"name": "nothing"}, -32602),
        ("tools/call", {"name": "echo", "arguments": []}, -32602),
        ("tools/call", {}, -32602),
    ],
)
def test_a_wrong_request_is_a_protocol_error(window, method, params, code):
    assert window.ask(method, params)["error"]["code"] == code


def test_a_request_before_the_handshake_is_an_error_and_not_a_hang(daemon):
    with RawWindow(daemon.endpoint) as window:
        window.greet()
        assert window.ask("tools/list")["error"]["code"] == -32602


def test_a_broken_line_is_answered_and_the_session_goes_on(window):
    for line in (b"{", b"[" * 200_000, b'"x"', b"\xff" * 1_000_000):
        frame, answer = window.answer_to(window.line(line))
        assert (frame.kind, answer["id"]) == (frames.LINE, None)
    assert window.call("echo", {"text": "still here"})["structuredContent"] == {"text": "still here"}


def test_a_large_question_is_refused_and_a_large_answer_cut(window):
    assert len(window.call("grow", {"size": 8_000_000})["structuredContent"]["text"]) < 100_000
    refused = window.call("echo", {"text": "x" * 5_000_000})
    assert refused["structuredContent"]["error"]["code"] == "too_large"


@pytest.mark.parametrize("more", [{}, {"anything_more": "goes through the SDK"}])
def test_a_cancelled_call_is_acknowledged_and_not_answered(window, more):
    napping = window.request("tools/call", {"name": "nap", "arguments": {"seconds": 1}} | more)
    cancelling = window.notify("notifications/cancelled", {"requestId": napping})
    settled = {window.hear()[0] for _ in range(2)}
    assert {(frame.kind, frame.ack) for frame in settled} == {(frames.ACK, napping), (frames.ACK, cancelling)}
    again = window.request("tools/call", {"name": "echo", "arguments": {"text": "new"}}, request_id=napping)
    assert window.answer_to(again)[1]["result"]["structuredContent"] == {"text": "new"}


def test_many_calls_in_flight_are_answered_once_each(window):
    asked = {
        window.request("tools/call", {"name": "echo", "arguments": {"text": str(number)}}): str(number)
        for number in range(300)
    }
    while asked:
        frame, payload = window.hear()
        assert json.loads(payload)["result"]["structuredContent"]["text"] == asked.pop(frame.ack)


def test_one_windows_burst_leaves_room_for_another(daemon, window):
    for _ in range(40):
        window.request("tools/call", {"name": "nap", "arguments": {"seconds": 0.5}})
    with RawWindow(daemon.endpoint) as other:
        other.initialize()
        began = daemon.status()["uptime_s"]
        other.call("echo")
        assert daemon.status()["uptime_s"] - began < 2.5  # forty naps, eight at a time, take that long


def test_only_the_chosen_tools_are_offered_and_callable(daemon):
    with RawWindow(
        daemon.endpoint, toolsets="all", exclude_tools="nap", read_only=True, tool_names="underscore"
    ) as window:
        window.initialize()
        names = [tool["name"] for tool in window.ask("tools/list")["result"]["tools"]]
        assert names == ["echo", "spin", "grow", "fail", "stub_status"]
        assert window.call("write", {"text": "x"})["structuredContent"]["error"]["code"] == "not_found"


def test_a_wrong_choice_of_tools_is_refused_with_a_remedy(daemon):
    with RawWindow(daemon.endpoint, toolsets="nonsense") as window:
        frame, payload = window.greet()
    assert frame.kind == frames.REFUSED
    assert b"nonsense" in payload
    assert b"navigation" in payload


def test_a_resent_write_happens_once(daemon, window):
    line = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 900,
            "method": "tools/call",
            "params": {"name": "write", "arguments": {"text": "once"}},
        }
    ).encode()
    seq = window.line(line, seq=500)
    window.answer_to(seq)
    window.greet()
    window.answer_to(window.line(b"{}", seq=1))  # else its answer may go to the next window of this name
    with RawWindow(daemon.endpoint, window.identity) as again:
        again.initialize()
        _, answer = again.answer_to(again.line(line, frames.RESENT, seq=500))
    assert answer["result"]["structuredContent"] == {"text": "written"}
    written = (daemon.endpoint.root + "/writes", window.identity.hex())
    with open(written[0], encoding="utf-8") as file:
        assert [entry for entry in file if entry.startswith(written[1])] == [f"{written[1]} 500 once\n"]


def test_a_window_is_counted_until_its_process_ends(daemon):
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    before = daemon.status()["clients"]
    with RawWindow(daemon.endpoint, pid=child.pid, cwd="/the/place") as window:
        window.initialize()
        window.request("tools/call", {"name": "nap", "arguments": {"seconds": 30}})
        fields = daemon.wait_status(clients=before + 1)
        (seen,) = [seen for seen in fields["windows"] if seen["pid"] == child.pid]
        assert (seen["cwd"], seen["client"]) == ("/the/place", "raw 1")
        child.kill()
        child.wait()
        daemon.wait_status(clients=before)


def test_a_window_that_says_goodbye_is_gone(daemon):
    before = daemon.status()["clients"]
    with RawWindow(daemon.endpoint) as window:
        window.initialize()
        assert daemon.status()["clients"] == before + 1
        window.tell(frames.BYE)
        daemon.wait_status(clients=before)


def test_the_log_holds_no_arguments(daemon, window):
    window.call("echo", {"text": "confidential words"})
    window.call("echo", {"confidential": 1})
    assert "confidential" not in daemon.endpoint.log.read_text()
    assert [event["pid"] for event in daemon.log() if event["event"] == "window came"][-1] == os.getpid()


def test_status_answers_while_every_lane_computes(daemon):
    windows = [RawWindow(daemon.endpoint) for _ in range(3)]
    for window in windows:
        window.initialize()
        window.request("tools/call", {"name": "spin", "arguments": {"seconds": 2}})
    worst = 0.0
    for _ in range(10):
        began = time.monotonic()
        daemon.status()
        worst = max(worst, time.monotonic() - began)
    for window in windows:
        window.close()
    assert worst < 2.0  # twice what is promised, for a machine that does other things too

"""One session between the shim's lines and the SDK."""

from __future__ import annotations

import json

import pytest

from codeagent_protocol import frames
from codeagent_protocol.messages import Hello
from codeagentd.model.engine_status import Watermark
from codeagentd.serve.sessions.session import Session
from codeagentd.serve.tool_calls import Answered, ToolSelection
from codeagentd.toolkit.call import Answer

HANDSHAKE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "2"}}


class Sdk:
    """Keeps what it is given."""

    def __init__(self):
        self.given = []
        self.is_closed = False

    def request(self, asked):
        self.given.append(asked.request.method)

    def notification(self, notification):
        self.given.append(notification.method)

    def close(self):
        self.is_closed = True


class Wire:
    """Keeps what is sent."""

    def __init__(self):
        self.sent = []

    def send(self, kind, flags, ack, payload):
        self.sent.append((kind, flags, ack, json.loads(payload) if payload else None))

    def take(self):
        sent, self.sent = self.sent, []
        return sent


@pytest.fixture
def wire():
    return Wire()


@pytest.fixture
def summoned():
    return []


@pytest.fixture
def bare(wire, summoned):
    """A session that has no SDK yet."""
    return Session(b"S1", Hello(), ToolSelection([]), 0.0, wire.send, summoned.append)


@pytest.fixture
def sdk():
    return Sdk()


@pytest.fixture
def session(bare, sdk):
    bare.connect(sdk)
    return bare


def line(method, request_id=None, **params):
    message = {"jsonrpc": "2.0", "method": method, "params": params} | (
        {} if request_id is None else {"id": request_id}
    )
    return json.dumps(message).encode()


def test_an_answer_goes_out_under_the_number_of_its_line(session, wire):
    session.take(41, 0, line("tools/list", "a"))
    session.take(42, 0, line("tools/list", "b"))
    session.respond("b", {"tools": []})
    session.fail("a", {"code": -32603, "message": "no"})
    assert wire.take() == [
        (frames.LINE, 0, 42, {"jsonrpc": "2.0", "id": "b", "result": {"tools": []}}),
        (frames.LINE, 0, 41, {"jsonrpc": "2.0", "id": "a", "error": {"code": -32603, "message": "no"}}),
    ]
    assert session.in_flight == 0


def test_the_number_1_and_the_text_1_are_different_ids(session, wire):
    session.take(1, 0, line("ping", 1))
    session.take(2, 0, line("ping", "1"))
    session.respond("1", {})
    assert [ack for _, _, ack, _ in wire.take()] == [2]


def test_an_id_that_is_in_use_is_refused_and_its_first_request_still_answered(session, wire, sdk):
    session.take(1, 0, line("tools/list", 5))
    session.take(2, 0, line("tools/list", 5))
    session.respond(5, {})
    (_, _, refused, answer), (_, _, answered, _) = wire.take()
    assert (refused, answer["error"]["code"], answered) == (2, -32600, 1)
    assert sdk.given == ["tools/list"]


def test_a_second_answer_to_one_request_is_dropped(session, wire):
    session.take(1, 0, line("ping", 1))
    session.respond(1, {})
    session.respond(1, {})
    session.fail(1, {"code": 0, "message": ""})
    assert len(wire.take()) == 1


@pytest.mark.parametrize("method", ["initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"])
def test_requests_that_make_state_are_flagged_when_they_succeed(session, wire, method):
    session.take(1, 0, line(method, 1))
    session.take(2, 0, line(method, 2))
    session.respond(1, {})
    session.fail(2, {"code": -32601, "message": "no"})
    assert [(flags, ack) for _, flags, ack, _ in wire.take()] == [(frames.STATE, 1), (0, 2)]


def test_notifications_are_acknowledged_and_initialized_is_state(session, wire, sdk):
    session.take(1, 0, line("notifications/initialized"))
    session.take(2, 0, line("notifications/cancelled", requestId=9))
    assert wire.take() == [(frames.ACK, frames.STATE, 1, None), (frames.ACK, 0, 2, None)]
    assert sdk.given == ["notifications/initialized", "notifications/cancelled"]


def test_a_cancelled_request_is_acknowledged_without_an_answer(session, wire):
    session.take(1, 0, line("tools/call", 1))
    session.settle(1)
    session.respond(1, {})
    assert wire.take() == [(frames.ACK, 0, 1, None)]


def test_a_stray_response_is_acknowledged(session, wire, sdk):
    session.take(1, 0, b'{"jsonrpc":"2.0","id":77,"result":{}}')
    assert wire.take() == [(frames.ACK, 0, 1, None)]
    assert sdk.given == []


def test_an_unusable_line_is_answered_under_its_number(session, wire):
    session.take(1, 0, b"{")
    ((kind, _, ack, answer),) = wire.take()
    assert (kind, ack, answer["error"]["code"], answer["id"]) == (frames.LINE, 1, -32700, None)


def test_a_replayed_line_reaches_the_sdk_and_its_answer_stays_here(session, wire, sdk):
    session.take(1, frames.REPLAY, line("initialize", 1, **HANDSHAKE))
    session.respond(1, {"protocolVersion": "2025-06-18"})
    assert sdk.given == ["initialize"]
    assert wire.take() == [(frames.ACK, frames.STATE, 1, None)]


def test_a_tools_answer_is_sent_as_text_and_as_structure(session, wire):
    asked = []
    session._feed.request = asked.append
    session.take(1, 0, line("tools/call", 1))
    asked[0].answered = Answered(Answer({"text": "ä"}, '{"text":"ä"}'), Watermark(3))
    session.respond(1, {"content": [], "isError": False, "_meta": {"x": 1}})
    ((_, _, _, answer),) = wire.take()
    assert answer["result"] == {
        "content": [{"type": "text", "text": '{"text":"ä"}'}],
        "structuredContent": {"text": "ä"},
        "isError": False,
        "_meta": {"x": 1},
    }


def test_an_answer_that_the_engine_could_no_longer_give_is_left_to_the_next_daemon(session, wire):
    asked = []
    session._feed.request = asked.append
    session.take(1, 0, line("tools/call", 1))
    structured = {"error": {"code": "engine_unavailable", "message": "closing"}}
    asked[0].answered = Answered(
        Answer(structured, json.dumps(structured), is_error=True, code="engine_unavailable"), Watermark()
    )
    session.is_leaving = True
    session.respond(1, {"content": []})
    assert wire.take() == []


def test_nothing_is_sent_once_the_window_is_gone(session, wire, sdk):
    session.take(1, 0, line("tools/call", 1))
    session.end()
    session.respond(1, {})
    session.tell({"jsonrpc": "2.0", "method": "notifications/message"})
    assert wire.take() == []
    assert sdk.is_closed


def test_what_the_client_did_not_ask_for_has_no_number(session, wire):
    session.tell({"jsonrpc": "2.0", "method": "notifications/progress"})
    assert wire.take() == [(frames.LINE, 0, 0, {"jsonrpc": "2.0", "method": "notifications/progress"})]


def test_the_client_is_known_by_what_it_calls_itself(session):
    session.take(1, 0, line("initialize", 1, **HANDSHAKE))
    assert session.client == "test 2"


def test_the_client_of_the_newer_era_is_known_by_its_envelope(session):
    session.take(
        1,
        0,
        line("server/discover", 1, _meta={"io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "9"}}),
    )
    assert session.client == "modern 9"


# before the SDK is there


def test_the_sdk_is_summoned_once_by_the_first_request_that_needs_it(bare, summoned, sdk):
    bare.take(1, 0, line("notifications/initialized"))
    assert summoned == []
    bare.take(2, 0, line("prompts/list", 2))
    bare.take(3, 0, line("prompts/list", 3))
    assert summoned == [bare]
    bare.connect(sdk)
    assert sdk.given == ["notifications/initialized", "prompts/list", "prompts/list"]


def test_a_request_that_waits_for_the_sdk_can_be_cancelled(bare, wire, sdk):
    bare.take(1, 0, line("prompts/list", "a"))
    bare.take(2, 0, line("notifications/cancelled", requestId="a"))
    assert [(kind, ack) for kind, _, ack, _ in wire.take()] == [(frames.ACK, 1), (frames.ACK, 2)]
    bare.connect(sdk)
    assert sdk.given == []


class Shortcut:
    """Answers every handshake itself, and nothing else."""

    def __init__(self, session):
        self.session = session
        self.has_handshake = False
        self.is_open = True

    def take(self, asked):
        if asked.request.method != "initialize":
            return False
        self.session.respond(asked.request.id, {"protocolVersion": "2025-06-18"})
        return True

    def cancel(self, request_id):
        return False


def test_a_handshake_that_was_answered_without_the_sdk_is_told_to_it_and_its_answer_dropped(bare, wire, sdk):
    bare.shortcut = Shortcut(bare)
    asked = []
    sdk.request = asked.append
    bare.take(1, 0, line("initialize", 1, **HANDSHAKE))
    assert [(kind, flags, ack) for kind, flags, ack, _ in wire.take()] == [(frames.LINE, frames.STATE, 1)]
    bare.connect(sdk)
    assert (asked[0].request.method, asked[0].request.params) == ("initialize", HANDSHAKE)
    bare.respond(asked[0].request.id, {"protocolVersion": "2025-06-18"})
    assert wire.take() == []
    assert bare.shortcut.has_handshake


def test_an_sdk_that_was_asked_first_sees_the_handshake_first(bare):
    bare.shortcut = Shortcut(bare)
    bare.take(1, 0, line("server/discover", 1))
    assert not bare.shortcut.is_open


def test_a_handshake_that_the_sdk_accepts_opens_the_shortcut(session):
    session.shortcut = Shortcut(session)
    session.shortcut.take = lambda asked: False
    session.take(1, 0, line("initialize", 1))
    assert not session.shortcut.has_handshake
    session.respond(1, {})
    assert session.shortcut.has_handshake

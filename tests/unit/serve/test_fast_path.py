"""What is answered without the SDK."""

from __future__ import annotations

import asyncio
import json
import threading

import msgspec
import pytest

from codeagent_protocol import frames
from codeagent_protocol.initialize import initialize_result
from codeagent_protocol.messages import Hello
from codeagentd.model.engine_status import Progress, Watermark
from codeagentd.serve.mcp.fast_path import FastPath, is_plain_call, is_plain_handshake
from codeagentd.serve.mcp.log_notifications import Messages
from codeagentd.serve.mcp.requests import Requests
from codeagentd.serve.mcp.resource_notifications import ResourceNotifier
from codeagentd.serve.sessions.session import CALLS_AT_ONCE, Session
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import Answered, ToolSelection
from codeagentd.toolkit.call import Answer
from codeagentd.toolkit.tool import tool_of
from tests.harness.waiting import eventually_beside

HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"roots": {"listChanged": True}},
    "clientInfo": {"name": "test", "version": "2"},
}
ENVELOPE = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
PLAIN_META = {"progressToken": 5, "codeagent/fresh": "wait", "some.client/id": "y"}


class Said(msgspec.Struct):
    """An answer."""

    text: str


def speak(ctx) -> Said:
    """Say something."""
    return Said("x")


class Calls:
    """Answers each call with its number, when told to."""

    def __init__(self):
        self.asked = []
        self.go = threading.Event()

    def progress(self):
        return Progress()

    def answer(self, selection, name, arguments, session, seq, *, window=0, fresh=None, sent_snippets=None, folder=""):
        self.asked.append((name, arguments, session, seq, fresh))
        assert self.go.wait(20)
        return Answered(Answer({"seq": seq}, json.dumps({"seq": seq})), Watermark())


class Stage:
    """A session with its shortcut, on the running loop. `waits` is for an answer under a number."""

    def __init__(self):
        self.sent = {}
        self.summoned = []
        self.calls = Calls()
        self._arrived = asyncio.Event()
        pool = ThreadPool()
        self.session = Session(
            b"S1", Hello(), ToolSelection([tool_of(speak, "engine")]), 0.0, self._send, self.summoned.append
        )
        self.native = self.session.shortcut = FastPath(
            self.session, self.calls, Requests(self.calls, ResourceNotifier(pool, lambda: None), Messages()), pool
        )

    def _send(self, kind, flags, ack, payload):
        self.sent[ack] = (kind, flags, json.loads(payload) if payload else None)
        self._arrived.set()

    def request(self, seq, method, params=None):
        self.session.take(
            seq, 0, json.dumps({"jsonrpc": "2.0", "id": seq, "method": method, "params": params or {}}).encode()
        )

    def notify(self, seq, method, **params):
        self.session.take(seq, 0, json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    async def result(self, seq):
        async with asyncio.timeout(20):
            while seq not in self.sent:
                self._arrived.clear()
                await self._arrived.wait()
        return self.sent[seq][2]["result"]


def staged(script):
    async def main():
        stage = Stage()
        await script(stage)

    asyncio.run(main())


def test_handshake_tools_and_pings_are_answered_at_once():
    async def script(stage):
        stage.request(1, "initialize", HANDSHAKE)
        stage.request(2, "tools/list", {"_meta": {"progressToken": "t"}})
        stage.request(3, "ping")
        assert stage.sent[1][:2] == (frames.LINE, frames.STATE)
        assert stage.sent[1][2]["result"] == initialize_result("2025-06-18")
        assert [tool["name"] for tool in stage.sent[2][2]["result"]["tools"]] == ["speak"]
        assert stage.sent[3][2]["result"] == {}
        assert stage.summoned == []

    staged(script)


@pytest.mark.parametrize("method", ["tools/list", "ping", "tools/call", "server/discover"])
def test_nothing_is_answered_before_the_handshake(method):
    async def script(stage):
        stage.request(1, method, {"name": "speak"} if method == "tools/call" else {})
        assert stage.sent == {}
        assert stage.summoned == [stage.session]
        stage.request(2, "initialize", HANDSHAKE)
        assert stage.sent == {}  # the SDK saw a request first: it has to see the handshake too

    staged(script)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/list", {"cursor": "x"}),
        ("ping", {"x": 1}),
        ("prompts/list", {"cursor": "x"}),
        ("resources/read", {"uri": 5}),
        ("tools/list", {"_meta": ENVELOPE}),
    ],
)
def test_everything_unusual_is_left_to_the_sdk(method, params):
    async def script(stage):
        stage.request(1, "initialize", HANDSHAKE)
        stage.request(2, method, params)
        assert 2 not in stage.sent
        assert stage.summoned == [stage.session]

    staged(script)


def test_a_call_gets_the_name_the_number_and_the_wish_for_freshness():
    async def script(stage):
        stage.calls.go.set()
        stage.request(1, "initialize", HANDSHAKE)
        stage.request(2, "tools/call", {"name": "speak", "arguments": {"a": 1}, "_meta": {"codeagent/fresh": "wait"}})
        result = await stage.result(2)
        assert result["structuredContent"] == {"seq": 2}
        assert result["content"] == [{"type": "text", "text": '{"seq": 2}'}]
        assert stage.calls.asked == [("speak", {"a": 1}, b"S1", 2, "wait")]

    staged(script)


def test_calls_beyond_a_sessions_share_wait_their_turn():
    async def script(stage):
        stage.request(1, "initialize", HANDSHAKE)
        for seq in range(2, 2 + 3 * CALLS_AT_ONCE):
            stage.request(seq, "tools/call", {"name": "speak"})
        await eventually_beside(lambda: len(stage.calls.asked) >= CALLS_AT_ONCE)
        assert len(stage.calls.asked) == CALLS_AT_ONCE
        stage.calls.go.set()
        for seq in range(2, 2 + 3 * CALLS_AT_ONCE):
            assert (await stage.result(seq))["structuredContent"] == {"seq": seq}

    staged(script)


def test_a_cancelled_call_is_acknowledged_and_its_answer_dropped():
    async def script(stage):
        stage.request(1, "initialize", HANDSHAKE)
        stage.request(2, "tools/call", {"name": "speak"})
        stage.notify(3, "notifications/cancelled", requestId=2)
        assert stage.sent[2] == (frames.ACK, 0, None)
        stage.calls.go.set()
        stage.request(4, "tools/call", {"name": "speak"})
        await stage.result(4)
        assert stage.sent[2] == (frames.ACK, 0, None)

    staged(script)


def test_an_id_that_is_used_again_after_a_cancellation_gets_its_own_answer():
    async def script(stage):
        stage.request(1, "initialize", HANDSHAKE)
        stage.request(2, "tools/call", {"name": "speak"})
        stage.notify(3, "notifications/cancelled", requestId=2)
        stage.session.take(4, 0, b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"speak"}}')
        stage.calls.go.set()
        assert (await stage.result(4))["structuredContent"] == {"seq": 4}

    staged(script)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"name": "x"}, True),
        ({"name": "x", "arguments": {}, "_meta": PLAIN_META}, True),
        ({}, False),
        ({"name": 5}, False),
        ({"name": "x", "arguments": []}, False),
        ({"name": "x", "arguments": None}, False),
        ({"name": "x", "task": {}}, False),
        ({"name": "x", "_meta": 5}, False),
        ({"name": "x", "_meta": {"progressToken": True}}, False),
        ({"name": "x", "_meta": {"progressToken": 1.5}}, False),
        ({"name": "x", "_meta": ENVELOPE}, False),
    ],
)
def test_a_call_in_an_unusual_form_is_told_from_a_plain_one(params, expected):
    assert is_plain_call(params) is expected


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (HANDSHAKE, True),
        (HANDSHAKE | {"_meta": PLAIN_META}, True),
        (HANDSHAKE | {"_meta": ENVELOPE}, False),
        ({}, False),
        (HANDSHAKE | {"clientInfo": {}}, False),
        (HANDSHAKE | {"clientInfo": "x"}, False),
        (HANDSHAKE | {"capabilities": {"roots": 5}}, False),
        (HANDSHAKE | {"capabilities": None}, False),
        (HANDSHAKE | {"protocolVersion": 5}, False),
        (HANDSHAKE | {"something": "else"}, False),
    ],
)
def test_a_handshake_in_an_unusual_form_is_told_from_a_plain_one(params, expected):
    assert is_plain_handshake(params) is expected

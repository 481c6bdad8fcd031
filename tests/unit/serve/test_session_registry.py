"""Frames from windows, on a wire that keeps what is sent."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import msgspec
import pytest

from codeagent_protocol import frames
from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.messages import Hello, Refused, Welcome
from codeagentd.base.clock import SystemClock
from codeagentd.model.engine_status import Progress
from codeagentd.serve.lsp.lsp_session import LspSession
from codeagentd.serve.sessions import session_registry as module
from codeagentd.serve.sessions.session_registry import Sessions
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import ToolSelection

PEER = b"S-one"


class Wire:
    """Keeps what is sent."""

    def __init__(self):
        self.sent = []
        self.forgotten = []

    def send(self, peer, *parts):
        self.sent.append((peer, frames.unpack(parts[0]).kind, parts[1] if len(parts) > 1 else b""))

    def forget(self, peer):
        self.forgotten.append(peer)

    def kinds(self):
        return [kind for _, kind, _ in self.sent]


class NoCalls:
    """What answers editors, in tests that ask nothing."""

    def progress(self):
        return Progress()


class House:
    """Sessions with their surroundings. Everything happens inside `asyncio.run`, for windows are watched on a loop."""

    def __init__(self, refuse=None):
        self.wire = Wire()
        self.newer = []
        self.attached = []
        self.opened = []
        self.editors = []
        self._refuse = refuse
        attach = lambda session, crash: self.attached.append((session, crash))  # noqa: E731
        self.sessions = Sessions(
            self.wire, SystemClock(), self._choose, self._equip, attach, self._begin_lsp, self.newer.append
        )

    def _choose(self, hello):
        if self._refuse:
            raise self._refuse
        return ToolSelection([])

    def _begin_lsp(self, identity, hello, since, send):
        self.editors.append(hello)
        return LspSession(identity, hello, since, send, NoCalls(), ThreadPool(), Path.cwd())

    def _equip(self, session):
        self.opened.append(session)

    def discover(self, peer=PEER):
        self.sessions.receive(
            peer, [frames.pack(frames.LINE, seq=1), b'{"jsonrpc":"2.0","id":1,"method":"server/discover"}']
        )

    def hello(self, peer=PEER, **fields):
        payload = msgspec.msgpack.encode(Hello(**({"pid": os.getpid(), "cwd": "/somewhere"} | fields)))
        self.sessions.receive(peer, [frames.pack(frames.HELLO), payload])


def on_a_loop(script, **surroundings):
    """Run a script with a house on a loop; the house."""

    async def main():
        house = House(**surroundings)
        script(house)
        house.sessions.close()
        return house

    return asyncio.run(main())


def test_a_greeting_opens_a_session():
    seen = []
    house = on_a_loop(lambda house: (house.hello(), seen.extend(house.sessions.windows())))
    assert house.wire.kinds() == [frames.WELCOME]
    assert msgspec.msgpack.decode(house.wire.sent[0][2], type=Welcome).pid == os.getpid()
    assert [(window.pid, window.cwd) for window in seen] == [(os.getpid(), "/somewhere")]
    assert len(house.opened) == 1


def test_a_window_that_greets_again_begins_again():
    house = on_a_loop(lambda house: (house.hello(), house.hello()))
    first, second = house.opened
    assert first.is_over
    assert msgspec.msgpack.decode(house.wire.sent[1][2], type=Welcome).resumed
    assert second is not first


def test_the_window_of_an_editor_has_a_session_of_its_own_protocol():
    line = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'

    def script(house):
        house.hello(language_server=True)
        house.sessions.receive(PEER, [frames.pack(frames.LINE, seq=1), line])
        assert house.sessions.windows()[0].requests == 1

    house = on_a_loop(script)
    assert len(house.editors) == 1
    assert house.opened == []
    assert house.wire.kinds() == [frames.WELCOME, frames.LINE]
    assert b'"positionEncoding"' in house.wire.sent[1][2]


def test_a_farewell_ends_the_session():
    counts = []

    def script(house):
        house.hello()
        house.sessions.receive(PEER, [frames.pack(frames.BYE)])
        counts.append(house.sessions.count)

    house = on_a_loop(script)
    assert counts == [0]
    assert house.wire.forgotten == [PEER]


def test_a_ping_is_answered():
    house = on_a_loop(lambda house: (house.hello(), house.sessions.receive(PEER, [frames.pack(frames.PING, seq=7)])))
    assert house.wire.kinds() == [frames.WELCOME, frames.PONG]


def test_options_that_nobody_can_serve_refuse_the_window_with_a_remedy():
    house = on_a_loop(
        lambda house: house.hello(), refuse=InvalidParameter("there is no toolset x", remedy="use one of: a, b")
    )
    assert house.wire.kinds() == [frames.REFUSED]
    assert msgspec.msgpack.decode(house.wire.sent[0][2], type=Refused) == Refused(
        "invalid_parameter", "there is no toolset x", "use one of: a, b"
    )
    assert house.opened == []


@pytest.mark.parametrize("parts", [[frames.pack(frames.LINE, seq=1), b"{}"], [frames.pack(frames.PING, seq=1)]])
def test_an_unknown_session_is_told_to_begin_again(parts):
    house = on_a_loop(lambda house: house.sessions.receive(PEER, parts))
    assert house.wire.kinds() == [frames.BYE]


@pytest.mark.parametrize("pid", [0, -5])
def test_a_greeting_without_a_process_is_dropped(pid):
    house = on_a_loop(lambda house: house.hello(pid=pid))
    assert house.wire.sent == []
    assert house.sessions.dropped_frames == 1


def test_a_process_that_is_not_to_be_seen_is_refused():
    house = on_a_loop(lambda house: house.hello(pid=2**22 + 1))
    assert house.wire.kinds() == [frames.REFUSED]


def test_there_is_an_end_to_the_number_of_windows(monkeypatch):
    monkeypatch.setattr(module, "MAX_SESSIONS", 2)
    house = on_a_loop(lambda house: [house.hello(peer) for peer in (b"1", b"2", b"3")])
    assert house.wire.kinds() == [frames.WELCOME, frames.WELCOME, frames.REFUSED]


@pytest.mark.parametrize("product", ["0.1.1", "0.2", "1", "99.0.0rc1"])
def test_a_newer_window_makes_us_hand_over(product):
    def script(house):
        house.newer = []
        house.sessions._newer = lambda version: (house.newer.append(version), house.sessions.drain(frames.DRAINING))
        house.hello(b"old", product="0.0.9")
        house.hello(b"new", product=product)
        house.hello(b"late", product=product)

    house = on_a_loop(script)
    assert house.newer == [product]
    assert [(peer, kind) for peer, kind, _ in house.wire.sent] == [
        (b"old", frames.WELCOME),
        (b"old", frames.DRAINING),
        (b"new", frames.DRAINING),
        (b"late", frames.DRAINING),
    ]


def test_lines_that_come_while_we_leave_are_left_to_our_successor():
    def script(house):
        house.hello()
        house.sessions.drain(frames.BYE)
        house.sessions.receive(PEER, [frames.pack(frames.LINE, seq=1), b"{"])
        house.sessions.say_goodbye()
        house.hello()

    house = on_a_loop(script)
    assert house.wire.kinds() == [frames.WELCOME, frames.BYE, frames.DRAINING]


def test_a_window_that_reads_nothing_is_given_up():
    counts = []
    house = on_a_loop(lambda house: (house.hello(), house.sessions.overflow(PEER), counts.append(house.sessions.count)))
    assert counts == [0]
    assert house.opened[0].is_over


def test_a_session_that_crashes_is_over_and_told_to_begin_again():
    house = on_a_loop(lambda house: (house.hello(), house.discover(), house.attached[0][1](house.attached[0][0])))
    assert house.wire.kinds() == [frames.WELCOME, frames.BYE]
    assert house.opened[0].is_over


def test_noise_is_dropped_and_counted():
    chance = random.Random(5)
    noise = [[chance.randbytes(chance.randrange(60)) for _ in range(chance.randrange(4))] for _ in range(2_000)]
    house = on_a_loop(lambda house: [house.sessions.receive(b"x", parts) for parts in noise])
    assert house.sessions.dropped_frames > 1_000
    assert house.sessions.count == 0

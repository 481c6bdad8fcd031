"""Idle sessions over HTTP, and addresses that send too many requests."""

from __future__ import annotations

import asyncio

import pytest

from codeagent_protocol.errors import EngineUnavailable, InvalidParameter
from codeagent_protocol.messages import Hello
from codeagentd.serve.http import middleware
from codeagentd.serve.http.address import address, permitted
from codeagentd.serve.http.middleware import BURST, MAX_CALLERS, RATE, Rates
from codeagentd.serve.http.sessions import IDLE_S, KEPT_MESSAGES, MAX_HTTP_SESSIONS, Backend, HttpSessions
from codeagentd.serve.tool_calls import ToolSelection


class ManualClock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def ticks(self) -> float:
        return self.time


class Nothing:
    """A shortcut that answers nothing."""

    has_handshake, is_open = True, True

    def take(self, asked: object) -> bool:
        return True

    def cancel(self, request_id: object) -> bool:
        return False


BACKEND = Backend(lambda hello: ToolSelection([]), lambda session: Nothing(), lambda session, crashed: None)


def test_a_session_that_nobody_uses_for_an_hour_is_over():
    clock = ManualClock()

    async def script() -> None:
        all_of_them = HttpSessions(clock)
        used, idle = all_of_them.begin(Hello(), BACKEND), all_of_them.begin(Hello(), BACKEND)
        all_of_them.keep(used)
        all_of_them.keep(idle)
        clock.time = IDLE_S - 1
        all_of_them.reap()
        assert all_of_them.find(used.name) is used
        clock.time = IDLE_S
        all_of_them.reap()
        assert all_of_them.find(idle.name) is None
        assert idle.session.is_over
        assert all_of_them.find(used.name) is used

    asyncio.run(script())


def test_sessions_have_an_end_of_room_and_give_it_back():
    async def script() -> None:
        all_of_them = HttpSessions(ManualClock())
        several = [all_of_them.begin(Hello(), BACKEND) for _ in range(MAX_HTTP_SESSIONS)]
        with pytest.raises(EngineUnavailable):
            all_of_them.begin(Hello(), BACKEND)
        all_of_them.leave(several[0])
        assert all_of_them.begin(Hello(), BACKEND)

    asyncio.run(script())


def test_the_session_that_was_not_used_for_the_longest_time_makes_room():
    clock = ManualClock()

    async def script() -> None:
        all_of_them = HttpSessions(clock)
        several = [all_of_them.begin(Hello(), BACKEND) for _ in range(MAX_HTTP_SESSIONS)]
        for http_session in several:
            clock.time += 1
            all_of_them.keep(http_session)
            all_of_them.find(http_session.name)
        several[0].has_stream = True
        several[1].put(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
        all_of_them.find(several[2].name)
        several[2].used_at = clock.time + 1
        assert all_of_them.begin(Hello(), BACKEND)
        assert [one.session.is_over for one in several[:5]] == [False, False, False, True, False]

    asyncio.run(script())


def test_who_waits_for_an_answer_when_the_session_ends_is_told():
    async def script() -> None:
        all_of_them = HttpSessions(ManualClock())
        http_session = all_of_them.begin(Hello(), BACKEND)
        answer = http_session.put(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
        all_of_them.close()
        with pytest.raises(asyncio.CancelledError):
            await answer

    asyncio.run(script())


def test_messages_without_a_stream_wait_and_only_the_newest_are_kept():
    async def script() -> None:
        http_session = HttpSessions(ManualClock()).begin(Hello(), BACKEND)
        for number in range(KEPT_MESSAGES + 5):
            http_session.session.tell({"n": number})
        assert await http_session.message(0) == b'{"n":5}'
        for _ in range(KEPT_MESSAGES - 1):
            assert await http_session.message(0)
        assert await http_session.message(0) is None

    asyncio.run(script())


def test_an_address_asks_as_much_as_it_may_and_again_when_time_has_passed():
    clock = ManualClock()
    rates = Rates(clock.ticks)
    assert sum(rates.takes("a") for _ in range(2_000)) == BURST
    assert rates.takes("b")
    clock.time = 1.0
    assert sum(rates.takes("a") for _ in range(2_000)) == RATE


def test_no_number_of_addresses_takes_all_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(middleware, "MAX_CALLERS", 100)
    rates = Rates(ManualClock().ticks)
    for number in range(1_000):
        rates.takes(str(number))
    assert len(rates._accounts) <= 101
    assert MAX_CALLERS > 100


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("127.0.0.1:8765", "127.0.0.1", 8765),
        ("8765", "127.0.0.1", 8765),
        ("localhost:1", "127.0.0.1", 1),
        ("[::1]:2", "[::1]", 2),
        (":3", "127.0.0.1", 3),
    ],
)
def test_an_address_is_read_as_it_is_usually_written(text: str, host: str, port: int):
    found = address(text)
    assert (found.host, found.port, found.is_loopback) == (host, port, True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "127.0.0.1",
        "127.0.0.1:",
        "127.0.0.1:65536",
        "127.0.0.1:-1",
        "1.2.3:80",
        "http://127.0.0.1:80",
        "127.0.0.1:\u0663",
    ],
)
def test_what_is_no_address_is_refused(text: str):
    with pytest.raises(InvalidParameter):
        address(text)


@pytest.mark.parametrize("text", ["0.0.0.0:1", "[::]:1", "192.168.1.5:1", "[fe80::1]:1"])
def test_an_address_that_others_can_reach_needs_a_key(text: str):
    with pytest.raises(InvalidParameter):
        permitted(address(text), "  ", insecure=False)
    permitted(address(text), "key", insecure=False)
    permitted(address(text), "", insecure=True)

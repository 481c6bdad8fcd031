"""Connections to the HTTP server: who is closed, when, and for whom."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from codeagentd.serve.http import connections
from codeagentd.serve.http.address import address, listening
from codeagentd.serve.http.connections import ADMIT, BATCH, Connections
from tests.harness.waiting import eventually_beside, let_pass_beside

SOON_S = 0.2
PATIENCE_S = 5.0
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

ASKED = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
BODY = b"POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Let in who asks for /open, /slow or /much."""
    path = scope["path"]
    if path in ("/open", "/slow", "/much"):
        scope["state"][ADMIT]()
    if scope["method"] == "POST":
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.disconnect":
            return
    await let_pass_beside(PATIENCE_S if path == "/slow" else 0, "an answer that takes long")
    body = b"x" * (50_000_000 if path == "/much" else 2)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    for start in range(0, len(body), 1_000_000):
        await send(
            {
                "type": "http.response.body",
                "body": body[start : start + 1_000_000],
                "more_body": start + 1_000_000 < len(body),
            }
        )


class Served:
    """A server of a few connections, and clients of it."""

    def __init__(self, limit: int) -> None:
        self.listener = listening(address("127.0.0.1:0"))
        config = uvicorn.Config(app, http="h11", ws="none", lifespan="off", log_config=None)
        config.load()
        self.table = Connections(self.listener, limit, config, ServerState())
        self.table.listen()
        self.clients: list[asyncio.StreamWriter] = []

    async def client(self, *said: bytes) -> Streams:
        """Connect, and send something."""
        streams = await asyncio.open_connection(*self.listener.getsockname())
        self.clients.append(streams[1])
        for piece in said:
            streams[1].write(piece)
            await streams[1].drain()
        return streams

    def close(self) -> None:
        """End everything."""
        self.table.close()
        self.listener.close()
        for writer in self.clients:
            writer.close()


@contextlib.asynccontextmanager
async def served(limit: int = 4) -> AsyncIterator[Served]:
    server = Served(limit)
    try:
        yield server
    finally:
        server.close()
        await let_pass_beside(0.01, "the loop closes what is left")


async def answer(streams: Streams) -> bytes:
    """The body of one answer; b'' from a connection that is closed."""
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        async with asyncio.timeout(PATIENCE_S):
            await streams[0].readuntil(b"\r\n\r\n")
            return await streams[0].readexactly(2)
    return b""


async def is_closed(streams: Streams) -> bool:
    """Whether a connection ends before long."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            return not await streams[0].read(1 << 20)
    except ConnectionError:
        return True
    except TimeoutError:
        return False


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    await eventually_beside(holds, PATIENCE_S)


def script(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """Run a test on a loop of the kind that the daemon has."""

    def run() -> None:
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(test())  # type: ignore[arg-type]  # a coroutine, which `async def` always makes

    run.__name__ = test.__name__  # type: ignore[attr-defined]
    return run


@script
async def test_an_accepted_socket_sends_at_once():
    async with served() as server:
        assert await answer(await server.client(ASKED % b"open")) == b"xx"
        (one,) = server.table._admitted
        assert one.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@script
async def test_the_oldest_connection_without_an_admitted_request_makes_room():
    async with served(limit=3) as server:
        known = await server.client(ASKED % b"open")
        assert await answer(known) == b"xx"
        silent, half, refused = (
            await server.client(),
            await server.client(BODY[:30]),
            await server.client(ASKED % b"closed"),
        )
        assert await answer(refused) == b"xx"
        assert await is_closed(silent)
        newest = await server.client(ASKED % b"closed")
        assert await answer(newest) == b"xx"
        assert await is_closed(half)
        known[1].write(ASKED % b"open")
        assert await answer(known) == b"xx"
        assert len(server.table) == 3


@script
async def test_any_number_of_silent_connections_leaves_the_table_as_long_as_it_may_be():
    async with served(limit=8) as server:
        many = [await server.client() for _ in range(20 * BATCH)]
        late = await server.client(ASKED % b"open")
        assert await answer(late) == b"xx"
        assert len(server.table) <= 8
        assert all([await is_closed(one) for one in many[: -2 * 8]])


@script
async def test_the_longest_idle_makes_room_where_all_were_admitted_and_none_that_is_answered():
    async with served(limit=2) as server:
        busy = await server.client(ASKED % b"slow")
        idle = await server.client(ASKED % b"open")
        assert await answer(idle) == b"xx"
        assert await answer(await server.client(ASKED % b"open")) == b"xx"
        assert await is_closed(idle)
        assert not busy[0].at_eof()


@script
async def test_where_all_are_being_answered_the_next_is_closed_at_once():
    async with served(limit=2) as server:
        busy = [await server.client(ASKED % b"slow") for _ in range(2)]
        await until(lambda: len(server.table._admitted) == 2)
        assert await is_closed(await server.client(ASKED % b"open"))
        assert not any(one[0].at_eof() for one in busy)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_S", "BODY_S", "IDLE_S", "STALL_S"):
        monkeypatch.setattr(connections, name, SOON_S)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("first", [b"", ASKED % b"open"])
@pytest.mark.parametrize("begun", [b"", BODY[:30], BODY])
def test_what_is_begun_has_to_be_finished_in_time(first: bytes, begun: bytes):
    @script
    async def run() -> None:
        async with served() as server:
            streams = await server.client(first)
            assert not first or await answer(streams) == b"xx"
            streams[1].write(begun)
            assert await is_closed(streams)
            assert len(server.table) == 0

    run()


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("begun", [b"GET / HTTP/1.1\r\nX: ", BODY, (ASKED % b"open") + b"GET / HTTP/1.1\r\nX: "])
def test_a_byte_now_and_then_is_no_delay(begun: bytes):
    @script
    async def run() -> None:
        async with served() as server:
            _, writer = await server.client(begun)
            loop = asyncio.get_running_loop()
            start = loop.time()
            with contextlib.suppress(ConnectionError):
                while len(server.table) or loop.time() < start + 0.05:
                    writer.write(b"x")
                    await writer.drain()
                    await let_pass_beside(0.01, "a byte now and then")
                    assert loop.time() < start + PATIENCE_S
            assert loop.time() - start < 10 * SOON_S

    run()


@pytest.mark.usefixtures("soon")
def test_who_reads_nothing_of_a_long_answer_is_closed():
    @script
    async def run() -> None:
        async with served() as server:
            streams = await server.client(ASKED % b"much")
            streams[1].transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads
            await until(lambda: bool(server.table._admitted))
            await until(lambda: not len(server.table))
            assert not len(server.table)

    run()

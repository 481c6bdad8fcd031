"""The ROUTER on the event loop, with real peers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket as plain
from collections.abc import Iterator

import pytest
import zmq

from codeagentd.serve.transport import router_socket as module
from codeagentd.serve.transport.listener import Listener
from codeagentd.serve.transport.router_socket import MAX_FRAME_BYTES, LoopSocket, router
from tests.harness.world import short_temp

PATIENCE_S = 20.0


@pytest.fixture
def place() -> Iterator[str]:
    folder = short_temp()
    yield os.path.join(folder, "x.sock")
    shutil.rmtree(folder)


class Echo:
    """Sends back what it gets; `wanted` messages end the test."""

    def __init__(self, wanted: int) -> None:
        self.socket: LoopSocket | None = None
        self.got: list[list[bytes]] = []
        self.overflowed: list[bytes] = []
        self.done = asyncio.Event()
        self._wanted = wanted

    def receive(self, peer: bytes, parts: list[bytes]) -> None:
        self.got.append(parts)
        if parts == [b"fail"]:
            raise RuntimeError("a fault over one message")
        if not self.overflowed:
            self.socket.send(peer, *parts)
        if len(self.got) >= self._wanted:
            self.done.set()

    def overflow(self, peer: bytes) -> None:
        self.overflowed.append(peer)
        self.done.set()


def peer_of(context: zmq.Context, place: str, identity: bytes = b"peer") -> zmq.Socket:
    peer = context.socket(zmq.DEALER)
    peer.setsockopt(zmq.ROUTING_ID, identity)
    peer.setsockopt(zmq.LINGER, 0)
    peer.connect(f"ipc://{place}")
    return peer


def with_echo(place, script, wanted):
    """Run `script(peer_maker, echo)` against an echoing socket; the echo."""

    async def main() -> Echo:
        context, clients = zmq.Context(), zmq.Context()
        echo = Echo(wanted)
        echo.socket = LoopSocket(router(context, Listener(place)))
        echo.socket.listen(echo)
        try:
            await asyncio.wait_for(script(lambda identity=b"peer": peer_of(clients, place, identity), echo), PATIENCE_S)
        finally:
            echo.socket.close()
            clients.destroy(linger=0)
            context.destroy(linger=0)
        return echo

    return asyncio.run(main())


def received(peer):
    return asyncio.get_running_loop().run_in_executor(
        None, lambda: peer.recv_multipart() if peer.poll(PATIENCE_S * 1000) else None
    )


def test_many_messages_at_once_all_come_back(place):
    async def script(make, echo):
        peer = make()
        for number in range(1_000):
            peer.send_multipart([b"%d" % number, b"x"])
        assert [(await received(peer))[0] for _ in range(1_000)] == [b"%d" % number for number in range(1_000)]

    assert len(with_echo(place, script, 1_000).got) == 1_000


def test_a_fault_over_one_message_stops_nothing(place):
    async def script(make, echo):
        peer = make()
        for parts in ([b"fail"], [b"fine"]):
            peer.send_multipart(parts)
        assert await received(peer) == [b"fine"]

    assert len(with_echo(place, script, 9).got) == 2


def test_answers_wait_for_a_peer_that_reads_late(place, monkeypatch):
    monkeypatch.setattr(module, "QUEUED_MESSAGES", 4)

    async def script(make, echo):
        peer = make()
        peer.setsockopt(zmq.RCVHWM, 4)
        for number in range(200):
            await asyncio.sleep(0)
            peer.send_multipart([b"%d" % number, b"x" * 20_000])
        await echo.done.wait()
        assert echo.socket.backlog_bytes > 0
        assert [(await received(peer))[0] for _ in range(200)] == [b"%d" % number for number in range(200)]
        assert echo.socket.backlog_bytes == 0

    assert not with_echo(place, script, 200).overflowed


def test_a_peer_that_never_reads_is_given_up_and_its_backlog_freed(place, monkeypatch):
    monkeypatch.setattr(module, "QUEUED_MESSAGES", 4)
    monkeypatch.setattr(module, "BACKLOG_BYTES", 1_000_000)

    async def script(make, echo):
        peer = make(b"lazy")
        peer.setsockopt(zmq.RCVHWM, 4)
        for _ in range(500):
            if echo.done.is_set():
                break
            await asyncio.sleep(0)
            peer.send_multipart([b"x" * 100_000])
        await echo.done.wait()
        assert echo.socket.backlog_bytes == 0

    assert with_echo(place, script, 10_000).overflowed == [b"lazy"]


def test_a_peer_that_connects_again_replaces_itself(place):
    async def script(make, echo):
        first = make()
        first.send(b"first")
        assert await received(first) == [b"first"]
        second = make()
        second.send(b"second")
        assert await received(second) == [b"second"]

    assert len(with_echo(place, script, 2).got) == 2


def test_sending_to_a_peer_that_is_gone_does_no_harm(place):
    async def script(make, echo):
        peer = make()
        peer.send(b"hello")
        await received(peer)
        peer.close()
        for _ in range(50):
            echo.socket.send(b"peer", b"anybody?")
        echo.socket.send(b"nobody", b"anybody?")

    assert with_echo(place, script, 1).socket.backlog_bytes == 0


def test_an_oversize_frame_cuts_its_sender_and_nobody_else(place):
    async def script(make, echo):
        good, bad = make(b"good"), make(b"bad")
        bad.send(b"x" * (MAX_FRAME_BYTES + 1))
        good.send(b"fine")
        assert await received(good) == [b"fine"]

    assert with_echo(place, script, 1).got == [[b"fine"]]


def test_another_users_process_is_not_heard(place, monkeypatch):
    monkeypatch.setattr(module.os, "getuid", lambda: 12_345)

    async def script(make, echo):
        monitor_of = make(b"stranger")
        monitor = monitor_of.get_monitor_socket(zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL)
        monitor_of.send(b"let me in")
        assert await received(monitor)

    assert with_echo(place, script, 1).got == []


def test_raw_bytes_on_the_socket_do_no_harm(place):
    async def script(make, echo):
        for noise in (b"", b"\0" * 64, os.urandom(4096), b"GET / HTTP/1.1\r\n\r\n", b"\xff" + b"\0" * 8 + b"\x7f\x03"):
            with contextlib.suppress(OSError), plain.socket(plain.AF_UNIX) as client:
                client.connect(place)
                client.sendall(noise)
        peer = make()
        peer.send(b"fine")
        assert await received(peer) == [b"fine"]

    assert [b"fine"] in with_echo(
        place, script, 1
    ).got  # some noise counts as frames of an old ZeroMQ, which the receiver has to drop

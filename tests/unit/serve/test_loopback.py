"""Ports that only one key opens, with real peers."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq
from zmq.utils import z85

from codeagent_protocol import transport
from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.locks import FileLock
from codeagentd.serve.transport import loopback
from codeagentd.serve.transport.loopback import LoopbackEndpoints

WAIT_MS = 5_000
NEVER_MS = 300


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[Endpoint]:
    """That of a daemon, which this process is."""
    endpoint = endpoint_of(tmp_path)
    life = FileLock(endpoint.life_lock)
    assert life.try_take()
    life.write(f"{os.getpid()} 1.2.3")
    yield endpoint
    life.release()


class Daemon:
    """The endpoints of one daemon, open from the beginning."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.transport = LoopbackEndpoints(endpoint)
        self._context = zmq.Context()
        self.opened = self.transport.open(self._context)
        address = transport.for_windows(endpoint)
        assert address
        self.address = address

    def end(self) -> None:
        for router in self.opened:
            router.close(0)
        self._context.term()


@pytest.fixture
def daemon(endpoint: Endpoint) -> Iterator[Daemon]:
    daemon = Daemon(endpoint)
    yield daemon
    daemon.end()


@pytest.fixture
def peers() -> Iterator[zmq.Context]:
    context = zmq.Context()
    yield context
    context.destroy(linger=0)


def said(peers: zmq.Context, address: transport.Address) -> zmq.Socket:
    peer = peers.socket(zmq.DEALER)
    peer.linger = 0
    address.identify(peer)
    peer.connect(address.url)
    peer.send(b"hello")
    return peer


def test_both_doors_let_in_who_has_read_the_file_and_answer(endpoint: Endpoint, daemon: Daemon, peers: zmq.Context):
    for router, address in zip(
        daemon.opened, (transport.for_windows(endpoint), transport.for_operators(endpoint)), strict=True
    ):
        assert address
        peer = said(peers, address)
        assert router.poll(WAIT_MS)
        identity, message = router.recv_multipart()
        assert message == b"hello"
        router.send_multipart([identity, b"welcome"])
        assert peer.poll(WAIT_MS)
        assert peer.recv() == b"welcome"
    daemon.transport.remove()
    assert not os.path.exists(endpoint.ports)


def test_the_key_of_an_earlier_daemon_opens_nothing(endpoint: Endpoint, peers: zmq.Context):
    earlier = Daemon(endpoint)
    earlier.end()
    later = Daemon(endpoint)
    old, new = earlier.address, later.address
    assert not {old.server, old.public, old.secret} & {new.server, new.public, new.secret}
    for address in (
        new._replace(public=old.public, secret=old.secret),
        new._replace(server=old.server),
        transport.Address(new.url),
    ):
        said(peers, address)
    assert not later.opened.windows.poll(NEVER_MS)
    later.end()


def test_without_a_doorkeeper_nobody_enters(endpoint: Endpoint, peers: zmq.Context, monkeypatch: pytest.MonkeyPatch):
    class Nobody:
        def __init__(self, *_: object) -> None: ...

        def start(self) -> None: ...

    monkeypatch.setattr(loopback, "KeyAuthenticator", Nobody)
    daemon = Daemon(endpoint)
    said(peers, daemon.address)
    assert not daemon.opened.windows.poll(NEVER_MS)
    daemon.end()


def test_the_ports_are_of_this_machine_alone(daemon: Daemon):
    for router in daemon.opened:
        assert bytes(router.getsockopt(zmq.LAST_ENDPOINT)).startswith(b"tcp://127.0.0.1:")


def test_the_doorkeeper_leaves_with_the_daemon(endpoint: Endpoint):
    daemon = Daemon(endpoint)
    (authenticator,) = [thread for thread in threading.enumerate() if thread.name == "key-authenticator"]
    daemon.end()
    authenticator.join(WAIT_MS / 1000)
    assert not authenticator.is_alive()


def test_a_key_that_is_told_is_one_that_zeromq_knows(daemon: Daemon):
    assert zmq.curve_public(daemon.address.secret) == daemon.address.public
    assert len(z85.decode(daemon.address.server)) == 32

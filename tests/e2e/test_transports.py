"""Windows, commands and the daemon over ports of this machine, as they are where there are no local sockets; and what strangers get there."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import zmq

from codeagent_protocol import frames
from codeagent_protocol.endpoint import Endpoint, endpoint_at
from tests.e2e.conftest import SHOP
from tests.harness.processes import alive
from tests.harness.waiting import comes, eventually
from tests.harness.window import Window
from tests.harness.world import BIN, World

WITHOUT_POLL = [sys.executable, str(Path(__file__).parents[1] / "harness" / "without_poll.py")]
REFUSING = [sys.executable, str(Path(__file__).parents[1] / "harness" / "refusing.py"), "socket"]


@pytest.fixture
def tcp() -> Iterator[World]:
    with World() as world:
        world.environment["CODEAGENT_TRANSPORT"] = "tcp"
        yield world


@pytest.fixture
def repo(tcp: World) -> Path:
    return tcp.repository("shop", SHOP)


def place(world: World, repo: Path) -> Endpoint:
    at = endpoint_at(repo)
    return Endpoint(at.root, at.name, world.environment["CODEAGENT_RUNTIME_DIR"])


def told(world: World, repo: Path) -> list[str]:
    """What the daemon's file says: its process, its ports, three keys."""
    return Path(place(world, repo).ports).read_text().split()


def files(world: World) -> set[str]:
    return {path.suffix for path in Path(world.environment["CODEAGENT_RUNTIME_DIR"]).iterdir()}


def found(window: Window) -> bool:
    return window.finds("compute_total")


def test_the_official_client_is_served(tcp: World, repo: Path):
    async def talk(client: Any) -> None:
        assert (await client.list_tools()).tools
        result = await client.call_tool("search_symbols", {"query": "compute_total"})
        assert [item["name"] for item in result.structured_content["results"]] == ["compute_total"]

    for mode in ("auto", "legacy"):
        tcp.converse(repo, talk, mode=mode)
    assert ".tcp" in files(tcp)
    assert not files(tcp) & {".sock", ".ctl"}


def test_ports_and_keys_are_told_to_this_user_alone_and_nowhere_else(tcp: World, repo: Path):
    assert found(tcp.connect(repo))
    assert stat.S_IMODE(os.stat(place(tcp, repo).ports).st_mode) == 0o600
    keys = told(tcp, repo)[3:]
    logs = b"".join(path.read_bytes() for path in tcp.base.rglob("*.log*"))
    shown = logs.decode() + "".join(
        tcp.codeagentd(*words, "--repo", str(repo)).out for words in (["status", "--json"], ["doctor"], ["config"])
    )
    assert not [key for key in keys if key in shown]


def test_a_daemon_that_was_killed_is_replaced_and_the_window_goes_on(tcp: World, repo: Path):
    window = tcp.connect(repo)
    assert found(window)
    before = told(tcp, repo)
    os.kill(int(before[0]), signal.SIGKILL)
    assert found(window)
    after = told(tcp, repo)
    assert not set(before[3:]) & set(after[3:])  # every daemon makes its own keys
    assert window.surplus == 0


def test_ten_windows_at_once_have_one_daemon(tcp: World, repo: Path):
    windows = [tcp.window(repo) for _ in range(10)]
    for window in windows:
        window.initialize()
    assert all(map(found, windows))
    assert tcp.status(repo)["clients"] == 10
    assert len([pid for pid in tcp.processes() if "codeagentd.boot.daemon" in psutil.Process(pid).cmdline()]) == 1


def test_commands_ask_restart_and_stop_the_daemon(tcp: World, repo: Path):
    window = tcp.connect(repo)
    first = tcp.status(repo)
    assert (first["clients"], first["pid"]) == (1, int(told(tcp, repo)[0]))
    assert tcp.codeagentd("restart", "--repo", str(repo)).code == 0
    assert found(window)
    assert tcp.status(repo)["pid"] != first["pid"]
    assert tcp.codeagentd("call", "search_symbols", "query=compute_total", "--repo", str(repo)).json["results"]
    assert tcp.codeagentd("stop", "--repo", str(repo)).code == 0
    assert ".tcp" not in files(tcp)
    assert tcp.status(repo)["state"] == "not_running"
    assert found(window)  # which brings the next one


@pytest.mark.limit(90)
def test_a_window_follows_its_daemon_from_one_transport_to_the_other(tcp: World, repo: Path):
    window = tcp.window(repo, CODEAGENT_TRANSPORT="ipc")
    window.initialize()
    assert found(window)
    assert ".tcp" not in files(tcp)
    for transport, suffix in (("tcp", ".tcp"), ("ipc", ".sock")):
        done = tcp.codeagentd("stop", "--repo", str(repo))
        assert done.code == 0, done
        assert tcp.codeagentd("start", "--repo", str(repo), CODEAGENT_TRANSPORT=transport).code == 0
        assert found(window)
        assert {".tcp", ".sock"} & files(tcp) == {suffix}


def asker(port: str, server: str = "", public: str = "", secret: str = "") -> Any:
    """A stranger who says HELLO and asks for the status."""
    stranger = zmq.Context.instance().socket(zmq.DEALER)
    stranger.linger = 0
    if server:
        stranger.curve_serverkey, stranger.curve_publickey, stranger.curve_secretkey = (
            server.encode(),
            public.encode(),
            secret.encode(),
        )
    stranger.connect(f"tcp://127.0.0.1:{port}")
    stranger.send(frames.pack(frames.HELLO))
    return stranger


def test_whoever_lacks_the_key_gets_nothing_and_disturbs_nobody(tcp: World, repo: Path):
    window = tcp.connect(repo)
    assert found(window)
    _, windows, operators, server, public, secret = told(tcp, repo)
    wrong_public, wrong_secret = (key.decode() for key in zmq.curve_keypair())
    strangers = [
        asker(port, *keys)
        for port in (windows, operators)
        for keys in ((), (server, wrong_public, wrong_secret), (wrong_public, public, secret))
    ]
    with contextlib.ExitStack() as stack:
        for port in (windows, operators):
            for said in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 100_000, b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\0NULL"):
                raw = stack.enter_context(socket.create_connection(("127.0.0.1", int(port))))
                with contextlib.suppress(OSError):
                    raw.sendall(said)
        idle = [stack.enter_context(socket.create_connection(("127.0.0.1", int(windows)))) for _ in range(200)]
        assert found(window)
        assert found(tcp.connect(repo))
        assert not any(stranger.poll(300) for stranger in strangers)
        fields = tcp.status(repo)
        assert (fields["state"], fields["clients"], fields["dropped_frames"]) == ("ready", 2, 0)
        idle[0].settimeout(20)
        while idle[0].recv(1_000):  # ZeroMQ's greeting; then it disconnects a silent peer
            continue
    for stranger in strangers:
        stranger.close()
    assert comes(lambda: found(window))


class Impostor:
    """A program that has the port of a daemon that is gone, and keeps what it hears."""

    def __init__(self, port: int) -> None:
        self.heard = bytearray()
        self._listening = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                peer, _ = self._listening.accept()
                peer.settimeout(0.2)
                with contextlib.suppress(OSError):
                    peer.sendall(b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\0CURVE" + bytes(47))  # a greeting as of ZMTP 3
                    self.heard += peer.recv(65_536)
                    self.heard += peer.recv(65_536)
                peer.close()

    def close(self) -> None:
        self._listening.close()


def test_another_program_at_the_port_of_a_dead_daemon_learns_nothing(tcp: World, repo: Path):
    window = tcp.connect(repo)
    assert found(window)
    pid, port, operators, *keys = told(tcp, repo)
    window.close()
    os.kill(int(pid), signal.SIGKILL)
    eventually(lambda: not alive(int(pid)))
    impostors = [eventually(lambda place=place: _impostor(place)) for place in (int(port), int(operators))]
    try:
        second = tcp.window(repo)
        second.initialize()
        assert found(second)
        assert told(tcp, repo)[0] != pid
        assert tcp.status(repo)["state"] in ("ready", "indexing")
    finally:
        for impostor in impostors:
            impostor.close()
    heard = b"".join(bytes(impostor.heard) for impostor in impostors)
    assert b"compute_total" not in heard
    assert str(repo).encode() not in heard
    assert not any(key.encode() in heard for key in keys)


def _impostor(port: int) -> Impostor | None:
    try:
        return Impostor(port)
    except OSError:  # the kernel has not yet let go of it
        return None


def test_in_a_sandbox_that_refuses_local_sockets_alone_a_window_reaches_the_daemon_at_its_port(tcp: World, repo: Path):
    assert found(tcp.connect(repo))
    window = Window([*REFUSING, str(BIN / "codeagent-mcp"), "--repo", str(repo)], tcp.environment, None, tcp.errors)
    tcp.windows.append(window)
    window.initialize()
    assert found(window)
    assert tcp.status(repo)["clients"] == 2


def windowless(world: World, repo: Path) -> Window:
    """A shim that has to do without polled pipes and local sockets."""
    window = Window([*WITHOUT_POLL, "--repo", str(repo)], world.environment, None, world.errors)
    world.windows.append(window)
    return window


def test_a_window_that_can_poll_sockets_only_starts_a_daemon_outlives_it_and_leaves_with_its_client(
    tcp: World, repo: Path
):
    window = windowless(tcp, repo)
    window.initialize()
    assert found(window)
    os.kill(tcp.daemon(repo), signal.SIGKILL)
    assert found(window)
    assert window.surplus == 0
    assert window.close() == 0
    assert comes(lambda: tcp.status(repo)["clients"] == 0)


def test_what_such_a_window_owes_when_its_client_closes_stdin_is_still_answered(tcp: World, repo: Path):
    tcp.index(repo)
    lines = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "x", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
    ]
    said = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        [*WITHOUT_POLL, "--repo", str(repo)],
        input=said,
        env=tcp.environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert len(answers[1]["result"]["tools"]) > 5


def test_such_a_window_leaves_on_a_signal(tcp: World, repo: Path):
    window = windowless(tcp, repo)
    window.initialize()
    window.process.terminate()
    assert window.process.wait(10) == 0

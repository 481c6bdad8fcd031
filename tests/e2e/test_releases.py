"""Two releases that know of each other only what was recorded: windows are served, status and stop work, and sessions move over, either way round."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zmq

from codeagent_protocol import frames
from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.locks import holder_line, is_held
from codeagent_protocol.version import __version__
from tests.harness.language_window import editor_window
from tests.harness.processes import alive
from tests.harness.releases.reading import HELLO, RECORDINGS, Message, Recording, fields, header
from tests.harness.waiting import comes, eventually
from tests.harness.window import Window
from tests.harness.world import World

OLDER = "0.0.1"
FILES = {"greeting.py": "def greet():\n    return 1\n"}
CALL = {"query": "greet"}
PATIENCE_S = 20.0
QUIET_S = 0.3
Json = dict[str, Any]


@pytest.fixture(params=RECORDINGS, ids=lambda path: path.stem)
def recording(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def release(recording: Path) -> Recording:
    return Recording(recording)


@pytest.fixture
def repo(world: World) -> Path:
    return world.repository("repo", FILES)


def place_in(world: World, repo: Path) -> Endpoint:
    """Where the daemon of the repository is, or will be."""
    return Endpoint(str(repo), endpoint_of(repo).name, world.environment["CODEAGENT_RUNTIME_DIR"])


@pytest.fixture
def place(world: World, repo: Path) -> Endpoint:
    return place_in(world, repo)


@pytest.fixture(scope="module")
def served(shared_world: World) -> Path:
    """A repository for conversations with today's daemon."""
    return shared_world.repository("served", FILES)


@pytest.fixture
def today(shared_world: World, served: Path) -> Endpoint:
    """Where today's daemon serves."""
    shared_world.index(served)
    return place_in(shared_world, served)


class Socket:
    """One side of a conversation in raw frames."""

    def __init__(self, path: str) -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.connect(f"ipc://{path}")

    def say(self, message: list[bytes]) -> None:
        self._socket.send_multipart(message)

    def hear(self, patience_s: float = PATIENCE_S) -> list[bytes]:
        assert self._socket.poll(int(patience_s * 1_000)), "nothing was said"
        return self._socket.recv_multipart()

    def is_quiet(self) -> bool:
        return not self._socket.poll(int(QUIET_S * 1_000))

    def close(self) -> None:
        self._context.destroy(linger=0)


@pytest.fixture
def window(today: Endpoint) -> Iterator[Socket]:
    """A window that speaks frames, at today's daemon."""
    socket = Socket(today.socket)
    yield socket
    socket.close()


@pytest.fixture
def operator(today: Endpoint) -> Iterator[Socket]:
    """An operator who speaks frames, at today's daemon."""
    socket = Socket(today.control)
    yield socket
    socket.close()


def replay(window: Socket, conversation: list[Message]) -> dict[int, tuple[list[int], list[list[bytes]]]]:
    """Say what a shim has said, as a process that lives; what was said and is said, by the line that is answered."""
    told: dict[int, tuple[list[int], list[list[bytes]]]] = {}
    for who, message in conversation:
        if who == "daemon":
            told[header(message)[4]] = (header(message), [message])
        elif header(message)[0] == HELLO:
            here = {"pid": os.getpid(), "parent_pid": os.getppid(), "cwd": "", "repo": ""}
            window.say([message[0], msgspec.msgpack.encode(fields(message) | here)])
        else:
            window.say(message)
    for _ in told:
        answer = window.hear()
        told[header(answer)[4]][1].append(answer)
    assert window.is_quiet()
    return told


def missing(recorded: Any, said: Any, place: str = "") -> list[str]:
    """What was said once and is not said now, by name and kind of value."""
    if isinstance(recorded, dict) and isinstance(said, dict):
        return [
            gap
            for key in recorded
            for gap in (missing(recorded[key], said[key], f"{place}.{key}") if key in said else [f"{place}.{key}"])
        ]
    numbers = (int, float)
    is_alike = isinstance(said, type(recorded)) or (isinstance(recorded, numbers) and isinstance(said, numbers))
    return [] if is_alike else [place]


@pytest.mark.parametrize("phase", ["session", "editor", "moved"])
def test_a_window_of_the_release_is_served_and_moves_to_todays_daemon(window: Socket, release: Recording, phase: str):
    for before, messages in replay(window, getattr(release, phase)).values():
        then, now = messages
        assert header(now)[:1] + header(now)[2:] == before[:1] + before[2:]
        assert len(now) == len(then)
        if before[0] == frames.WELCOME:
            assert missing(fields(then), fields(now)) == []
        elif before[0] == frames.LINE:
            assert missing(json.loads(then[1]), json.loads(now[1])) == []


def untold(operator: Socket, release: Recording, verb: str) -> list[str]:
    """What the release said to an operator's request and today's daemon does not say."""
    operator.say([release.requests[verb]])
    while (reply := msgspec.msgpack.decode(operator.hear()[0]))["more"]:
        pass
    assert reply["ok"]
    recorded = msgspec.msgpack.decode(release.replies[verb][-1])
    return missing(recorded, reply) + missing(json.loads(recorded["payload"]), json.loads(reply["payload"]))


def test_the_commands_of_the_release_are_answered_by_todays_daemon(
    operator: Socket, release: Recording, today: Endpoint
):
    verbs = release.requests.keys() - {"restart", "stop"}
    # A daemon that has just indexed may not know yet whether its work tree has changes.
    assert comes(lambda: not any(untold(operator, release, verb) for verb in verbs)), {
        verb: untold(operator, release, verb) for verb in verbs
    }
    assert untold(operator, release, "stop") == []
    wait_free(today)


class Peer:
    """A daemon that says what the release has said, as a process."""

    def __init__(self, world: World, repo: Path, place: Endpoint, recording: Path, version: str) -> None:
        argv = [sys.executable, "-m", "tests.harness.releases.peer", str(recording), version, "--repo", str(repo)]
        os.makedirs(place.runtime, mode=0o700, exist_ok=True)
        with world.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                argv, env=world.environment, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
            )
        line = f"{self.process.pid} {version}"
        eventually(
            lambda: is_held(place.life_lock) and holder_line(place.life_lock) == line, explain=world.errors.read_text
        )


@pytest.fixture
def peer(world: World, repo: Path, place: Endpoint, recording: Path) -> Peer:
    return Peer(world, repo, place, recording, __version__)


def wait_free(place: Endpoint) -> None:
    eventually(lambda: not is_held(place.life_lock))


def test_todays_commands_reach_a_daemon_of_the_release(world: World, repo: Path, peer: Peer, release: Recording):
    told = json.loads(msgspec.msgpack.decode(release.replies["status"][0])["payload"])
    assert world.status(repo) == told
    shown = world.codeagentd("status", "--repo", str(repo))
    assert (shown.code, shown.err) == (0, "")
    assert world.codeagentd("index", "--wait", "--repo", str(repo)).code == 0
    assert world.codeagentd("stop", "--repo", str(repo)).out.startswith("stopped")
    assert peer.process.wait(PATIENCE_S) == 0
    assert world.codeagentd("status", "--repo", str(repo)).code == 3


def test_a_daemon_of_the_release_is_restarted_as_one_of_today(world: World, repo: Path, peer: Peer):
    assert world.codeagentd("restart", "--repo", str(repo)).code == 0
    assert peer.process.wait(PATIENCE_S) == 0
    assert world.status(repo)["version"] == __version__


def test_todays_window_is_served_by_a_daemon_of_the_release_and_moves_on(world: World, repo: Path, peer: Peer):
    window: Window = world.connect(repo)
    answers = [
        window.must("search_symbols", CALL) for _ in range(3)
    ]  # the release has answered one of them; then it makes way
    assert [[item["name"] for item in answer.items] for answer in answers] == [["greet"]] * 3
    assert not alive(peer.process.pid) or peer.process.wait(PATIENCE_S) == 0
    assert world.status(repo)["version"] == __version__
    assert world.status(repo)["clients"] == 1
    window.drain(QUIET_S)
    assert window.surplus == 0


def test_todays_language_server_is_served_by_a_daemon_of_the_release_and_moves_on(
    world: World, repo: Path, peer: Peer, release: Recording
):
    if not release.editor:
        pytest.skip("the release has no language server")
    window = editor_window(world, repo)
    for _ in range(2):  # the release has answered one of them; then it makes way
        answer = window.request("workspace/symbol", CALL)
        assert [symbol["name"] for symbol in answer.message["result"]] == ["greet", "greeting"]
    assert not alive(peer.process.pid) or peer.process.wait(PATIENCE_S) == 0
    assert world.status(repo)["version"] == __version__


def test_a_window_that_asks_nothing_brings_todays_daemon_in_the_place_of_an_older_one(
    world: World, repo: Path, place: Endpoint, recording: Path
):
    peer = Peer(world, repo, place, recording, OLDER)
    window = world.connect(repo)
    assert peer.process.wait(PATIENCE_S) == 0
    assert [item["name"] for item in window.must("search_symbols", CALL).items] == ["greet"]
    assert world.status(repo)["version"] == __version__
    assert window.surplus == 0

"""What a release says on its sockets, kept as data: `python -m tests.harness.releases.recording` in a checkout of the release.

Between its shims and its daemon, and between its command line and its daemon, stands a relay that writes every frame down. `session`: a window's first three
lines; `editor`: those of a language server; `left`: a line that the daemon never saw, and what it said when it made way; `moved`: the same window at its
successor; `control`: by command. The newest three releases are kept: the oldest recording beyond them is removed.
"""

from __future__ import annotations

import json
import math
import os
import threading
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import msgspec
import zmq

from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.locks import FileLock, holder_line
from tests.harness.language_window import LanguageWindow
from tests.harness.releases.reading import KEPT, order
from tests.harness.upgrade import PACKAGES, ROOT
from tests.harness.waiting import eventually
from tests.harness.world import BIN, World

HERE = Path(__file__).parent
FILES = {"greeting.py": "def greet():\n    return 1\n"}
CALL = {"name": "search_symbols", "arguments": {"query": "greet"}}
LINE, BYE, DRAINING = 3, 7, 9


class Relay(threading.Thread):
    """Has the sockets of `outer`, and passes what comes to those of `inner`. `keeps_lines`: lines are written down and go no further."""

    def __init__(self, outer: Endpoint, inner: Endpoint) -> None:
        super().__init__(daemon=True)
        self.outer, self.inner = outer, inner
        self.phase: list[list[str]] = []
        self.control: list[list[str]] = []
        self.keeps_lines = False
        self._stopping = False
        self._context = zmq.Context()
        self._poller = zmq.Poller()
        self._front = {name: self._router(path) for name, path in (("mcp", outer.socket), ("control", outer.control))}
        self._back: dict[tuple[str, bytes], Any] = {}

    def _router(self, path: str) -> Any:
        socket = self._context.socket(zmq.ROUTER)
        socket.setsockopt(zmq.ROUTER_HANDOVER, 1)
        socket.bind(f"ipc://{path}")
        self._poller.register(socket, zmq.POLLIN)
        return socket

    def run(self) -> None:
        """Relay until `close`."""
        while not self._stopping:
            ready = dict(self._poller.poll(20))
            for name, socket in self._front.items():
                if socket in ready:
                    self._inwards(name, *socket.recv_multipart())
            for (name, peer), socket in self._back.items():
                if socket in ready:
                    self._note(name, "daemon", frames := socket.recv_multipart())
                    self._front[name].send_multipart([peer, *frames])
        self._context.destroy(linger=200)

    def _inwards(self, name: str, peer: bytes, *frames: bytes) -> None:
        self._note(name, "shim" if name == "mcp" else "asker", list(frames))
        if (name, peer) not in self._back:
            socket = self._context.socket(zmq.DEALER)
            socket.setsockopt(zmq.ROUTING_ID, peer if name == "mcp" else b"A" + os.urandom(8))
            socket.connect(f"ipc://{self.inner.socket if name == 'mcp' else self.inner.control}")
            self._poller.register(socket, zmq.POLLIN)
            self._back[name, peer] = socket
        if not (self.keeps_lines and name == "mcp" and msgspec.msgpack.decode(frames[0])[0] == LINE):
            self._back[name, peer].send_multipart(list(frames))

    def _note(self, name: str, who: str, frames: list[bytes]) -> None:
        (self.phase if name == "mcp" else self.control).append([who, *(frame.hex() for frame in frames)])

    def kinds(self) -> list[int]:
        """The kinds of the messages of this phase."""
        return [msgspec.msgpack.decode(bytes.fromhex(header))[0] for _, header, *_ in self.phase]

    def close(self) -> None:
        """Hang up."""
        self._stopping = True
        self.join()


def record(world: World) -> dict[str, Any]:
    """A session, its move to a second daemon with one line unanswered, and what operators ask."""
    repo = world.repository("repo", FILES)
    world.index(repo)
    place = world.base / "outer"
    place.mkdir(mode=0o700)
    inner = Endpoint(str(repo), endpoint_of(repo).name, world.environment["CODEAGENT_RUNTIME_DIR"])
    outer = Endpoint(str(repo), inner.name, str(place))
    life = FileLock(outer.life_lock)
    life.try_take()
    line = holder_line(inner.life_lock)
    life.write(line)
    relay = _begun(outer, inner)
    editor = _edited(world, relay, repo, place)
    window = world.window(repo, cwd=repo, CODEAGENT_RUNTIME_DIR=str(place))
    window.initialize()
    window.request("tools/call", CALL)
    session, relay.phase, relay.keeps_lines = relay.phase, [], True
    unanswered = window.begin("tools/call", CALL)
    control = {
        verb: _asked(world, relay, repo, place, *command)
        for verb, command in (("status", ("status", "--json")), ("wait", ("index", "--wait")))
    }
    control["restart"] = _restarted(relay)
    left = relay.phase
    relay.close()
    world.codeagentd("start", "--repo", str(repo))
    world.index(repo)
    relay = _begun(outer, inner)
    window.finish(unanswered)
    moved, relay.phase = relay.phase, []
    threading.Thread(target=_release_when_gone, args=(inner, life), daemon=True).start()
    control["stop"] = _asked(world, relay, repo, place, "stop")
    relay.close()
    phases = {"session": session, "editor": editor, "left": left, "moved": moved}
    return {"version": line.partition(" ")[2], **phases, "control": control}


def _begun(outer: Endpoint, inner: Endpoint) -> Relay:
    relay = Relay(outer, inner)
    relay.start()
    return relay


def _edited(world: World, relay: Relay, repo: Path, place: Path) -> list[list[str]]:
    """What a language server says until its editor has an answer."""
    argv = [str(BIN / "codeagent-lsp"), "--repo", str(repo)]
    environment = world.environment | {"CODEAGENT_RUNTIME_DIR": str(place)}
    window = LanguageWindow(argv, environment, repo, world.errors, root=repo)
    world.windows.append(window)
    window.hello()
    window.request("workspace/symbol", {"query": "greet"})
    said = list(relay.phase)
    window.leave()
    eventually(lambda: BYE in relay.kinds())
    relay.phase = []
    return said


def _asked(world: World, relay: Relay, repo: Path, place: Path, *command: str) -> list[list[str]]:
    relay.control = []
    done = world.codeagentd(command[0], "--repo", str(repo), *command[1:], CODEAGENT_RUNTIME_DIR=str(place))
    assert done.code == 0, done
    return relay.control


def _restarted(relay: Relay) -> list[list[str]]:
    """As the command line asks it, which would then want the life lock."""
    relay.control = []
    asker: Any = zmq.Context.instance().socket(zmq.DEALER)
    asker.connect(f"ipc://{relay.outer.control}")
    asker.send(msgspec.msgpack.encode({"verb": "restart", "arguments": b"{}"}))
    eventually(lambda: DRAINING in relay.kinds() and len(relay.control) >= 2)
    asker.close(0)
    life = FileLock(relay.inner.life_lock)
    eventually(life.try_take)
    life.release()
    return relay.control


def _release_when_gone(inner: Endpoint, life: FileLock) -> None:
    probe = FileLock(inner.life_lock)
    eventually(probe.try_take, math.inf)
    probe.release()
    life.release()


def keep(found: dict[str, Any], day: date) -> Path:
    """Write a recording, and remove those that are older than the newest of KEPT. Returns its path."""
    path = HERE / f"{found['version']}-{day.isoformat()}.json"
    path.write_text(json.dumps(found, indent=1) + "\n")
    for older in sorted(HERE.glob("*.json"), key=order)[:-KEPT]:
        older.unlink()
    return path


if __name__ == "__main__":
    with World() as world:
        world.environment["PYTHONPATH"] = os.pathsep.join(str(ROOT / package) for package in PACKAGES)
        recorded = record(world)
    print(keep(recorded, datetime.now(UTC).date()))

"""A daemon that only says what a release has said: `python -m tests.harness.releases.peer RECORDING VERSION --repo ROOT`.

It answers each line of a window and each verb of an operator with the frames that were recorded, and makes way at the first line beyond them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import zmq

from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.locks import FileLock
from tests.harness.releases.reading import Recording, fields
from tests.harness.waiting import let_pass

HELLO, LINE, PING, PONG, DRAINING = 1, 3, 5, 6, 9
LEAVING = ("stop", "restart")
FAREWELL_S = 0.3  # for what was said to arrive


class Peer:
    """Holds the life lock of a repository with the line of its release."""

    def __init__(self, recording: Recording, version: str, root: str) -> None:
        self._said = recording
        endpoint = endpoint_of(root)
        self._life = FileLock(endpoint.life_lock)
        assert self._life.try_take()
        self._life.write(f"{os.getpid()} {version}")
        self._context = zmq.Context()
        self._windows, self._operators = self._bound(endpoint.socket), self._bound(endpoint.control)
        self._known: list[bytes] = []
        self._editors: set[bytes] = set()
        self._is_leaving = False

    def _bound(self, path: str) -> Any:
        socket = self._context.socket(zmq.ROUTER)
        socket.setsockopt(zmq.ROUTER_HANDOVER, 1)
        socket.bind(f"ipc://{path}")
        return socket

    def run(self) -> None:
        """Answer until it is time to leave."""
        poller = zmq.Poller()
        poller.register(self._windows, zmq.POLLIN)
        poller.register(self._operators, zmq.POLLIN)
        while not self._is_leaving:
            for socket, _ in poller.poll():
                (self._on_window if socket is self._windows else self._on_operator)(*socket.recv_multipart())
        let_pass(FAREWELL_S, "messages to windows are on their way")
        self._context.destroy(linger=0)
        self._life.release()

    def _on_window(self, peer: bytes, header: bytes, payload: bytes = b"") -> None:
        kind, _, _, seq, _ = msgspec.msgpack.decode(header)
        answers = self._said.editor_answers if peer in self._editors else self._said.answers
        if kind == HELLO:
            self._known.append(peer)
            if fields([header, payload]).get("language_server"):
                self._editors.add(peer)
            self._windows.send_multipart([peer, *self._said.greeting])
        elif kind == LINE and seq in answers:
            self._windows.send_multipart([peer, *answers[seq]])
        elif kind == LINE:
            self._make_way()

    def _on_operator(self, peer: bytes, request: bytes) -> None:
        verb = msgspec.msgpack.decode(request)["verb"]
        for reply in self._said.replies[verb]:
            self._operators.send_multipart([peer, reply])
        if verb in LEAVING:
            self._make_way()

    def _make_way(self) -> None:
        for peer in self._known:
            self._windows.send_multipart([peer, *self._said.farewell])
        self._is_leaving = True


if __name__ == "__main__":
    Peer(Recording(Path(sys.argv[1])), sys.argv[2], sys.argv[sys.argv.index("--repo") + 1]).run()

"""A window without a shim: frames on a DEALER socket, as a test wants them."""

from __future__ import annotations

import json
import os
from typing import Any, Self

import msgspec
import zmq

from codeagent_protocol import frames
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.messages import Hello

PATIENCE_S = 20.0
Json = dict[str, Any]


class RawWindow:
    """One connection to the daemon of `endpoint`. `hear` returns frames; `ask` a whole answer."""

    def __init__(self, endpoint: Endpoint, identity: bytes = b"", **hello: Any) -> None:
        self.identity = identity or b"S" + os.urandom(15)
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.ROUTING_ID, self.identity)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.RECONNECT_IVL, 10)
        self._socket.connect(f"ipc://{endpoint.socket}")
        self._hello = Hello(**({"pid": os.getpid(), "toolsets": "all"} | hello))
        self._seq = 0

    # frames

    def tell(self, kind: int, payload: bytes | None = None, flags: int = 0, seq: int = 0) -> None:
        """Send a frame."""
        header = frames.pack(kind, flags, seq)
        self.tell_raw([header] if payload is None else [header, payload])

    def tell_raw(self, parts: list[bytes]) -> None:
        """Send anything."""
        self._socket.send_multipart(parts)

    def hear(self, patience_s: float = PATIENCE_S) -> tuple[frames.Frame, bytes]:
        """The next frame and its payload."""
        if not self._socket.poll(int(patience_s * 1000)):
            raise TimeoutError(f"nothing within {patience_s} s")
        header, *payload = self._socket.recv_multipart()
        return frames.unpack(header), payload[0] if payload else b""

    def greet(self) -> tuple[frames.Frame, bytes]:
        """HELLO, and what is said to it."""
        self.tell(frames.HELLO, msgspec.msgpack.encode(self._hello))
        return self.hear()

    # lines

    def line(self, line: bytes, flags: int = 0, seq: int = 0) -> int:
        """Send a line under the next number, or under a given one; the number."""
        self._seq = seq or self._seq + 1
        self.tell(frames.LINE, line, flags, self._seq)
        return self._seq

    def request(
        self, method: str, params: Json | None = None, flags: int = 0, request_id: int | str | None = None
    ) -> int:
        """Send a request, whose id is its line's number unless one is given."""
        message = {
            "jsonrpc": "2.0",
            "id": self._seq + 1 if request_id is None else request_id,
            "method": method,
            "params": params or {},
        }
        return self.line(json.dumps(message).encode(), flags)

    def notify(self, method: str, params: Json | None = None) -> int:
        """Send a notification."""
        return self.line(json.dumps({"jsonrpc": "2.0", "method": method, "params": params or {}}).encode())

    def answer_to(self, seq: int, patience_s: float = PATIENCE_S) -> tuple[frames.Frame, Json]:
        """The frame that settles a line, with its JSON ({} for an ACK). Other frames are skipped."""
        while True:
            frame, payload = self.hear(patience_s)
            if frame.ack == seq:
                return frame, json.loads(payload) if payload else {}

    def ask(self, method: str, params: Json | None = None) -> Json:
        """A request and its answer."""
        return self.answer_to(self.request(method, params))[1]

    def call(self, tool: str, arguments: Json | None = None, **params: Any) -> Json:
        """A tool call and its result."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments or {}} | params)
        result: Json = answer["result"]
        return result

    def initialize(self, version: str = "2025-06-18", **more: Any) -> Json:
        """HELLO and the handshake; the answer to initialize."""
        frame, _ = self.greet()
        assert frame.kind == frames.WELCOME, frame
        answer = self.ask(
            "initialize",
            {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}} | more,
        )
        self.answer_to(self.notify("notifications/initialized"))
        return answer

    def close(self) -> None:
        """Go without a word."""
        self._context.destroy(linger=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

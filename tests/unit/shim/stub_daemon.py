"""A daemon without an index: holds the life lock, speaks the wire protocol, and does what a request's method says. Run by the shim's tests.

Every message received is a line of JSON in the file named by STUB_JOURNAL, so that a test can read what each daemon was told.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import msgspec
import zmq

from codeagent_protocol import messages as wire
from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.frames import pack_replacement
from codeagent_protocol.locks import FileLock
from tests.harness.waiting import comes, let_pass

STATE_OF_EDITORS = ("didOpen", "didChange", "didChangeWorkspaceFolders")  # notifications
LOCK_PATIENCE_S = 0.5  # a window may be probing the lock at the very moment


class StubDaemon:
    """Answers `echo`, keeps `hang` unanswered, dies at `crash`, and so on: each method is documented by its name below."""

    def __init__(self, root: str, options: list[str]) -> None:
        self.endpoint = endpoint_of(root)
        self.options = options
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.ROUTER)
        self.socket.setsockopt(zmq.LINGER, 500)
        self.socket.setsockopt(zmq.ROUTER_HANDOVER, 1)
        self.journal = os.open(os.environ["STUB_JOURNAL"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.life = FileLock(self.endpoint.life_lock)
        self.hanging: list[tuple[bytes, int, Any]] = []
        self.released = False

    def note(self, **fields: Any) -> None:
        os.write(self.journal, json.dumps({"pid": os.getpid(), **fields}).encode() + b"\n")

    def take_life(self) -> bool:
        if not comes(self.life.try_take, LOCK_PATIENCE_S):
            return False
        self.life.write(f"{os.getpid()} {'0.0.1' if 'older' in self.options else 'stub'}")
        return True

    def run(self) -> None:
        if "--succeed" in self.options:
            self.note(event="would succeed")
            return
        if not self.take_life():
            self.note(event="lost the race")
            return
        self.note(event="born")
        if "slow" in self.options:
            let_pass(0.4, "a daemon that takes long to come up")
        if "silent" not in self.options:
            self.socket.bind(f"ipc://{self.endpoint.socket}")
        while not self.released:
            self.on_message(*self.socket.recv_multipart())

    def on_message(self, identity: bytes, first: bytes, payload: bytes = b"") -> None:
        header = msgspec.msgpack.decode(first, type=wire.Header)
        if header.kind == wire.HELLO:
            self.on_hello(identity, msgspec.msgpack.decode(payload, type=wire.Hello))
        elif header.kind == wire.PING:
            self.send(identity, wire.Header(wire.PONG, seq=header.seq))
        elif header.kind == wire.BYE:
            self.note(event="bye", session=identity.hex())
        elif header.kind == wire.LINE:
            self.on_line(identity, header, payload)

    def on_hello(self, identity: bytes, hello: wire.Hello) -> None:
        self.note(event="hello", session=identity.hex(), hello=msgspec.to_builtins(hello))
        if "refuse" in self.options:
            refused = wire.Refused(
                "invalid_parameter", "no toolset is called nonsense", "choose from `codeagentd tools`"
            )
            self.send(identity, wire.Header(wire.REFUSED), msgspec.msgpack.encode(refused))
            return
        self.send(identity, wire.Header(wire.WELCOME), msgspec.msgpack.encode(wire.Welcome(pid=os.getpid())))

    def on_line(self, identity: bytes, header: wire.Header, payload: bytes) -> None:
        try:
            message = json.loads(payload)
        except ValueError:
            message = {"method": "garbage", "id": None}
        method = str(message.get("method", "response"))
        self.note(
            event="line",
            session=identity.hex(),
            seq=header.seq,
            flags=header.flags,
            method=method,
            id=message.get("id"),
            params=message.get("params"),
        )
        if method.endswith(STATE_OF_EDITORS):
            if b'"text":"crash"' in payload:
                self.on_crash(identity, header, message)
            self.on_initialized(identity, header, message)
            return
        name = "on_" + method.rpartition("/")[2]
        getattr(self, name, self.on_echo)(identity, header, message)

    # methods of the requests

    def on_initialize(self, identity: bytes, header: wire.Header, message: Any) -> None:
        self.answer(identity, header, message, {"serverInfo": {"name": "stub"}}, flags=wire.STATE)

    def on_initialized(self, identity: bytes, header: wire.Header, message: Any) -> None:
        self.send(identity, wire.Header(wire.ACK, flags=wire.STATE, ack=header.seq))

    def on_response(self, identity: bytes, header: wire.Header, message: Any) -> None:
        self.send(identity, wire.Header(wire.ACK, ack=header.seq))

    def on_subscribe(self, identity: bytes, header: wire.Header, message: Any) -> None:
        self.answer(identity, header, message, {}, flags=wire.STATE)

    def on_fold(self, identity: bytes, header: wire.Header, message: Any) -> None:
        """Replace the state lines with these numbers by this line."""
        numbers, line = message["params"]["numbers"], message["params"]["line"]
        self.send(identity, wire.Header(wire.REPLACE), pack_replacement(numbers, line.encode()))
        self.on_echo(identity, header, message)

    def on_symbol(self, identity: bytes, header: wire.Header, message: Any) -> None:
        """A symbol with the name of the repository; `fail` or `hold` with that name: an error, or no answer."""
        name = os.path.basename(self.endpoint.root)
        what, _, where = message["params"]["query"].partition(" ")
        if what == "fail" and name in where:
            error = {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32803, "message": f"no {name}"}}
            self.send(identity, wire.Header(wire.LINE, ack=header.seq), json.dumps(error).encode())
        elif what == "hold" and name in where:
            self.hanging.append((identity, header.seq, message))
        else:
            self.answer(identity, header, message, None if what == "null" else [{"name": name}])

    def on_release(self, identity: bytes, header: wire.Header, message: Any) -> None:
        """Answer what was held."""
        for owner, seq, held in self.hanging:
            self.answer(owner, wire.Header(wire.LINE, seq=seq), held, [{"name": "late"}])
        self.on_echo(identity, header, message)

    def on_ask(self, identity: bytes, header: wire.Header, message: Any) -> None:
        """Send a client what daemons ask: the same ids and tokens from each."""
        for asked in (
            {"id": 1, "method": "window/workDoneProgress/create", "params": {"token": "t"}},
            {"method": "$/progress", "params": {"token": "t", "value": {"kind": "begin"}}},
            {"method": "$/progress", "params": {"token": "of the client", "value": {}}},
            {"id": "1", "method": "client/registerCapability", "params": {"registrations": []}},
        ):
            self.send(identity, wire.Header(wire.LINE), json.dumps({"jsonrpc": "2.0", **asked}).encode())
        self.on_echo(identity, header, message)

    def on_echo(self, identity: bytes, header: wire.Header, message: Any) -> None:
        if "id" not in message:
            self.send(identity, wire.Header(wire.ACK, ack=header.seq))
        else:
            self.answer(identity, header, message, {"pid": os.getpid(), "params": message.get("params")})

    def on_twice(self, identity: bytes, header: wire.Header, message: Any) -> None:
        self.on_echo(identity, header, message)
        self.on_echo(identity, header, message)

    def on_notify(self, identity: bytes, header: wire.Header, message: Any) -> None:
        self.send(identity, wire.Header(wire.LINE), b'{"jsonrpc":"2.0","method":"notifications/message"}')
        self.send(identity, wire.Header(wire.LINE), b'{"jsonrpc":"2.0","id":"s1","method":"ping"}')
        self.on_echo(identity, header, message)

    def on_hang(self, identity: bytes, header: wire.Header, message: Any) -> None:
        """Unanswered in the first daemon's life; a successor answers."""
        if header.flags & wire.RESENT:
            self.on_echo(identity, header, message)
        else:
            self.hanging.append((identity, header.seq, message))

    def on_hold(self, identity: bytes, header: wire.Header, message: Any) -> None:
        """Unanswered by every daemon."""

    def on_forget(self, identity: bytes, header: wire.Header, message: Any) -> None:
        """End the session without an answer, and live on."""
        if header.flags & wire.RESENT:
            self.on_echo(identity, header, message)
        else:
            self.send(identity, wire.Header(wire.BYE))

    def on_crash(self, identity: bytes, header: wire.Header, message: Any) -> None:
        os._exit(9)

    def on_flood(self, identity: bytes, header: wire.Header, message: Any) -> None:
        for _ in range(message["params"]["messages"]):
            self.send(
                identity,
                wire.Header(wire.LINE),
                b'{"jsonrpc":"2.0","method":"notifications/message","params":"' + b"x" * 100_000 + b'"}',
            )
        self.on_echo(identity, header, message)

    def on_noise(self, identity: bytes, header: wire.Header, message: Any) -> None:
        for frames in ([b""], [b"\xc1\xff"], [b"\x95\x03"], [b"\x91\x63"], [b"\xdd\xff\xff\xff\xff", b"x"]):
            self.socket.send_multipart([identity, *frames])
        self.socket.send_multipart(
            [
                identity,
                msgspec.msgpack.encode([wire.LINE, 9, 0, 0, header.seq, "later", {"field": 1}]),
                self.result(message, {}),
            ]
        )

    def on_drain(self, identity: bytes, header: wire.Header, message: Any) -> None:
        """Make way: say so, answer what was begun, then leave. The successor answers."""
        if header.flags & wire.RESENT:
            self.on_echo(identity, header, message)
            return
        self.send(identity, wire.Header(wire.DRAINING))
        for owner, seq, kept in self.hanging:
            self.answer(owner, wire.Header(wire.LINE, seq=seq), kept, {"pid": os.getpid(), "drained": True})
        self.leave()

    def on_stop(self, identity: bytes, header: wire.Header, message: Any) -> None:
        """Leave without a successor."""
        self.answer(identity, header, message, {"pid": os.getpid()})
        self.send(identity, wire.Header(wire.BYE))
        self.leave()

    # sending

    def result(self, message: Any, result: Any) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()

    def answer(self, identity: bytes, header: wire.Header, message: Any, result: Any, flags: int = 0) -> None:
        self.send(identity, wire.Header(wire.LINE, flags=flags, ack=header.seq), self.result(message, result))

    def send(self, identity: bytes, header: wire.Header, payload: bytes | None = None) -> None:
        frames = [identity, msgspec.msgpack.encode(header)]
        self.socket.send_multipart(frames if payload is None else [*frames, payload])

    def leave(self) -> None:
        self.socket.close()
        self.context.term()
        self.life.release()
        self.released = True


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if "die-at-once" in arguments:
        print("the stub was told to die", file=sys.stderr)
        sys.exit(3)
    StubDaemon(arguments[arguments.index("--repo") + 1], arguments).run()

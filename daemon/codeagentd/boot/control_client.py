"""The client of the control socket, by which the command line asks a running daemon. A free life lock distinguishes
`not running` from `not answering`.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
import zmq

from codeagent_protocol import transport
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.locks import is_held
from codeagent_protocol.messages import ControlReply, ControlRequest

LOOK_MS: Final = 200  # between checks whether the daemon still runs
RECONNECT_MS: Final = 10  # a daemon that is starting binds its sockets soon

_reply = msgspec.msgpack.Decoder(ControlReply)
_request = msgspec.msgpack.Encoder()


class NotRunning(Exception):
    """Raised when no daemon holds the life lock, or when it ended before it answered."""


class NotAnswering(Exception):
    """Raised when a daemon holds the life lock and has not answered in time."""


def ask(
    endpoint: Endpoint, verb: str, arguments: Mapping[str, Any] | None = None, timeout_s: float = 5.0
) -> ControlReply:
    """Send the request `verb` with these arguments to the daemon of `endpoint`, and return the last reply; progress
    replies before it are dropped.

    Errors: NotRunning; NotAnswering.
    """
    *_, last = follow(endpoint, verb, arguments, timeout_s)
    return last


def follow(
    endpoint: Endpoint, verb: str, arguments: Mapping[str, Any] | None = None, timeout_s: float = 5.0
) -> Iterator[ControlReply]:
    """Send the request `verb` with these arguments to the daemon of `endpoint`, and yield every reply as it arrives;
    the last one has `more` false. `timeout_s` is for all replies together.

    Errors: NotRunning; NotAnswering.
    """
    if not is_held(endpoint.life_lock):
        raise NotRunning(endpoint.root)
    deadline = time.monotonic() + timeout_s
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        question = _request.encode(ControlRequest(verb, msgspec.json.encode(dict(arguments or {}))))
        line = _ControlRequest(context, endpoint, question)
        more = True
        while more:
            reply = _received(line, endpoint, deadline, timeout_s)
            yield reply
            more = reply.more
    finally:
        with _uninterrupted():
            context.destroy(linger=0)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the context ends: a socket that it keeps from being noted is never closed, and its context
    would wait for that for ever. A mask would not do, since another thread may get the signal.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield  # only the main thread is interrupted
        return
    noted: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if noted:
            signal.raise_signal(signal.SIGINT)


class _ControlRequest:
    """One request on its way to the daemon.

    It is sent again if the daemon publishes a port after this client had looked for its socket, because the first copy
    did not arrive there.
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoint: Endpoint, question: bytes) -> None:
        self._context, self._endpoint, self._question = context, endpoint, question
        self._address: transport.Address | None = None
        self._socket: zmq.Socket[bytes] | None = None
        self.look()

    def look(self) -> None:
        """Look for the daemon's address, unless it is known."""
        if self._address and self._address.server:
            return
        address = transport.for_operators(self._endpoint)
        if address and address != self._address:
            self._ask(address)

    def receive(self, patience_ms: int) -> bytes | None:
        """The next reply of the daemon; None when none arrives within `patience_ms`."""
        if self._socket is None:
            time.sleep(patience_ms / 1000)
            return None
        return self._socket.recv() if self._socket.poll(patience_ms) else None

    def _ask(self, address: transport.Address) -> None:
        if self._socket:
            self._socket.close(0)
        with _uninterrupted():
            self._address, self._socket = address, self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.RECONNECT_IVL, RECONNECT_MS)
        address.identify(self._socket)
        self._socket.connect(address.url)
        self._socket.send(self._question)


def _received(line: _ControlRequest, endpoint: Endpoint, deadline: float, timeout_s: float) -> ControlReply:
    while (left_s := deadline - time.monotonic()) > 0:
        message = line.receive(int(min(LOOK_MS, left_s * 1000 + 1)))
        if message is not None:
            return _decoded(message)
        if not is_held(endpoint.life_lock):
            raise NotRunning(endpoint.root)
        line.look()
    raise NotAnswering(f"no answer within {timeout_s:g} s")


def _decoded(message: bytes) -> ControlReply:
    try:
        return _reply.decode(message)
    except msgspec.MsgspecError as error:
        raise NotAnswering(f"its answer is in no form that this version knows ({error})") from None

"""How does the command line ask a running daemon? Over the control socket; a free life lock tells `not running` from `not answering`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
import zmq

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.locks import is_held
from codeagent_protocol.messages import ControlReply, ControlRequest

LOOK_MS: Final = 200  # between looks whether the daemon is still alive
RECONNECT_MS: Final = 10  # a daemon that is just starting binds soon

_reply = msgspec.msgpack.Decoder(ControlReply)
_request = msgspec.msgpack.Encoder()


class NotRunning(Exception):
    """No daemon holds the life lock, or it ended before it answered."""


class NotAnswering(Exception):
    """A daemon holds the life lock and has not answered in time."""


def ask(endpoint: Endpoint, verb: str, arguments: Mapping[str, Any] | None = None, timeout_s: float = 5.0) -> ControlReply:
    """The last reply to a question; progress on the way is dropped.

    Errors: NotRunning; NotAnswering.
    """
    *_, last = follow(endpoint, verb, arguments, timeout_s)
    return last


def follow(endpoint: Endpoint, verb: str, arguments: Mapping[str, Any] | None = None, timeout_s: float = 5.0) -> Iterator[ControlReply]:
    """Every reply to a question as it comes; the last one has `more` false. `timeout_s` is for all of them.

    Errors: NotRunning; NotAnswering.
    """
    if not is_held(endpoint.life_lock):
        raise NotRunning(endpoint.root)
    deadline = time.monotonic() + timeout_s
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        socket = _connected(context, endpoint)
        socket.send(_request.encode(ControlRequest(verb, msgspec.json.encode(dict(arguments or {})))))
        more = True
        while more:
            reply = _received(socket, endpoint, deadline, timeout_s)
            yield reply
            more = reply.more
    finally:
        context.destroy(linger=0)


def _connected(context: zmq.Context[zmq.Socket[bytes]], endpoint: Endpoint) -> zmq.Socket[bytes]:
    socket = context.socket(zmq.DEALER)
    socket.setsockopt(zmq.RECONNECT_IVL, RECONNECT_MS)
    socket.connect(f"ipc://{endpoint.control}")
    return socket


def _received(socket: zmq.Socket[bytes], endpoint: Endpoint, deadline: float, timeout_s: float) -> ControlReply:
    while (left_s := deadline - time.monotonic()) > 0:
        if socket.poll(int(min(LOOK_MS, left_s * 1000 + 1))):
            return _decoded(socket.recv())
        if not is_held(endpoint.life_lock):
            raise NotRunning(endpoint.root)
    raise NotAnswering(f"no answer within {timeout_s:g} s")


def _decoded(message: bytes) -> ControlReply:
    try:
        return _reply.decode(message)
    except msgspec.MsgspecError as error:
        raise NotAnswering(f"its answer is in no form that this version knows ({error})") from None

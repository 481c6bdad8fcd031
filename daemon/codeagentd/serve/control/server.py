"""The server of the control socket. It has a thread of its own, so that operators reach a busy daemon. Short requests
are answered in that thread, each long one in another thread.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from socket import socketpair
from typing import Any, Final, NamedTuple

import msgspec
import zmq

from codeagent_protocol.errors import INTERNAL, CodedError, EngineUnavailable, InvalidParameter
from codeagent_protocol.messages import ControlReply, ControlRequest
from codeagentd.base.log import EventLog

CONVERSATIONS: Final = 64  # long requests at once
BATCH: Final = 100  # messages taken before replies are sent
WAKE: Final = b"\0"

_log = EventLog(__name__)
_request = msgspec.msgpack.Decoder(ControlRequest)
_reply = msgspec.msgpack.Encoder()
Json = dict[str, Any]


class ClientGone(Exception):
    """Raised when the client of the request does not wait for the answer any more."""


class Conversation:
    """One request of an operator while it is being answered. `say` sends progress to its client."""

    def __init__(self, peer: bytes, send: Callable[[Conversation, ControlReply], None]) -> None:
        self.peer = peer
        self.is_gone = False
        self._send = send

    def say(self, payload: object) -> None:
        """Send `payload` to the client as a reply before the last one. Errors: ClientGone."""
        if self.is_gone:
            raise ClientGone
        self._send(self, ControlReply(True, msgspec.json.encode(payload), more=True))


class Verb(NamedTuple):
    """The way in which a verb is answered. `answer(arguments, conversation)` returns the payload; one with `is_long`
    may block and runs in a thread of its own.

    `then` is called after the answer has been sent.
    """

    answer: Callable[[Json, Conversation], object]
    is_long: bool = False
    then: Callable[[], None] | None = None


class ControlServer:
    """Answers control requests until it is closed, and then those that are under way with the error `farewell()`. Only
    its own thread uses the socket.
    """

    def __init__(self, socket: zmq.Socket[bytes], verbs: dict[str, Verb], farewell: Callable[[], CodedError]) -> None:
        self._socket = socket
        self._verbs = verbs
        self._farewell = farewell
        self._outgoing: deque[tuple[Conversation, ControlReply]] = deque()
        self._open: set[Conversation] = set()
        self._is_closing = False
        self._awake, self._alarm = socketpair()  # a socket pair, since pipes cannot be polled on Windows
        self._awake.setblocking(False)
        self._alarm.setblocking(False)
        self._thread = threading.Thread(target=self._serve, name="control", daemon=True)
        self.dropped_frames = 0

    def start(self) -> None:
        """Start the thread that answers requests."""
        self._thread.start()

    @property
    def conversations(self) -> int:
        """The number of long requests that are being answered."""
        return len(self._open)

    def close(self, deadline_s: float) -> bool:
        """Send the answers that are ready, stop, and close the socket. Returns False if the thread has not ended after
        `deadline_s`.
        """
        self._is_closing = True
        self._wake()
        self._thread.join(deadline_s)
        return not self._thread.is_alive()

    # in the server's own thread

    def _serve(self) -> None:
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._awake.fileno(), zmq.POLLIN)
        while not self._is_closing:
            if self._awake.fileno() in dict(poller.poll()):
                self._sleep_again()
            self._take_all()
            self._send_all()
        self._outgoing += [(conversation, _refusal(self._farewell())) for conversation in list(self._open)]
        self._send_all()
        self._socket.close()

    def _take_all(self) -> None:
        for _ in range(BATCH):
            try:
                peer, *parts = self._socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            self._on_message(peer, parts)

    def _on_message(self, peer: bytes, parts: list[bytes]) -> None:
        try:
            request = _request.decode(parts[0] if len(parts) == 1 else b"")
        except (msgspec.MsgspecError, ValueError, RecursionError):
            self.dropped_frames += 1
            return
        conversation = Conversation(peer, self._send_later)
        verb = self._verbs.get(request.verb)
        if verb is None:
            known = InvalidParameter(
                f"there is no verb {request.verb[:60]!r}", remedy=f"this daemon knows: {', '.join(self._verbs)}"
            )
            self._outgoing.append((conversation, _refusal(known)))
        elif verb.is_long:
            self._begin(verb, request, conversation)
        else:
            self._outgoing.append((conversation, _answered(verb, request, conversation)))
            self._send_all()
            if verb.then:
                verb.then()

    def _begin(self, verb: Verb, request: ControlRequest, conversation: Conversation) -> None:
        if len(self._open) >= CONVERSATIONS:
            self._outgoing.append(
                (
                    conversation,
                    _refusal(EngineUnavailable("too many questions are under way", remedy="try again in a moment")),
                )
            )
            return
        self._open.add(conversation)
        try:
            threading.Thread(
                target=self._converse, args=(verb, request, conversation), name=f"control {request.verb}", daemon=True
            ).start()
        except RuntimeError:
            self._open.discard(conversation)
            none = EngineUnavailable(
                "no thread can be started for it", remedy="raise the limit of processes (ulimit -u), or try again later"
            )
            self._outgoing.append((conversation, _refusal(none)))

    def _send_all(self) -> None:
        while self._outgoing:
            conversation, reply = self._outgoing.popleft()
            try:
                self._socket.send_multipart([conversation.peer, _reply.encode(reply)], zmq.NOBLOCK)
            except zmq.ZMQError:  # the client is gone or does not read: it does not wait any more
                conversation.is_gone = True

    def _sleep_again(self) -> None:
        try:
            while self._awake.recv(4096):
                pass
        except BlockingIOError:
            return

    # in other threads

    def _converse(self, verb: Verb, request: ControlRequest, conversation: Conversation) -> None:
        try:
            self._send_later(conversation, _answered(verb, request, conversation))
        except ClientGone:
            return
        finally:
            self._open.discard(conversation)

    def _send_later(self, conversation: Conversation, reply: ControlReply) -> None:
        self._outgoing.append((conversation, reply))
        self._wake()

    def _wake(self) -> None:
        try:
            self._alarm.send(WAKE)
        except BlockingIOError:
            return  # it is full of wake-up bytes already


def _answered(verb: Verb, request: ControlRequest, conversation: Conversation) -> ControlReply:
    try:
        arguments = msgspec.json.decode(request.arguments, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _refusal(InvalidParameter("the arguments are no JSON object"))
    try:
        return ControlReply(True, msgspec.json.encode(verb.answer(arguments, conversation)))
    except CodedError as error:
        return _refusal(error)
    except ClientGone:
        raise
    except Exception as error:  # noqa: BLE001 - a fault in one verb must not end the others
        _log.error("control verb failed", error, verb=request.verb)
        return _refusal(CodedError("the daemon failed to answer", code=INTERNAL, remedy="codeagentd logs"))


def _refusal(error: CodedError) -> ControlReply:
    return ControlReply(False, msgspec.json.encode(error.as_dict()))

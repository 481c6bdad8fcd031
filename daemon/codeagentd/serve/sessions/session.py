"""One window's session: every line of its shim is answered or acknowledged exactly once, under its own number.

The SDK identifies requests by their JSON-RPC id, the shim lines by their number; the session maps one to the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec

from codeagent_protocol import frames
from codeagent_protocol.initialize import completed
from codeagent_protocol.messages import Hello
from codeagentd.serve.jsonrpc import (
    INVALID_REQUEST,
    InvalidLine,
    Notification,
    Request,
    RequestId,
    Response,
    error_line,
    read,
)
from codeagentd.serve.tool_calls import Answered, ToolSelection
from codeagentd.toolkit.sent_snippets import SentSnippets

CLIENT_INFO: Final = "io.modelcontextprotocol/clientInfo"  # the client's name in the era without `initialize`
INITIALIZE: Final = "initialize"
INITIALIZED: Final = "notifications/initialized"
CANCELLED: Final = "notifications/cancelled"
LISTEN: Final = "subscriptions/listen"
HANDSHAKE_ID: Final = "codeagentd/handshake"
STATE_REQUESTS: Final = frozenset({INITIALIZE, "logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
CALLS_AT_ONCE: Final = 8  # per session: one window's burst leaves threads for the others
MAX_LABEL: Final = 100  # maximum length of a client's name

Send = Callable[[int, int, int, bytes | None], None]  # kind, flags, ack, payload


class PendingRequest:
    """A request that waits for its answer: the number and flags of its line, and, for tool calls, the answer that does
    not pass through the SDK.
    """

    __slots__ = ("answered", "flags", "request", "seq")

    def __init__(self, request: Request, seq: int, flags: int) -> None:
        self.request = request
        self.seq = seq
        self.flags = flags
        self.answered: Answered | None = None


class RequestHandler(Protocol):
    """A handler of the usual requests, which needs no SDK."""

    has_handshake: bool
    is_open: bool

    def take(self, pending: PendingRequest) -> bool:
        """Answer `pending` through the session, now or soon. Returns False if another handler has to answer it."""

    def cancel(self, request_id: object) -> bool:
        """Drop the answer to the request of this id, because the client no longer wants it. Returns False if this
        handler was not to answer the request.
        """


class SdkConnection(Protocol):
    """The SDK's end of a session."""

    def request(self, pending: PendingRequest) -> None:
        """Pass the request `pending` to the SDK; it is answered through the session's `respond`, `fail` or `settle`."""

    def notification(self, notification: Notification) -> None:
        """Pass `notification` of the client to the SDK."""

    def close(self) -> None:
        """End the connection: the client is gone."""


class Session:
    """The session of one shim: it passes the shim's lines to handlers and their answers back.

    `send` puts a frame on the wire; `summon(session)` has the SDK connected, and is called when the first unusual
    request comes.
    """

    def __init__(
        self,
        identity: bytes,
        hello: Hello,
        selection: ToolSelection,
        since: float,
        send: Send,
        summon: Callable[[Session], None],
    ) -> None:
        self.identity = identity
        self.hello = hello
        self.selection = selection
        self.since = since
        self.client = ""
        self.requests = 0
        self.sent_snippets = SentSnippets()
        self.turns = asyncio.Semaphore(CALLS_AT_ONCE)
        self.shortcut: RequestHandler | None = None
        self.is_leaving = False  # the daemon drains: requests that it cannot answer any more are left to its successor
        self.is_over = False
        self._send = send
        self._summon = summon
        self._in_flight: dict[tuple[type, RequestId], PendingRequest] = {}
        self._feed: SdkConnection | None = None
        self._waiting: list[PendingRequest] = []
        self._handshake: Request | None = None
        self._initialized: Notification | None = None

    @property
    def in_flight(self) -> int:
        """The number of requests that wait for an answer."""
        return len(self._in_flight)

    @property
    def streams(self) -> int:
        """The number of requests in flight that are answered only at the end of the session (streams)."""
        return sum(pending.request.method == LISTEN for pending in self._in_flight.values())

    def is_pending(self, pending: PendingRequest) -> bool:
        """Whether `pending` still waits for its answer."""
        return self._in_flight.get((type(pending.request.id), pending.request.id)) is pending

    def take(self, seq: int, flags: int, line: bytes) -> None:
        """Handle one line of the client, numbered `seq`: pass a request on, acknowledge anything else. `flags`: of its
        frame.
        """
        message = read(line)
        if isinstance(message, Request):
            self._on_request(message, seq, flags)
        elif isinstance(message, Notification):
            self._on_notification(message)
            self._acknowledge(seq, message.method == INITIALIZED)
        elif isinstance(message, InvalidLine):
            self._send(frames.LINE, 0, seq, message.answer)
        elif isinstance(message, Response):
            self._acknowledge(seq)

    def connect(self, feed: SdkConnection) -> None:
        """Connect the SDK through `feed`: pass it the handshake, then the requests that wait for it."""
        self._feed = feed
        if self._handshake:
            feed.request(PendingRequest(self._handshake, 0, 0))
        if self._initialized:
            feed.notification(self._initialized)
        waiting, self._waiting = self._waiting, []
        for pending in waiting:
            feed.request(pending)

    def end(self) -> None:
        """End the session: the window is gone, and no request needs an answer any more."""
        self.is_over = True
        self._in_flight.clear()
        self._waiting.clear()
        if self._feed:
            self._feed.close()

    # answers

    def respond(self, request_id: RequestId, result: dict[str, Any]) -> None:
        """Answer the request of this id with `result`.

        A tool's answer is inserted here as the JSON that it already is: validating it again would take longer than
        computing it.
        """
        pending = self._pop_pending(request_id)
        if pending is None:
            return
        if pending.answered:
            if pending.answered.came_too_late and self.is_leaving:
                return
            answer = pending.answered.answer
            content = [{"type": "text", "text": text} for text in (answer.text, answer.rendered) if text]
            result = result | {
                "content": content,
                "structuredContent": msgspec.Raw(answer.text.encode("utf-8", "replace")),
            }
        if pending.request.method == INITIALIZE and self.shortcut:
            self.shortcut.has_handshake = True
        self._answer(
            pending,
            {"jsonrpc": "2.0", "id": request_id, "result": result},
            makes_state=pending.request.method in STATE_REQUESTS,
        )
        if pending.answered:
            pending.answered.delivery.confirm()

    def fail(self, request_id: RequestId | None, error: dict[str, Any]) -> None:
        """Answer the request of this id with a JSON-RPC error; None answers a line without a valid id."""
        pending = self._pop_pending(request_id)
        if pending:
            self._answer(pending, {"jsonrpc": "2.0", "id": request_id, "error": error}, makes_state=False)

    def settle(self, request_id: RequestId) -> None:
        """Drop the request of this id, which the client cancelled: no answer is sent."""
        pending = self._pop_pending(request_id)
        if pending:
            self._acknowledge(pending.seq)

    def tell(self, message: dict[str, Any]) -> None:
        """Send `message`, which answers no request: progress or a log message."""
        if not self.is_over:
            self._send(frames.LINE, 0, 0, msgspec.json.encode(message))

    # lines

    def _on_request(self, request: Request, seq: int, flags: int) -> None:
        key = (type(request.id), request.id)
        if key in self._in_flight:
            self._send(
                frames.LINE,
                0,
                seq,
                error_line(request.id, INVALID_REQUEST, "this id is in use by a request that is not answered yet"),
            )
            return
        if request.method == INITIALIZE:
            request = Request(request.id, request.method, completed(request.params))
        self.requests += 1
        self._note_client(request)
        pending = self._in_flight[key] = PendingRequest(request, seq, flags)
        if self.shortcut and self.shortcut.take(pending):
            if request.method == INITIALIZE:
                self._keep_handshake(request)
        else:
            self._leave_to_sdk(pending)

    def _on_notification(self, notification: Notification) -> None:
        is_ours = (
            notification.method == CANCELLED
            and self.shortcut
            and self.shortcut.cancel((notification.params or {}).get("requestId"))
        )
        if notification.method == INITIALIZED:
            self._initialized = notification
        if self._feed and not is_ours:
            self._feed.notification(notification)
        elif notification.method == CANCELLED:
            self._cancel_waiting((notification.params or {}).get("requestId"))

    def _cancel_waiting(self, request_id: object) -> None:
        for pending in [pending for pending in self._waiting if pending.request.id == request_id]:
            self._waiting.remove(pending)
            self.settle(pending.request.id)

    def _keep_handshake(self, request: Request) -> None:
        """Keep the handshake for the SDK, under an id that no client uses; the SDK's answer to it is dropped."""
        self._handshake = Request(HANDSHAKE_ID, request.method, request.params)
        if self._feed:
            self._feed.request(PendingRequest(self._handshake, 0, 0))

    def _leave_to_sdk(self, pending: PendingRequest) -> None:
        if self.shortcut and not self.shortcut.has_handshake:
            self.shortcut.is_open = False
        if self._feed:
            self._feed.request(pending)
            return
        self._waiting.append(pending)
        if len(self._waiting) == 1:
            self._summon(self)

    def _pop_pending(self, request_id: RequestId | None) -> PendingRequest | None:
        return None if request_id is None else self._in_flight.pop((type(request_id), request_id), None)

    def _answer(self, pending: PendingRequest, message: dict[str, Any], *, makes_state: bool) -> None:
        if pending.flags & frames.REPLAY:  # a daemon before this one already answered the client
            self._acknowledge(pending.seq, makes_state)
        else:
            self._send(frames.LINE, frames.STATE if makes_state else 0, pending.seq, msgspec.json.encode(message))

    def _acknowledge(self, seq: int, makes_state: bool = False) -> None:
        self._send(frames.ACK, frames.STATE if makes_state else 0, seq, None)

    def _note_client(self, request: Request) -> None:
        params = request.params or {}
        meta = params.get("_meta")
        info = (
            params.get("clientInfo")
            if request.method == INITIALIZE
            else meta.get(CLIENT_INFO)
            if isinstance(meta, dict) and not self.client
            else None
        )
        if isinstance(info, dict):
            self.client = f"{info.get('name', '')} {info.get('version', '')}".strip()[:MAX_LABEL]

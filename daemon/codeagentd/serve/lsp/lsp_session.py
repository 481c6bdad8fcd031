"""The session of one editor window: every line is answered or acknowledged exactly once, under its own number.

Notifications about documents are applied in their order, on the event loop. Requests run in threads, on the documents
as they were when the request came, so that no answer waits for another one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

import codeagentd.lsp.methods  # noqa: F401 - declares the methods
from codeagent_protocol import frames
from codeagent_protocol.errors import ENGINE_UNAVAILABLE, CodedError
from codeagent_protocol.messages import Hello
from codeagentd.lsp.client_features import ClientFeatures, features_of
from codeagentd.lsp.method import METHODS
from codeagentd.lsp.open_documents import Documents
from codeagentd.serve.jsonrpc import (
    INVALID_REQUEST,
    InvalidLine,
    Notification,
    Request,
    RequestId,
    Response,
    read,
)
from codeagentd.serve.sessions.session import CALLS_AT_ONCE, MAX_LABEL, Send
from codeagentd.serve.thread_pool import ThreadPool

from .error_codes import METHOD_NOT_FOUND, REQUEST_CANCELLED, SERVER_NOT_INITIALIZED, error_of, failure
from .index_progress import CREATE_ID, IndexProgress
from .lsp_work import LspCalls, LspWork, Outcome
from .server_capabilities import initialize_result
from .session_documents import CHANGE, CLOSE, OPEN, SessionDocuments

INITIALIZE: Final = "initialize"
INITIALIZED: Final = "initialized"
SHUTDOWN: Final = "shutdown"
CANCEL: Final = "$/cancelRequest"
FOLDERS: Final = "workspace/didChangeWorkspaceFolders"
WARMED_AFTER_S: Final = 0.15  # seconds without a change after which a document is analysed before anybody asks


class Pending:
    """A request that waits for its answer. `documents`: those that were open when it came."""

    __slots__ = ("documents", "flags", "request", "seq")

    def __init__(self, request: Request, seq: int, flags: int, documents: Documents) -> None:
        self.request = request
        self.seq = seq
        self.flags = flags
        self.documents = documents


class LspSession:
    """The session of one `codeagent-lsp` on the repository at `root`. `send` puts a frame on the wire."""

    def __init__(
        self, identity: bytes, hello: Hello, since: float, send: Send, calls: LspCalls, pool: ThreadPool, root: Path
    ) -> None:
        self.identity = identity
        self.hello = hello
        self.since = since
        self.client = ""
        self.requests = 0
        self.streams = 0
        self.is_leaving = False
        self.is_over = False
        self._send = send
        self._pool = pool
        self._loop = asyncio.get_running_loop()
        self._documents = SessionDocuments(root, self._replace)
        self._work = LspWork(
            calls, root, identity, hello.pid, self._documents.by_path.get,
            self._show_from_thread,
        )  # fmt: skip
        self._features: ClientFeatures | None = None  # None until the client has sent `initialize`
        self._is_shut_down = False
        self._progress = IndexProgress(self.tell, calls.progress)
        self._in_flight: dict[tuple[type, RequestId], Pending] = {}
        self._waiting: deque[Pending] = deque()
        self._running = 0
        self._warming: dict[str, asyncio.TimerHandle] = {}

    @property
    def in_flight(self) -> int:
        """The number of requests that wait for an answer."""
        return len(self._in_flight)

    def take(self, seq: int, flags: int, line: bytes) -> None:
        """Handle one line of the client, numbered `seq`. `flags`: of its frame."""
        message = read(line)
        if isinstance(message, Request):
            self._on_request(message, seq, flags)
        elif isinstance(message, Notification):
            self._on_notification(message, seq, flags)
        elif isinstance(message, InvalidLine):
            self._send(frames.LINE, 0, seq, message.answer)
        elif isinstance(message, Response):
            if message.id == CREATE_ID:
                self._progress.on_created(is_accepted=not message.is_error)
            self._acknowledge(seq)

    def end(self) -> None:
        """End the session: the window is gone, and no request needs an answer any more."""
        self.is_over = True
        self._progress.stop()
        for timer in self._warming.values():
            timer.cancel()
        self._in_flight.clear()
        self._waiting.clear()

    def tell(self, message: dict[str, Any]) -> None:
        """Send `message`, which answers no request."""
        if not self.is_over:
            self._send(frames.LINE, 0, 0, msgspec.json.encode(message))

    # notifications

    def _on_notification(self, notification: Notification, seq: int, flags: int) -> None:
        method, params = notification.method, notification.params or {}
        if self._features is None or self._is_shut_down:
            self._acknowledge(seq)  # the protocol drops notifications outside of a session
        elif method in (OPEN, CHANGE, CLOSE):
            path = self._documents.take(method, params, seq, partial(self._acknowledge, seq))
            if path is not None:
                self._warm(path)
                if self._features.diagnostics and not flags & frames.REPLAY:
                    self._clear_diagnostics(path)
        elif method == CANCEL:
            self._cancel(params.get("id"))
            self._acknowledge(seq)
        else:
            if method == INITIALIZED:
                self._pool.submit(self._work.prepare)
            if method == INITIALIZED and self._features.progress:
                self._progress.start()
            self._acknowledge(seq, method in (INITIALIZED, FOLDERS))

    def _cancel(self, request_id: object) -> None:
        pending = self._in_flight.get((type(request_id), request_id)) if isinstance(request_id, str | int) else None
        if pending:
            self._fail(pending, error_of(REQUEST_CANCELLED, "cancelled"))

    def _replace(self, numbers: list[int], line: bytes) -> None:
        self._send(frames.REPLACE, 0, 0, frames.pack_replacement(numbers, line))

    def _clear_diagnostics(self, path: str) -> None:
        """Publish an empty list for a document. Some agents wait for the diagnostics of each server after an edit, for
        up to ten seconds (opencode); this ends it, and shows nothing.
        """
        document = self._documents.by_path[path]
        params = {"uri": document.uri, "version": document.version, "diagnostics": []}
        self.tell({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params})

    def _warm(self, path: str) -> None:
        """Have a document analysed soon, unless it changes again."""
        if timer := self._warming.pop(path, None):
            timer.cancel()
        self._warming[path] = self._loop.call_later(WARMED_AFTER_S, self._analyse, path)

    def _analyse(self, path: str) -> None:
        self._warming.pop(path, None)
        if (document := self._documents.by_path.get(path)) and not self.is_over:
            self._pool.submit(partial(self._work.analyse_ahead, document))

    # requests

    def _on_request(self, request: Request, seq: int, flags: int) -> None:
        self.requests += 1
        pending = Pending(request, seq, flags, self._documents.snapshot())
        key = (type(request.id), request.id)
        if key in self._in_flight:
            self._answer(pending, {"error": error_of(INVALID_REQUEST, "this id is in use by another request")})
            return
        self._in_flight[key] = pending
        if request.method == INITIALIZE:
            self._initialize(pending)
        elif self._features is None:
            self._fail(pending, error_of(SERVER_NOT_INITIALIZED, "the first request has to be `initialize`"))
        elif self._is_shut_down:
            self._fail(pending, error_of(INVALID_REQUEST, "the server was shut down"))
        elif request.method == SHUTDOWN:
            self._is_shut_down = True
            self._respond(pending, None)
        elif request.method not in METHODS:
            self._fail(pending, error_of(METHOD_NOT_FOUND, f"there is no method {request.method[:100]}"))
        else:
            self._waiting.append(pending)
            self._start_next()

    def _initialize(self, pending: Pending) -> None:
        if self._features is not None:
            self._fail(pending, error_of(INVALID_REQUEST, "`initialize` was sent before"))
            return
        params = pending.request.params or {}
        self._features = features_of(params)
        self._documents.encoding = self._features.encoding
        info = params.get("clientInfo")
        if isinstance(info, dict):
            self.client = f"{info.get('name', '')} {info.get('version', '')}".strip()[:MAX_LABEL]
        self._respond(pending, initialize_result(self._features), makes_state=True)

    def _start_next(self) -> None:
        while self._waiting and self._running < CALLS_AT_ONCE:
            pending = self._waiting.popleft()
            if self._is_awaited(pending):
                self._running += 1
                self._pool.submit(partial(self._answer_in_thread, pending))

    def _answer_in_thread(self, pending: Pending) -> None:
        features = self._features or ClientFeatures()
        outcome = self._work.outcome(pending.request, pending.seq, pending.documents, features)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._done, pending, outcome)

    def _show_from_thread(self, text: str) -> None:
        self._loop.call_soon_threadsafe(self._show, text)

    def _show(self, text: str) -> None:
        self.tell({"jsonrpc": "2.0", "method": "window/showMessage", "params": {"type": 2, "message": text}})

    def _done(self, pending: Pending, outcome: Outcome) -> None:
        self._running -= 1
        self._start_next()
        if not self._is_awaited(pending):
            return
        if isinstance(outcome, CodedError):
            if outcome.code == ENGINE_UNAVAILABLE and self.is_leaving:
                return  # left to the successor
            outcome = {"error": failure(outcome)}
        self._take_off(pending)
        self._answer(pending, outcome)

    # answers

    def _is_awaited(self, pending: Pending) -> bool:
        return self._in_flight.get((type(pending.request.id), pending.request.id)) is pending and not self.is_over

    def _take_off(self, pending: Pending) -> None:
        self._in_flight.pop((type(pending.request.id), pending.request.id), None)

    def _respond(self, pending: Pending, result: Any, *, makes_state: bool = False) -> None:
        self._take_off(pending)
        self._answer(pending, {"result": result}, makes_state=makes_state)

    def _fail(self, pending: Pending, error: dict[str, Any]) -> None:
        self._take_off(pending)
        self._answer(pending, {"error": error})

    def _answer(self, pending: Pending, outcome: dict[str, Any], *, makes_state: bool = False) -> None:
        if pending.flags & frames.REPLAY:  # a daemon before this one has answered the client
            self._acknowledge(pending.seq, makes_state)
            return
        message = {"jsonrpc": "2.0", "id": pending.request.id, **outcome}
        self._send(frames.LINE, frames.STATE if makes_state else 0, pending.seq, msgspec.json.encode(message))

    def _acknowledge(self, seq: int, makes_state: bool = False) -> None:
        self._send(frames.ACK, frames.STATE if makes_state else 0, seq, None)

"""The session of one editor window: every line is answered or acknowledged exactly once, under its own number.

Notifications about documents are applied in their order, on the event loop. Requests run in threads, on the documents
as they were when the request came, so that no answer waits for another one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import msgspec

import codeagentd.lsp.methods  # noqa: F401 - declares the methods
from codeagent_protocol import frames
from codeagent_protocol.errors import ENGINE_UNAVAILABLE, CodedError, NotFound
from codeagent_protocol.messages import Hello
from codeagentd.base.log import EventLog
from codeagentd.lsp.client_features import ClientFeatures, features_of
from codeagentd.lsp.method import METHODS, Method
from codeagentd.lsp.method_context import MethodContext, document_text
from codeagentd.lsp.open_documents import Documents
from codeagentd.model.engine_status import Progress
from codeagentd.model.on_demand import Question
from codeagentd.serve.jsonrpc import (
    INVALID_PARAMS,
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
from codeagentd.toolkit.context import Context

from .asked_names import question_of
from .error_codes import (
    CONTENT_MODIFIED,
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    REQUEST_FAILED,
    SERVER_NOT_INITIALIZED,
    LspError,
    error_of,
    failure,
)
from .index_progress import CREATE_ID, IndexProgress
from .server_capabilities import initialize_result
from .session_documents import CHANGE, CLOSE, OPEN, SessionDocuments

INITIALIZE: Final = "initialize"
INITIALIZED: Final = "initialized"
SHUTDOWN: Final = "shutdown"
CANCEL: Final = "$/cancelRequest"
FOLDERS: Final = "workspace/didChangeWorkspaceFolders"
WARMED_AFTER_S: Final = 0.15  # seconds without a change after which a document is analysed before anybody asks
NOTHING: Final = frozenset({b"null", b"[]"})  # results that claim that there is nothing
# methods that editors call by themselves: for a document outside of the repository they have no result, and no error
UNASKED: Final = frozenset(
    {
        "textDocument/codeLens", "textDocument/documentHighlight", "textDocument/documentSymbol",
        "textDocument/foldingRange", "textDocument/inlayHint", "textDocument/completion", "textDocument/signatureHelp",
        "textDocument/semanticTokens/full", "textDocument/semanticTokens/range",
    }
)  # fmt: skip

T = TypeVar("T")

_log = EventLog(__name__)


class Pending:
    """A request that waits for its answer. `documents`: those that were open when it came."""

    __slots__ = ("documents", "flags", "request", "seq")

    def __init__(self, request: Request, seq: int, flags: int, documents: Documents) -> None:
        self.request = request
        self.seq = seq
        self.flags = flags
        self.documents = documents


class LspCalls(Protocol):
    """What answers the requests of editors; `serve.tool_calls.Calls` says what the methods do."""

    def progress(self) -> Progress:
        """Return the progress of the index while it is being built."""

    def ask(
        self, work: Callable[[Context, bool], T], question: Question, session: bytes, seq: int, window: int = ...
    ) -> T:
        """Run `work` on the index, and return its result. Blocks. Errors: CodedError."""


class LspSession:
    """The session of one `codeagent-lsp`. `send` puts a frame on the wire."""

    def __init__(
        self, identity: bytes, hello: Hello, since: float, send: Send, calls: LspCalls, pool: ThreadPool
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
        self._calls = calls
        self._pool = pool
        self._loop = asyncio.get_running_loop()
        self._documents = SessionDocuments(Path(hello.repo), self._replace)
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
                self._pool.submit(self._prepare)
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

    def _prepare(self) -> None:
        """Have the process for unsaved texts started, in a thread: the first key press is near."""
        with contextlib.suppress(CodedError):
            self._calls.ask(lambda ctx, _: ctx.engine.documents.prepare(), Question(), self.identity, 0, self.hello.pid)

    def _warm(self, path: str) -> None:
        """Have a document analysed soon, unless it changes again."""
        if timer := self._warming.pop(path, None):
            timer.cancel()
        self._warming[path] = self._loop.call_later(WARMED_AFTER_S, self._analyse, path)

    def _analyse(self, path: str) -> None:
        self._warming.pop(path, None)
        documents = self._documents.snapshot()
        if path in documents and not self.is_over:
            self._pool.submit(partial(self._analyse_now, path, documents))

    def _analyse_now(self, path: str, documents: Documents) -> None:
        with contextlib.suppress(CodedError):
            self._calls.ask(
                lambda ctx, _: ctx.engine.documents.analyse_ahead(document_text(documents[path])),
                Question(), self.identity, 0, self.hello.pid,
            )  # fmt: skip

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
                self._pool.submit(partial(self._work, pending))

    def _work(self, pending: Pending) -> None:
        """Answer a request, in a thread of the pool."""
        outcome = self._outcome(pending)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._done, pending, outcome)

    def _outcome(self, pending: Pending) -> dict[str, Any] | CodedError:
        """The result or the error of a request, as the members of its response; a coded error as it is."""
        method, sent = METHODS[pending.request.method], pending.request.params or {}
        try:
            params = msgspec.convert(sent, method.params)
        except msgspec.ValidationError as error:
            return {"error": error_of(INVALID_PARAMS, f"{method.name}: {error}")}
        try:
            return self._run(pending, method, params, sent)
        except NotFound as error:
            return {"result": None} if method.name in UNASKED else error
        except CodedError as error:
            return error
        except LspError as error:
            return {"error": error.error}
        except Exception as error:  # noqa: BLE001 - a fault of one request must not end the session
            _log.error("a request failed", error, method=method.name)
            return {"error": error_of(INTERNAL_ERROR, "the request failed: see `codeagentd logs`")}

    def _run(self, pending: Pending, method: Method, params: Any, sent: dict[str, Any]) -> dict[str, Any]:
        documents, features = pending.documents, self._features or ClientFeatures()
        root = Path(self.hello.repo)
        question = question_of(method.name, sent, root, documents, features.encoding)
        uncertain = [path for path in question.paths if path in documents and not documents[path].is_certain]
        if uncertain:
            message = f"a change of {uncertain[0]} could not be applied: close the document and open it again"
            raise LspError(CONTENT_MODIFIED, message)
        result = self._calls.ask(
            lambda ctx, is_whole: self._answered(ctx, documents, method, params, is_whole=is_whole),
            question, self.identity, pending.seq, self.hello.pid,
        )  # fmt: skip
        return {"result": msgspec.Raw(result)}

    def _answered(self, ctx: Context, documents: Documents, method: Method, params: Any, *, is_whole: bool) -> bytes:
        """The JSON of the result of a method, whose notices are shown to the user. `is_whole`: what is missing in the
        index does not exist.
        """
        with ctx.read() as db:
            features = self._features or ClientFeatures()
            context = MethodContext(ctx, db, documents, features, is_exact=method.is_exact, is_whole=is_whole)
            result = msgspec.json.encode(method.run(context, params))
        if context.unanalysed:
            raise self._unanalysed(context.unanalysed[0], documents)
        if context.refused and method.name not in UNASKED:
            raise LspError(REQUEST_FAILED, f"{context.refused[0]} is too large, no text, or nothing that can be parsed")
        if not is_whole and result in NOTHING and method.name not in UNASKED:
            raise LspError(REQUEST_FAILED, "the first index is still being made; try again in a moment")
        for notice in context.notices:
            self._loop.call_soon_threadsafe(self._show, notice)
        return result

    def _unanalysed(self, path: str, documents: Documents) -> LspError:
        """The error for an answer that would claim something about a document that was not analysed in time."""
        if self._documents.by_path.get(path) is not documents.get(path):
            return LspError(CONTENT_MODIFIED, f"{path} has changed since")
        return LspError(REQUEST_FAILED, f"{path} is still being analysed; try again in a moment")

    def _show(self, text: str) -> None:
        self.tell({"jsonrpc": "2.0", "method": "window/showMessage", "params": {"type": 2, "message": text}})

    def _done(self, pending: Pending, outcome: dict[str, Any] | CodedError) -> None:
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

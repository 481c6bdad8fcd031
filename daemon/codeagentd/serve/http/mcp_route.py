"""The route of MCP over HTTP (Streamable HTTP), with the status codes of page 002: POST sends a message, GET opens a
stream, DELETE ends the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from codeagent_protocol.errors import CodedError
from codeagent_protocol.initialize import PROTOCOL_VERSIONS
from codeagent_protocol.jsonrpc_errors import error_object
from codeagent_protocol.messages import Hello
from codeagentd.serve import jsonrpc
from codeagentd.serve.sessions.session import INITIALIZE, LISTEN, MAX_LABEL

from .middleware import JSON, NOTES, refusal, retry_headers, status_of
from .sessions import IDLE_S, Backend, HttpSession, HttpSessions

SESSION: Final = "mcp-session-id"
VERSION: Final = "mcp-protocol-version"
ENVELOPE: Final = "io.modelcontextprotocol/protocolVersion"  # the field for the version in the era without `initialize`
MODERN: Final = "2026-07-28"
EVENTS: Final = "text/event-stream"
# seconds between two signs of life on a stream; proxies end a connection that is silent for a minute
BEAT_S: Final = 15.0
CALL: Final = "tools/call"
METHODS: Final = ["GET", "POST", "DELETE"]
MAX_STREAMS: Final = 64  # at once, since each holds a connection
# the selection of a session's tools, as parameters of the URL
SELECTION: Final = ("toolsets", "tools", "exclude_tools", "tool_names", "rows")

_HANDSHAKE: Final = msgspec.json.encode(  # the handshake that is assumed for a request without a session
    {
        "jsonrpc": "2.0", "id": "codeagentd/visit", "method": INITIALIZE,
        "params": {
            "protocolVersion": PROTOCOL_VERSIONS[-1], "capabilities": {},
            "clientInfo": {"name": "HTTP", "version": ""},
        },
    }
)  # fmt: skip


class Backends(Protocol):
    """What answers at the addresses of a route. Errors of both methods: not_found, engine_unavailable."""

    def scope_of(self, request: Request) -> str:
        """Return the scope of the sessions of a request's address and user."""

    async def backend_of(self, request: Request) -> Backend:
        """Return what answers a session that begins with this request."""


class OneBackend:
    """The backend of a server of one repository."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def scope_of(self, _request: Request) -> str:
        """Return the scope of all sessions."""
        return self._backend.scope

    async def backend_of(self, _request: Request) -> Backend:
        """Return the backend."""
        return self._backend


class McpRoute:
    """The HTTP route of MCP, which answers each request (see the module)."""

    def __init__(self, http_sessions: HttpSessions, backends: Backends) -> None:
        self._http_sessions = http_sessions
        self._backends = backends
        self._streams = 0

    async def __call__(self, request: Request) -> Response:
        """Answer one request."""
        if request.headers.get(VERSION, MODERN) not in (*PROTOCOL_VERSIONS, MODERN):
            return refusal(400, "invalid_parameter", f"{VERSION}: use one of {', '.join((*PROTOCOL_VERSIONS, MODERN))}")
        if request.method == "POST":
            return await self._post(request)
        name = request.headers.get(SESSION)
        if not name:
            return refusal(400, "invalid_parameter", f"{SESSION} is missing")
        try:
            http_session = self._http_sessions.find(name, self._backends.scope_of(request))
        except CodedError as error:
            return _failed(error, None)
        if http_session is None:
            return _unknown()
        if request.method == "GET":
            return self._listen(request, http_session)
        self._http_sessions.leave(http_session)
        return Response(status_code=204)

    # POST

    async def _post(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            return refusal(415, "invalid_parameter", f"the body has to be {JSON}")
        line = await request.body()
        message = jsonrpc.read(line)
        if isinstance(message, jsonrpc.InvalidLine):
            return Response(message.answer, 400, media_type=JSON)
        name = request.headers.get(SESSION)
        begins = isinstance(message, jsonrpc.Request) and message.method == INITIALIZE
        _note(request, message)
        try:
            if name and not begins:
                http_session = self._http_sessions.find(name, self._backends.scope_of(request))
            else:
                backend = await self._backends.backend_of(request)
                http_session = self._http_sessions.begin(_hello(request), backend)
        except CodedError as error:
            return _failed(error, message)
        if http_session is None:
            return _unknown()
        request.scope["state"][NOTES].update(http_session.facts)
        if name and not begins:
            return await _answer(http_session, line)
        return await self._first(request, http_session, message, line, begins=begins)

    async def _first(
        self, request: Request, http_session: HttpSession, message: jsonrpc.Message, line: bytes, *, begins: bool
    ) -> Response:
        """Answer the first request of a session, or a request that needs no session."""
        is_modern = isinstance(message, jsonrpc.Request) and _is_modern(message)
        if not begins and not is_modern:
            http_session.put(_HANDSHAKE)
        if is_modern and isinstance(message, jsonrpc.Request) and message.method == LISTEN:
            return self._stream(_until_answered(http_session, line), http_session, passes=True)
        response = None
        try:
            response = await _answer(http_session, line)
        finally:
            if begins and response is not None and _has_result(response):
                self._http_sessions.keep(http_session)
                response.headers[SESSION] = http_session.name
            else:
                self._http_sessions.leave(http_session)
        return response

    # streams

    def _listen(self, request: Request, http_session: HttpSession) -> Response:
        if EVENTS not in request.headers.get("accept", ""):
            return refusal(406, "invalid_parameter", f"a stream is {EVENTS}: accept it")
        if http_session.has_stream:
            return refusal(409, "invalid_parameter", "this session has its stream already")
        return self._stream(_messages(http_session), http_session, passes=False)

    def _stream(self, events: AsyncIterator[bytes], http_session: HttpSession, *, passes: bool) -> Response:
        if self._streams >= MAX_STREAMS:
            if passes:
                self._http_sessions.leave(http_session)
            return refusal(
                503, "engine_unavailable", f"{MAX_STREAMS} streams are open already", **{"Retry-After": "10"}
            )
        self._streams += 1
        http_session.has_stream = True

        def over() -> None:
            self._streams -= 1
            http_session.has_stream = False
            if passes:
                self._http_sessions.leave(http_session)

        return _Stream(events, over)


class _Stream(StreamingResponse):
    """A response that is a stream; `over` is called at its end, also if its client was gone before it began."""

    def __init__(self, events: AsyncIterator[bytes], over: Callable[[], None]) -> None:
        super().__init__(events, media_type=EVENTS, headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
        self._over = over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._over()


def _hello(request: Request) -> Hello:
    query = request.query_params
    toolsets, tools, excluded, names, rows = (query.get(name, "") for name in SELECTION)
    is_read_only = query.get("read_only", "") in ("1", "true")
    return Hello(
        window="HTTP", toolsets=toolsets, tools=tools, exclude_tools=excluded, tool_names=names, rows=rows,
        read_only=is_read_only,
    )  # fmt: skip


def _is_modern(message: jsonrpc.Request) -> bool:
    meta = (message.params or {}).get("_meta")
    return isinstance(meta, dict) and ENVELOPE in meta


async def _answer(http_session: HttpSession, line: bytes) -> Response:
    """The response to one line: its answer, or status 202 for a line without an answer."""
    try:
        answer = await http_session.put(line)
    except asyncio.CancelledError:
        if http_session.session.is_over:
            return refusal(503, "engine_unavailable", "the session is over")
        raise
    return Response(status_code=202) if answer is None else Response(answer, media_type=JSON)


def _has_result(response: Response) -> bool:
    return response.status_code == 200 and "result" in json.loads(bytes(response.body))


async def _messages(http_session: HttpSession) -> AsyncIterator[bytes]:
    """The messages of a session that answer no request. The stream ends with the session, and at the latest after the
    time that a session may idle.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + IDLE_S
    yield b": here\n\n"
    while not http_session.session.is_over and loop.time() < end:
        message = await http_session.message(BEAT_S)
        yield _event(message) if message else b": beat\n\n"


async def _until_answered(http_session: HttpSession, line: bytes) -> AsyncIterator[bytes]:
    """The messages up to and including the answer to one line."""
    answer = http_session.put(line)
    answer.add_done_callback(lambda _: http_session.wake())
    while not answer.done():
        message = await http_session.message(BEAT_S)
        yield _event(message) if message else b": beat\n\n"
    while (message := await http_session.message(0)) is not None:
        yield _event(message)
    with contextlib.suppress(asyncio.CancelledError):
        if last := answer.result():
            yield _event(last)


def _event(line: bytes) -> bytes:
    return b"event: message\ndata: " + line + b"\n\n"


def _unknown() -> Response:
    return refusal(404, "not_found", "there is no such session: begin a new one with initialize")


def _note(request: Request, message: jsonrpc.Message) -> None:
    """Note what a message asks for, for the access log; arguments are not noted."""
    if isinstance(message, jsonrpc.Request | jsonrpc.Notification):
        name = (message.params or {}).get("name") if message.method == CALL else None
        request.scope["state"][NOTES]["tool"] = (name if isinstance(name, str) else message.method)[:MAX_LABEL]


def _failed(error: CodedError, message: jsonrpc.Message | None) -> Response:
    request_id: Any = message.id if isinstance(message, jsonrpc.Request) else None
    body = {"jsonrpc": "2.0", "id": request_id, "error": error_object(error)}
    return JSONResponse(body, status_of(error), retry_headers(error))

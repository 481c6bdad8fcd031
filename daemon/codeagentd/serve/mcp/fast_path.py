"""The fast path around the SDK for the requests that need none of it, which are nearly all: handshake, pings, tools,
resources, prompts and similar requests, in the form that every client sends.

The SDK needs more time for a request than most answers take, and its import takes half a second and 40 MB, while some
clients give a server only a second and a half to start. A test compares the answers of both paths. Unusual requests are
left to the SDK, which knows every rule.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, Final

from codeagent_protocol.errors import INTERNAL, CodedError
from codeagent_protocol.frames import REPLAY
from codeagent_protocol.initialize import initialize_result
from codeagent_protocol.jsonrpc_errors import error_object
from codeagentd.base.log import EventLog
from codeagentd.serve.jsonrpc import RequestId
from codeagentd.serve.sessions.session import CALLS_AT_ONCE, INITIALIZE, PendingRequest, Session
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import META_FRESH, Answered, ToolCalls

from .progress import TOKEN, report
from .requests import BLOCKING, RequestOrigin, Requests, is_usual

LIST: Final = "tools/list"
PING: Final = "ping"
CALL: Final = "tools/call"

_HANDSHAKE: Final = frozenset({"protocolVersion", "capabilities", "clientInfo", "_meta"})
_CALL: Final = frozenset({"name", "arguments", "_meta"})
_META: Final = frozenset({"_meta"})
_RESERVED: Final = "io.modelcontextprotocol/"  # prefix of the fields of the other era
Params = dict[str, Any]

_log = EventLog(__name__)


class FastPath:
    """Answers the usual requests of one session, a few at a time, in the order in which they came."""

    def __init__(self, session: Session, calls: ToolCalls, requests: Requests, pool: ThreadPool) -> None:
        self._session = session
        self._calls = calls
        self._requests = requests
        self._pool = pool
        self._loop = asyncio.get_running_loop()
        self._awaited: dict[tuple[type, RequestId], PendingRequest] = {}
        self._waiting: deque[PendingRequest] = deque()
        self._running = 0
        self.has_handshake = False  # the handshake was accepted, here or by the SDK
        self.is_open = True  # False once the SDK has chosen the session's era: it then has to get the handshake first

    def take(self, pending: PendingRequest) -> bool:
        """Answer `pending`, now or soon, if it is a usual request. Returns False if the SDK has to answer it."""
        method, params = pending.request.method, pending.request.params or {}
        if method == INITIALIZE:
            return self._answer_handshake(pending, params)
        if not self.has_handshake:
            return False
        is_call = method == CALL and is_plain_call(params)
        if is_call or (is_usual(method, params) and _is_plain(params, params.keys())):
            if is_call or method in BLOCKING:
                self._queue(pending)
            else:
                self._settle(pending, self._ask(pending))
            return True
        if method in (LIST, PING) and _is_plain(params, _META):
            tools = [tool.as_listed() for tool in self._session.selection.tools] if method == LIST else []
            self._session.respond(pending.request.id, {"tools": tools} if method == LIST else {})
            return True
        return False

    def cancel(self, request_id: object) -> bool:
        """Drop the answer to the request of this id, because the client no longer wants it; work that runs already goes
        on. Returns False if this handler was not to answer the request.
        """
        if not isinstance(request_id, str | int) or self._awaited.pop(_key(request_id), None) is None:
            return False
        self._session.settle(request_id)
        return True

    def _answer_handshake(self, pending: PendingRequest, params: Params) -> bool:
        if not self.is_open or not is_plain_handshake(params):
            return False
        self.has_handshake = True
        self._session.respond(
            pending.request.id, initialize_result(params["protocolVersion"], self._session.selection.names)
        )
        return True

    def _ask(self, pending: PendingRequest) -> Params | CodedError:
        """The result of a request that is no tool call, or the error that answers it."""
        origin = RequestOrigin(self._session, pending.seq, bool(pending.flags & REPLAY))
        try:
            return self._requests.answer(origin, pending.request.method, pending.request.params or {})
        except CodedError as error:
            return error
        except Exception as error:  # noqa: BLE001 - a fault of one request must not end the session
            _log.error("a request failed", error, method=pending.request.method)
            return CodedError("the request failed", code=INTERNAL, remedy="codeagentd logs")

    def _settle(self, pending: PendingRequest, outcome: Params | CodedError) -> None:
        if isinstance(outcome, CodedError):
            self._session.fail(pending.request.id, error_object(outcome))
        else:
            self._session.respond(pending.request.id, outcome)

    # calls that need the index

    def _queue(self, pending: PendingRequest) -> None:
        self._awaited[_key(pending.request.id)] = pending
        self._waiting.append(pending)
        self._start_next()

    def _start_next(self) -> None:
        while self._waiting and self._running < CALLS_AT_ONCE:
            pending = self._waiting.popleft()
            if self._is_awaited(pending):
                self._running += 1
                report(self._session, pending, self._calls.progress)
                self._pool.submit(partial(self._work, pending))

    def _work(self, pending: PendingRequest) -> None:
        """Answer a request in a thread of the pool."""
        outcome = self._call(pending) if pending.request.method == CALL else self._ask(pending)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._done, pending, outcome)

    def _call(self, pending: PendingRequest) -> Answered:
        params = pending.request.params or {}
        meta = params.get("_meta") or {}
        return self._calls.answer(
            self._session.selection, params["name"], params.get("arguments"), self._session.identity, pending.seq,
            window=self._session.hello.pid, fresh=meta.get(META_FRESH), sent_snippets=self._session.sent_snippets,
            folder=self._session.hello.cwd,
        )  # fmt: skip

    def _done(self, pending: PendingRequest, outcome: Answered | Params | CodedError) -> None:
        self._running -= 1
        self._start_next()
        if not self._is_awaited(pending):
            return
        del self._awaited[_key(pending.request.id)]
        if isinstance(outcome, Answered):
            pending.answered = outcome
            outcome = {"isError": outcome.answer.is_error, "_meta": outcome.meta}
        self._settle(pending, outcome)

    def _is_awaited(self, pending: PendingRequest) -> bool:
        return self._awaited.get(_key(pending.request.id)) is pending and not self._session.is_over


def is_plain_call(params: Params) -> bool:
    """Whether the SDK would pass `params`, those of a tool call, on unchanged."""
    return (
        _is_plain(params, _CALL)
        and isinstance(params.get("name"), str)
        and isinstance(params.get("arguments", {}), dict)
    )


def is_plain_handshake(params: Params) -> bool:
    """Whether `params` are those of `initialize` as every known client sends them."""
    client, capabilities = params.get("clientInfo"), params.get("capabilities")
    texts = (
        params.get("protocolVersion"),
        *((client.get("name"), client.get("version")) if isinstance(client, dict) else (None,)),
    )
    if not isinstance(capabilities, dict) or not all(isinstance(text, str) for text in texts):
        return False
    return all(isinstance(value, dict) for value in capabilities.values()) and _is_plain(params, _HANDSHAKE)


def _is_plain(params: Params, known: AbstractSet[str]) -> bool:
    meta = params.get("_meta", {})
    if not params.keys() <= known or not isinstance(meta, dict):
        return False
    token = meta.get(TOKEN, "")
    return (
        isinstance(token, str | int)
        and not isinstance(token, bool)
        and not any(name.startswith(_RESERVED) for name in meta)
    )


def _key(request_id: RequestId) -> tuple[type, RequestId]:
    return type(request_id), request_id

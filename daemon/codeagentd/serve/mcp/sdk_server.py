"""The MCP server of the SDK: one `Server` for all sessions, and one loop of the SDK per session, in the protocol era
that its client uses.

Importing this module imports the SDK (half a second, 40 MB): it happens with the first request that `fast_path` leaves
to the SDK.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from functools import partial
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import anyio
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.models import InitializationOptions
from mcp.server.runner import serve_dual_era_loop
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    CallToolRequestParams,
    CompleteRequestParams,
    GetPromptRequestParams,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    RequestParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from codeagent_protocol.errors import CodedError
from codeagent_protocol.frames import REPLAY, RESENT
from codeagent_protocol.initialize import CAPABILITIES, SERVER_NAME, instructions
from codeagent_protocol.version import __version__
from codeagentd.base.log import EventLog
from codeagentd.serve.jsonrpc import Notification
from codeagentd.serve.sessions.session import PendingRequest, Session
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import META_FRESH, ToolCalls

from .progress import report
from .request_errors import explaining, mcp_error
from .requests import (
    BLOCKING,
    LEVEL,
    PROMPT,
    PROMPTS,
    READ,
    RESOURCES,
    SUBSCRIBE,
    TEMPLATES,
    UNSUBSCRIBE,
    RequestOrigin,
    Requests,
)
from .requests import COMPLETE as COMPLETION

LISTS: Final = ("tools/list", RESOURCES, TEMPLATES, PROMPTS)
LISTS_TTL_MS: Final = 300_000  # a daemon never changes its lists, but a newer daemon may take over
OTHERS: Final[dict[str, type[RequestParams]]] = {
    RESOURCES: PaginatedRequestParams,
    TEMPLATES: PaginatedRequestParams,
    READ: ReadResourceRequestParams,
    SUBSCRIBE: SubscribeRequestParams,
    UNSUBSCRIBE: UnsubscribeRequestParams,
    PROMPTS: PaginatedRequestParams,
    PROMPT: GetPromptRequestParams,
    COMPLETION: CompleteRequestParams,
    LEVEL: SetLevelRequestParams,
}

_log = EventLog(__name__)
# the newer era requires this field, and the SDK leaves it out for the older one
COMPLETE: Final = {"resultType": "complete"}
T = TypeVar("T")
Result = dict[str, Any]
Context = ServerRequestContext[Session, Any]


class McpServer:
    """Serves the sessions that need the SDK."""

    def __init__(self, calls: ToolCalls, requests: Requests, pool: ThreadPool) -> None:
        self._calls = calls
        self._requests = requests
        self._pool = pool
        hints = dict.fromkeys(LISTS, CacheHint(ttl_ms=LISTS_TTL_MS)) | {READ: CacheHint()}
        self._server: Server[Session] = Server(
            SERVER_NAME,
            version=__version__,
            cache_hints=hints,  # type: ignore[arg-type]  # a Literal key that inference widens
            on_list_tools=self._list_tools,  # type: ignore[arg-type]  # dict results: a third cheaper than models
            on_call_tool=self._call_tool,  # type: ignore[arg-type]  # as above
            on_subscriptions_listen=self._listen,
        )
        for method, params_type in OTHERS.items():
            self._server.add_request_handler(method, params_type, self._ask)
        self._server.add_request_handler("server/discover", RequestParams, self._discover)
        # no telemetry: it takes a third of the time of a call, and no exporter is configured
        self._server.middleware[:] = [explaining]
        self._greeting: InitializationOptions = self._server.create_initialization_options()
        self._tasks: set[asyncio.Task[None]] = set()
        self._bus = InMemorySubscriptionBus()
        self._streams = ListenHandler(self._bus)
        requests.pushes.publish = self._publish

    def connect(self, session: Session, on_crash: Callable[[Session], None]) -> Loop:
        """Start the SDK's loop for `session`, and return the stream into it. `on_crash` is called with the session when
        the loop ends by itself.
        """
        loop = Loop(session)
        self._start(self._serve(session, loop, on_crash))
        return loop

    def hang_up(self) -> None:
        """End the streams of subscriptions, each with its result: no successor could go on with them."""
        self._streams.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # the event loop itself keeps only a weak reference
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, session: Session, loop: Loop, on_crash: Callable[[Session], None]) -> None:
        try:
            greeting = self._greeting.model_copy(update={"instructions": instructions(session.selection.names)})
            await serve_dual_era_loop(
                self._server, loop.receive, Answers(session), lifespan_state=session, init_options=greeting
            )
        except Exception as error:  # noqa: BLE001 - one session's fault must not end the others'
            _log.error("the SDK's loop failed", error, pid=session.hello.pid)
        if not session.is_over:
            on_crash(session)

    def _publish(self, uris: list[str]) -> None:
        async def publish() -> None:
            for uri in uris:
                await self._bus.publish(ResourceUpdated(uri))

        self._start(publish())

    async def _discover(self, ctx: Context, _params: RequestParams) -> Result:
        """Answer discovery. The SDK would announce changes of lists, which never happen, and the log level, which this
        era of the protocol does not have.
        """
        capabilities = {name: value for name, value in CAPABILITIES.items() if name != "logging"}
        return COMPLETE | {
            "supportedVersions": list(MODERN_PROTOCOL_VERSIONS),
            "capabilities": capabilities,
            "instructions": instructions(ctx.lifespan_context.selection.names),
            "ttlMs": LISTS_TTL_MS,
            "cacheScope": "private",
        }

    async def _listen(self, ctx: Context, params: SubscriptionsListenRequestParams) -> SubscriptionsListenResult:
        pending = ctx.request
        assert isinstance(pending, PendingRequest)
        with self._requests.pushes.listening(
            params.notifications.resource_subscriptions or (), is_owed=bool(pending.flags & RESENT)
        ):
            return await self._streams(ctx, params)

    async def _ask(self, ctx: Context, _params: RequestParams) -> Result:
        session, pending = ctx.lifespan_context, ctx.request
        assert isinstance(pending, PendingRequest)
        work = partial(
            self._requests.answer,
            RequestOrigin(session, pending.seq, bool(pending.flags & REPLAY)),
            ctx.method,
            dict(ctx.params or {}),
        )
        try:
            result = await self._in_turn(session, work) if ctx.method in BLOCKING else work()
        except CodedError as error:
            raise mcp_error(error) from None
        return COMPLETE | result if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS else result

    async def _in_turn(self, session: Session, work: Callable[[], T]) -> T:
        async with session.turns:
            return await self._pool.run(work)

    async def _list_tools(self, ctx: Context, _params: PaginatedRequestParams | None) -> Result:
        return COMPLETE | {"tools": [tool.as_listed() for tool in ctx.lifespan_context.selection.tools]}

    async def _call_tool(self, ctx: Context, params: CallToolRequestParams) -> Result:
        session, pending = ctx.lifespan_context, ctx.request
        assert isinstance(pending, PendingRequest)
        meta = (ctx.params or {}).get("_meta") or {}
        work = partial(
            self._calls.answer, session.selection, params.name, params.arguments, session.identity, pending.seq,
            window=session.hello.pid, fresh=meta.get(META_FRESH), sent_snippets=session.sent_snippets,
            folder=session.hello.cwd,
        )  # fmt: skip
        async with session.turns:
            report(session, pending, self._calls.progress)
            pending.answered = answered = await self._pool.run(work)
        # Session.respond adds the answer itself
        return COMPLETE | {"content": [], "isError": answered.answer.is_error, "_meta": answered.meta}


class Loop:
    """The stream of messages into one session's SDK loop."""

    def __init__(self, session: Session) -> None:
        self._session = session
        # bounded by the number of lines that the shim keeps unanswered
        self._give, self.receive = anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)

    def request(self, pending: PendingRequest) -> None:
        """Pass the request `pending` to the SDK; it is answered through the session."""
        request = pending.request
        message = JSONRPCRequest(jsonrpc="2.0", id=request.id, method=request.method, params=request.params)

        async def settle() -> None:
            self._session.settle(request.id)

        self._put(
            message,
            ServerMessageMetadata(request_context=pending, on_request_unanswered=settle, can_send_request=False),
        )

    def notification(self, notification: Notification) -> None:
        """Pass `notification` of the client to the SDK."""
        self._put(JSONRPCNotification(jsonrpc="2.0", method=notification.method, params=notification.params), None)

    def close(self) -> None:
        """End the SDK's loop: the client is gone."""
        self._give.close()

    def _put(self, message: JSONRPCMessage, metadata: ServerMessageMetadata | None) -> None:
        try:
            self._give.send_nowait(SessionMessage(message, metadata))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return  # the loop has ended, and the session will end


class Answers:
    """The stream of messages out of one session's SDK loop."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def send(self, item: SessionMessage) -> None:
        """Pass `item`, a message of the SDK, to the session."""
        message = item.message
        if isinstance(message, JSONRPCResponse):
            self._session.respond(message.id, message.result)
        elif isinstance(message, JSONRPCError):
            self._session.fail(message.id, message.error.model_dump(mode="json", exclude_none=True))
        else:
            self._session.tell(message.model_dump(mode="json", by_alias=True, exclude_unset=True))

    async def aclose(self) -> None:
        """Do nothing: there are no resources to release."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: no state has to be restored."""

"""The HTTP server that serves beside the windows: uvicorn on the daemon's event loop, with sockets and connections of
this package, and without uvicorn's handling of signals and logs.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import ToolCalls

from .address import Address, listening
from .allowed_hosts import AllowedHosts
from .api import routes
from .connections import IDLE_S, Connections, most_connections
from .mcp_route import METHODS, McpRoute, OneBackend
from .metrics import MEDIA_TYPE
from .middleware import HEALTH, Access, Authentication, Guard, refused
from .sessions import REAP_S, Backend, HttpSessions

CLOSING_S: Final = 2  # seconds to finish running responses when the daemon leaves
MAX_HEAD_BYTES: Final = 65_536  # maximum size of a request's first line and headers


class _Server(uvicorn.Server):
    """A uvicorn server that accepts connections with `Connections`; the daemon handles signals itself."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket) -> None:
        super().__init__(config)
        self._listener = listener
        self._connections: Connections | None = None
        self.closing = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections."""
        self.servers = []
        self._connections = Connections(self._listener, most_connections(), self.config, self.server_state)
        self._connections.listen()
        self.started = True

    async def main_loop(self) -> None:
        """Serve until `closing` is set. uvicorn's own loop wakes up ten times a second, to look whether it is over and
        to renew the date for headers.
        """
        await self.on_tick(0)
        await self.closing.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, and finish the running responses."""
        if self._connections:
            self._connections.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing: the daemon handles signals."""
        yield


class Site(NamedTuple):
    """What a server answers: its routes, how requests show who sends them, the text of its metrics (for the responses
    so far, by status; None without metrics), further names by which clients may address it, the access log, if it has
    one, headers of every response, and whether it is for people with browsers (see `Guard`).
    """

    routes: Sequence[BaseRoute]
    authentication: Authentication
    metrics: Callable[[Mapping[int, int]], str] | None = None
    hosts: tuple[str, ...] = ()
    log: Callable[[Access], None] | None = None
    headers: Sequence[tuple[str, str]] = ()
    is_for_people: bool = False


def routes_of_one(http_sessions: HttpSessions, backend: Backend, calls: ToolCalls, pool: ThreadPool) -> list[Route]:
    """Return the routes of a server of one repository."""

    async def calls_of(_request: Request) -> ToolCalls:
        return calls

    route = Route("/mcp", McpRoute(http_sessions, OneBackend(backend)).__call__, methods=METHODS)
    return [route, *routes(calls_of, pool)]


class Web:
    """The HTTP server. To be used on the event loop only."""

    def __init__(self, place: Address, site: Site, http_sessions: HttpSessions) -> None:
        """Begin to listen. Errors: engine_unavailable when the address is taken or belongs to another machine."""
        self._http_sessions = http_sessions
        self._socket = listening(place)
        bound = Address(place.host, self._socket.getsockname()[1])
        self._tasks: list[asyncio.Task[None]] = []
        own = [Route(HEALTH, _health, methods=["GET"])]
        answered: Counter[int] = Counter()
        if site.metrics is not None:
            own.append(Route("/metrics", partial(_metrics, site.metrics, answered), methods=["GET"]))
        app = Starlette(routes=[*site.routes, *own], exception_handlers={HTTPException: refused})
        guard = Guard(
            app,
            AllowedHosts(bound, site.hosts),
            site.authentication,
            site.log,
            answered,
            is_for_people=site.is_for_people,
        )
        self._server = _Server(
            uvicorn.Config(
                guard, http="h11", ws="none", lifespan="off", log_config=None, access_log=False,
                server_header=False, date_header=False, proxy_headers=False, timeout_keep_alive=int(IDLE_S),
                timeout_graceful_shutdown=CLOSING_S, h11_max_incomplete_event_size=MAX_HEAD_BYTES,
                headers=[("X-Content-Type-Options", "nosniff"), *site.headers],
            ),
            self._socket,
        )  # fmt: skip

    @property
    def url(self) -> str:
        """The URL of the server, without a path."""
        host, port = self._socket.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self._socket.getsockname()[1])

    def start(self) -> None:
        """Serve until `close` is called."""
        self._tasks = [asyncio.create_task(self._server.serve()), asyncio.create_task(self._reap())]

    async def close(self) -> None:
        """End sessions and streams, finish the running responses, stop listening."""
        self._http_sessions.close()
        self._server.should_exit = True
        self._server.closing.set()
        serving, reaping = self._tasks
        reaping.cancel()
        await asyncio.wait([serving], timeout=CLOSING_S + 1)
        self._socket.close()

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(REAP_S)
            self._http_sessions.reap()


async def _metrics(
    write: Callable[[Mapping[int, int]], str], answered: Mapping[int, int], _request: Request
) -> Response:
    # in a thread, because after a commit it counts the whole index
    return PlainTextResponse(await asyncio.to_thread(write, dict(answered)), media_type=MEDIA_TYPE)


async def _health(_request: Request) -> Response:
    return JSONResponse({"status": "ok"})

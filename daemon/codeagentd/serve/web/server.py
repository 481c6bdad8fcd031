"""How does HTTP run beside the windows? uvicorn on the daemon's loop, on a socket of ours, without a say in signals and logs."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.serve.calls import Calls
from codeagentd.serve.lanes import Lanes
from codeagentd.serve.service import Service

from .address import Address
from .api import routes
from .guard import Guard, refused
from .mcp_route import McpRoute
from .metrics import MEDIA_TYPE, exposed
from .visitors import REAP_S, Visitors

CONNECTIONS: Final = 512  # at once; more are told 503
KEEP_ALIVE_S: Final = 30  # a connection that says nothing is closed
CLOSING_S: Final = 2  # for what is under way when the daemon leaves
BACKLOG: Final = 128
MAX_HEAD_BYTES: Final = 65_536  # of a request's line and headers


class _Quiet(uvicorn.Server):
    """The daemon hears signals itself."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield


class Web:
    """The listening server; belongs to the event loop."""

    def __init__(self, place: Address, api_key: str, visitors: Visitors, service: Service, calls: Calls, lanes: Lanes) -> None:
        """Begin to listen. Errors: engine_unavailable when the address is taken or not ours."""
        self._visitors = visitors
        self._service = service
        self._socket = _listening(place)
        self._tasks: list[asyncio.Task[None]] = []
        route = Route("/mcp", McpRoute(visitors).__call__, methods=["GET", "POST", "DELETE"])
        app = Starlette(routes=[route, Route("/metrics", self._metrics, methods=["GET"]), *routes(calls, lanes)], exception_handlers={HTTPException: refused})
        self._guard = Guard(app, place, api_key)
        self._server = _Quiet(
            uvicorn.Config(
                self._guard, http="h11", ws="none", lifespan="off", log_config=None, access_log=False, server_header=False, proxy_headers=False,
                limit_concurrency=CONNECTIONS, timeout_keep_alive=KEEP_ALIVE_S, timeout_graceful_shutdown=CLOSING_S,
                h11_max_incomplete_event_size=MAX_HEAD_BYTES,
            )
        )  # fmt: skip

    @property
    def url(self) -> str:
        """Where MCP is spoken."""
        host, port = self._socket.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"

    def start(self) -> None:
        """Serve until closed."""
        self._tasks = [asyncio.create_task(self._server.serve(sockets=[self._socket])), asyncio.create_task(self._reap())]

    async def close(self) -> None:
        """End sessions and streams, answer what is under way, stop listening."""
        self._visitors.close()
        self._server.should_exit = True
        serving, reaping = self._tasks
        reaping.cancel()
        await asyncio.wait([serving], timeout=CLOSING_S + 1)
        self._socket.close()

    async def _reap(self) -> None:
        while True:
            await asyncio.sleep(REAP_S)
            self._visitors.reap()

    async def _metrics(self, _request: Request) -> Response:
        status = await asyncio.to_thread(self._service.status)  # after a commit it counts the whole index
        return PlainTextResponse(exposed(status, self._guard.answered), media_type=MEDIA_TYPE)


def _listening(place: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in place.ip else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((place.ip, place.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise EngineUnavailable(f"cannot listen on {place.host}:{place.port}: {error.strerror}", remedy="choose another port") from error
    listener.setblocking(False)
    return listener

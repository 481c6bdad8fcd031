"""The deferred import of the MCP SDK: a thread of the pool imports it with the first request that needs it, while that
request waits.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from codeagentd.base.log import EventLog
from codeagentd.serve.sessions.session import Session
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import ToolCalls

from .requests import Requests

if TYPE_CHECKING:
    from .sdk_server import McpServer

_log = EventLog(__name__)
OnCrash = Callable[[Session], None]


class Sdk:
    """Connects sessions to the MCP server, which it creates for the first session that needs it."""

    def __init__(self, calls: ToolCalls, requests: Requests, pool: ThreadPool) -> None:
        self._calls = calls
        self._requests = requests
        self._pool = pool
        self._server: McpServer | None = None
        self._waiting: list[tuple[Session, OnCrash]] = []
        self._loading: asyncio.Task[None] | None = None

    def attach(self, session: Session, on_crash: OnCrash) -> None:
        """Have the SDK serve `session`, at once or as soon as it is imported; `on_crash` is called with the session if
        that fails.
        """
        if self._server:
            session.connect(self._server.connect(session, on_crash))
            return
        self._waiting.append((session, on_crash))
        if self._loading is None:
            self._loading = asyncio.create_task(self._load())

    def hang_up(self) -> None:
        """End the streams that last as long as a session."""
        if self._server:
            self._server.hang_up()

    async def _load(self) -> None:
        try:
            module = await self._pool.run(lambda: importlib.import_module("codeagentd.serve.mcp.sdk_server"))
            self._server = module.McpServer(self._calls, self._requests, self._pool)
        except Exception as error:  # noqa: BLE001 - every session gets the error, and the next one tries again
            _log.error("the MCP SDK cannot be imported", error)
        self._loading = None
        waiting, self._waiting = self._waiting, []
        for session, on_crash in waiting:
            if session.is_over:
                continue
            if self._server:
                session.connect(self._server.connect(session, on_crash))
            else:
                on_crash(session)

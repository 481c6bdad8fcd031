"""The server of the page: it starts when `codeagentd ui` first asks for it, and with a daemon that follows one whose
page browsers are signed in to.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError
from codeagentd.base.clock import Clock
from codeagentd.base.log import EventLog
from codeagentd.serve.call_journal import CallJournal
from codeagentd.serve.daemon_state import Service
from codeagentd.serve.page.page_events import ANALYSIS, CALLS, INDEX, MEMORIES, PageEvents
from codeagentd.serve.page.questions import DaemonView
from codeagentd.serve.page.series import Series
from codeagentd.serve.page.sign_in import SignIns
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import Calls

if TYPE_CHECKING:
    from codeagentd.serve.http.server import Web
    from codeagentd.serve.page.page_site import Page

STATE: Final = "page.json"  # beside the index
FIRST_PORT: Final = 47_000  # ports by the name of the repository, so that an address stays what it was
PORTS: Final = 1_000
MEMORY_VALUES: Final = 720

_log = EventLog(__name__)


class PageHost:
    """The page of a daemon. To be used on the event loop, but for `note_change` and `note_memories`."""

    def __init__(
        self, endpoint: Endpoint, service: Service, calls: Calls, journal: CallJournal, pool: ThreadPool, clock: Clock
    ) -> None:
        self._endpoint = endpoint
        self._pool = pool
        self._clock = clock
        self._calls = calls
        self.events = PageEvents()
        self.memory = Series(MEMORY_VALUES)
        self._daemon = DaemonView(service.status, journal, self.memory, endpoint.log)
        self._sign_ins = SignIns(endpoint.index / STATE)
        self._page: Page | None = None
        self._web: Web | None = None
        self._opening = asyncio.Lock()
        journal.listeners.append(lambda may_write: self.events.note(MEMORIES if may_write else CALLS))

    def note_change(self, is_analysis: bool) -> None:
        """Note that the index has changed, or its analysis. May be called from any thread."""
        self.events.note(ANALYSIS if is_analysis else INDEX)

    def note_memories(self) -> None:
        """Note that memories have changed. May be called from any thread."""
        self.events.note(MEMORIES)

    async def resume(self) -> None:
        """Listen again where browsers are signed in to the page of the daemon before this one."""
        if port := self._sign_ins.port:
            with contextlib.suppress(CodedError):
                await self._open(port)

    async def address(self, port: int, *, may_write: bool) -> str:
        """Return an address that signs one browser in. `port`: where to listen, 0 for the usual one.

        Errors: engine_unavailable when that is taken.
        """
        page = await self._open(port)
        return page.url(self._sign_ins.new_token(may_write=may_write))

    async def close(self) -> None:
        """End the streams and stop listening."""
        self.events.close()
        if self._web is not None:
            await self._web.close()

    async def _open(self, port: int) -> Page:
        async with self._opening:
            if self._page is not None and self._web is not None and port in (0, self._page.port):
                return self._page
            names = ("http.server", "http.sessions", "http.address", "page.page_site")
            modules = await self._pool.run(
                lambda: [importlib.import_module(f"codeagentd.serve.{name}") for name in names]
            )
            server, sessions, addresses, page_site = modules
            page: Page = page_site.Page(
                Path(self._endpoint.root), self._calls, self._daemon, self._sign_ins, self.events, self._pool
            )
            usual = FIRST_PORT + int.from_bytes(self._endpoint.name.encode()[:8], "big") % PORTS
            for number in (port,) if port else (self._sign_ins.port or usual, usual, 0):
                try:
                    web: Web = server.Web(
                        addresses.Address(addresses.LOOPBACK, number), page.site(), sessions.HttpSessions(self._clock)
                    )
                    break
                except CodedError:
                    if number in (port, 0):
                        raise
            page.port = web.port
            if self._web is not None:
                await self._web.close()
            self._sign_ins.keep_port(page.port)
            web.start()
            self._page, self._web = page, web
            _log.info("the page listens", port=page.port)
            return page

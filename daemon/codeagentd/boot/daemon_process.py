"""The daemon process, put together from its parts, which no other module does. It is imported once the daemon
listens.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import signal
import sys
import threading
from functools import cached_property
from types import FrameType
from typing import TYPE_CHECKING, Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagent_protocol.frames import BYE, DRAINING
from codeagent_protocol.messages import Hello
from codeagent_protocol.processes import STOPPING
from codeagent_protocol.services import start_command
from codeagent_protocol.version import __version__, version_of
from codeagentd.base import failpoints
from codeagentd.base.clock import Clock, SystemClock
from codeagentd.base.limits import MAX_RSS_BYTES, RSS_LOOK_S
from codeagentd.base.log import EventLog
from codeagentd.serve.call_journal import CallJournal
from codeagentd.serve.control.server import ControlServer
from codeagentd.serve.control.verbs import Operations
from codeagentd.serve.daemon_state import Service, rss_bytes
from codeagentd.serve.http.address import address, permitted
from codeagentd.serve.lifecycle import DEGRADED, Condition
from codeagentd.serve.lsp.lsp_loader import lsp_sessions
from codeagentd.serve.mcp.fast_path import FastPath
from codeagentd.serve.mcp.log_notifications import Messages
from codeagentd.serve.mcp.requests import Requests
from codeagentd.serve.mcp.resource_notifications import ResourceNotifier
from codeagentd.serve.mcp.sdk_loader import Sdk
from codeagentd.serve.sessions.session_registry import Sessions
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import Calls, ToolSelection
from codeagentd.serve.transport.endpoints import Transport
from codeagentd.serve.transport.router_socket import LoopSocket, new_context
from codeagentd.toolkit.toolsets import EVERYTHING, select

from . import shutdown
from .composition import Build, Composition, offered
from .gc_schedule import collect_daily
from .memory_watchdog import MemoryWatchdog, default_cap, record_exit_reason, take_exit_reason
from .page_host import PageHost
from .settings import Loaded
from .systemd_notify import Manager, installed_version
from .upgrade_handover import remove_leftovers

if TYPE_CHECKING:
    from codeagentd.serve.http.server import Web

PAGE_S: Final = 20.0  # seconds for the page to listen
IDLE_LOOKS: Final = 10  # checks during one idle time
LONGEST_LOOK_S: Final = 30.0
REPORTS_MEMORY: Final = os.path.exists("/proc/self/statm")  # elsewhere only the peak is known, which never falls
SWITCH_S: Final = (
    0.001  # with Python's default of 5 ms, a request would wait for that several times while the indexer computes
)

_log = EventLog(__name__)


class Daemon:
    """The running daemon, from its two listening endpoints to its end."""

    def __init__(
        self, endpoint: Endpoint, loaded: Loaded, transport: Transport, build: Build,
        clock: Clock | None = None, manager: Manager | None = None,
    ) -> None:  # fmt: skip
        self._endpoint = endpoint
        self._loaded = loaded
        self._build = build
        self._manager = manager or Manager({})
        self._clock = clock or SystemClock()
        self._context = new_context()
        self._opened = transport.open(self._context)
        self._service = Service(endpoint, self._clock, _trouble(loaded))
        self._operations = Operations(self._service, lambda: self._built.tools, self.leave, self._page_address)
        self._control = ControlServer(self._opened.operators, self._operations.verbs(), self._service.farewell)
        self._service.dropped_by_control = lambda: self._control.dropped_frames
        self._pool = ThreadPool()
        self._journal = CallJournal()
        self._page: PageHost | None = None
        self._serves = threading.Event()  # set once windows and the page are served
        self._leaving = threading.Event()
        self._has_successor = False
        self._service.previous = take_exit_reason(endpoint)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._must_leave: asyncio.Event | None = None

    def run(self) -> None:
        """Serve until it is time to leave."""
        sys.setswitchinterval(SWITCH_S)
        for number in STOPPING:  # a client that sees the lock may send a stop signal at once
            signal.signal(number, self._on_signal)
        self._control.start()  # answers before the engine is there
        remove_leftovers(self._endpoint)
        built = self._built
        calls = Calls(built.engine, built.make_context, journal=self._journal)
        self._service.memory_trouble = built.memory_trouble
        self._service.open(built.engine, calls, ToolSelection(select(built.tools, toolsets=EVERYTHING)))
        built.engine.start()
        failpoints.point("start.ready")
        _log.info("started", tools=len(built.tools))
        with asyncio.Runner(
            loop_factory=asyncio.SelectorEventLoop
        ) as runner:  # the event loop whose sockets can be watched on every system
            runner.run(self._serve(calls))
        if self._control.close(shutdown.CONTROL_S):
            self._context.term()

    def _page_address(self, port: int, may_write: bool) -> str:
        """Return an address that signs one browser in to the page. Called in the thread of an operator's request."""
        if not self._serves.wait(PAGE_S) or self._loop is None or self._page is None:
            raise EngineUnavailable("the daemon is still starting", remedy="try again in a moment")
        work = self._page.address(port, may_write=may_write)
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PAGE_S)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        """Handle a signal that comes before the event loop runs. It starts a thread, since the interrupted code may
        hold the lock that `leave` takes.
        """
        threading.Thread(target=self.leave, args=(f"got {signal.Signals(number).name}", False), daemon=True).start()

    def leave(self, reason: str, has_successor: bool) -> None:
        """Begin to leave for this reason; may be called from any thread.

        With a successor, windows connect to it at once; without one, they start a new daemon when they next need it.
        """
        if not self._service.leave(reason, has_successor=has_successor):
            return
        _log.info("leaving", reason=reason)
        self._manager.notify("STOPPING=1", f"STATUS=leaving: {reason}")
        self._has_successor = has_successor
        self._leaving.set()
        if self._loop:
            with contextlib.suppress(RuntimeError):  # the loop has ended: the daemon is leaving already
                self._loop.call_soon_threadsafe(self._notice)

    @cached_property
    def _built(self) -> Composition:
        return self._build(self._endpoint, self._loaded.settings)

    def _notice(self) -> None:
        if self._leaving.is_set() and self._must_leave:
            self._must_leave.set()

    async def _serve(self, calls: Calls) -> None:
        self._loop, self._must_leave = asyncio.get_running_loop(), asyncio.Event()
        if sys.platform != "win32":
            for number in STOPPING:
                self._loop.add_signal_handler(number, self.leave, f"got {number.name}", False)
        pushes, messages = ResourceNotifier(self._pool, lambda: self._built.engine.analysed(0.0)), Messages()
        self._built.engine.on_change(pushes.note)
        self._built.memory_listeners.append(pushes.note_memories)
        sdk = Sdk(calls, requests := Requests(calls, pushes, messages), self._pool)
        sessions, socket = self._open_for_windows(calls, requests, sdk)
        web = await self._open_http(calls, requests, sdk)
        page = self._page = PageHost(self._endpoint, self._service, calls, self._journal, self._pool, self._clock)
        self._service.open_pages = lambda: page.events.count
        self._built.engine.on_change(page.note_change)
        self._built.memory_listeners.append(page.note_memories)
        await page.resume()
        self._serves.set()
        idle = asyncio.create_task(self._watch_idleness(sessions, stays=web is not None))
        tasks = [
            asyncio.create_task(self._notify_watchdog()), asyncio.create_task(self._watch_memory(sessions)),
            asyncio.create_task(
                collect_daily(
                    self._pool, lambda: not sessions.in_flight and self._built.engine.watermark().caught_up
                )
            ),
        ]  # fmt: skip
        self._notice()
        await self._must_leave.wait()
        idle.cancel()
        pushes.close()
        await page.close()
        if web:
            await web.close()
        sessions.drain(DRAINING if self._has_successor else BYE)
        failpoints.point("stop.parted")
        if not self._has_successor:
            sdk.hang_up()
        await shutdown.finish(sessions)
        sessions.say_goodbye()
        failpoints.point("stop.finished")
        await shutdown.close_engine(self._built.engine, self._pool)
        messages.close()
        sessions.close()
        socket.close()
        for task in tasks:
            task.cancel()

    def _open_for_windows(self, calls: Calls, requests: Requests, sdk: Sdk) -> tuple[Sessions, LoopSocket]:
        socket = LoopSocket(self._opened.windows)
        sessions = Sessions(
            socket,
            self._clock,
            self._choose,
            lambda session: FastPath(session, calls, requests, self._pool),
            sdk.attach,
            lsp_sessions(calls, self._pool, self._built.engine.root),
            self._hand_over,
        )
        self._service.sessions = sessions
        socket.listen(sessions)
        return sessions, socket

    async def _open_http(self, calls: Calls, requests: Requests, sdk: Sdk) -> Web | None:
        """Listen on HTTP if the settings want it; if that fails, log the reason and go on without HTTP."""
        settings = self._loaded.settings
        if not settings.http.strip():
            return None
        try:
            place = address(settings.http)
            warning = permitted(place, settings.api_key, insecure=settings.insecure)
            names = ("sessions", "server", "keys", "metrics", "middleware")
            modules = await self._pool.run(
                lambda: [importlib.import_module(f"codeagentd.serve.http.{name}") for name in names]
            )
            http_sessions = modules[0].HttpSessions(self._clock)
            backend = modules[0].Backend(
                self._choose, lambda session: FastPath(session, calls, requests, self._pool), sdk.attach
            )
            site = modules[1].Site(
                modules[1].routes_of_one(http_sessions, backend, calls, self._pool),
                modules[4].Authentication(
                    modules[2].OneKey(settings.api_key),
                    is_for_own_user=not settings.api_key.strip() and not settings.insecure,
                ),
                lambda answered: modules[3].exposed(self._service.status(), answered),
                settings.http_hosts,
            )
            web: Web = modules[1].Web(place, site, http_sessions)
        except CodedError as error:
            _log.warning("HTTP is off", why=error.message)
            self._service.trouble = Condition(DEGRADED, f"HTTP is off: {error.message}", error.remedy)
            return None
        web.start()
        url = f"{web.url}/mcp"
        self._service.http_sessions, self._service.http = http_sessions.windows, url
        _log.info("HTTP listens", url=url)
        for notice in filter(None, (warning, f"MCP over HTTP at {url}")):
            print(f"codeagentd: {notice}", file=sys.stderr, flush=True)
        return web

    def _choose(self, hello: Hello) -> ToolSelection:
        """The tools of a session. Errors: invalid_parameter."""
        selection, refused = offered(self._built.tools, self._loaded.settings, hello)
        if refused:
            reason = f"the settings name toolsets that are not there: {refused.message}"
            self._service.trouble = Condition(DEGRADED, reason, refused.remedy)
        return selection

    async def _notify_watchdog(self) -> None:
        """Notify the service manager regularly that windows are served. This runs on the event loop that serves them,
        so that the manager notices when the loop is stuck.
        """
        self._manager.notify("READY=1", f"STATUS=serving {self._endpoint.root}")
        while self._manager.pulse_s:
            self._manager.notify("WATCHDOG=1")
            await asyncio.sleep(self._manager.pulse_s)

    def _hand_over(self, version: str) -> None:
        """Make way for a newer version, which a window has.

        The newer version's own daemon takes over when it is ready. Where a service manager starts the daemon, it starts
        the new version after this daemon has ended.
        """
        if not self._manager.is_there and not start_command(self._endpoint):
            return
        # a new daemon would be of the same old version, and windows would wait for ever
        if self._manager.is_there and version_of(version) > version_of(installed_version()):
            remedy = "`codeagentd service install` with the newer version"
            self._service.trouble = Condition(
                DEGRADED, f"the service runs version {__version__}, a window has {version[:40]}", remedy
            )
            return
        self.leave(f"a window has the newer version {version[:40]}", True)
        if self._service.sessions:
            self._service.sessions.drain(DRAINING)

    async def _watch_memory(self, sessions: Sessions) -> None:
        """Make way for a new daemon when this one has used too much memory for some time."""
        care, trouble = MemoryWatchdog(self._memory_cap, self._clock), Condition()
        while await asyncio.sleep(RSS_LOOK_S, REPORTS_MEMORY):
            used = rss_bytes()
            if self._page is not None:
                self._page.memory.note(used)
            why = care.trouble(used)
            if why and care.may_leave:
                record_exit_reason(self._endpoint, why)
                self.leave(why, sessions.count > 0 or bool(self._control.conversations))
                return
            if why:
                trouble = self._service.trouble = Condition(
                    DEGRADED, why, "`codeagentd restart`; raise limits.max_rss_bytes where a repository needs more"
                )
            elif self._service.trouble is trouble:
                self._service.trouble = Condition()

    def _memory_cap(self) -> int:
        chosen = self._loaded.settings.limits.max_rss_bytes
        if chosen or rss_bytes() <= MAX_RSS_BYTES:  # the number of files is not asked for in vain
            return chosen or MAX_RSS_BYTES
        return default_cap(self._service.status().indexed_files)

    async def _watch_idleness(self, sessions: Sessions, *, stays: bool) -> None:
        """Leave when no client has been connected for long enough and no work is left; never if no client could start
        the daemon again.
        """
        limit_s = 0.0 if stays else self._loaded.settings.idle_exit_s
        while limit_s:
            await asyncio.sleep(min(LONGEST_LOOK_S, limit_s / IDLE_LOOKS))
            since = self._clock.ticks() - max(sessions.busy_at, self._operations.requested_at)
            if since >= limit_s and not self._control.conversations and self._service.is_idle():
                self.leave("idle", False)


def _trouble(loaded: Loaded) -> Condition:
    """The condition of a daemon whose sources of settings have mistakes."""
    if not loaded.problems:
        return Condition()
    first = loaded.problems[0]
    more = f" (and {len(loaded.problems) - 1} more)" if len(loaded.problems) > 1 else ""
    return Condition(
        DEGRADED, f"{first.source} is left out: {first.message}{more}", f"{first.remedy}; then `codeagentd restart`"
    )

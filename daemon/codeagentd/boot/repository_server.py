"""`python -m codeagentd.boot.repository_server FOLDER`: the process of `codeagentd serve`, one HTTP server for all
repositories in a folder.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from codeagent_protocol import dirs
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagent_protocol.locks import FileLock
from codeagent_protocol.processes import STOPPING
from codeagentd.base import failpoints, search_path
from codeagentd.base.child_process import ChildProcess, module_command
from codeagentd.base.clock import SystemClock
from codeagentd.base.limits import MAX_SERVED_GIT_OUTPUT_BYTES
from codeagentd.base.log import EventLog, open_log
from codeagentd.base.malloc import share_heaps
from codeagentd.pipeline.revisions.revision_indexes import RevisionIndexes
from codeagentd.serve.daemon_state import rss_bytes
from codeagentd.serve.http.address import Address, address, permitted
from codeagentd.serve.http.keys import User
from codeagentd.serve.http.metrics import exposed_server
from codeagentd.serve.http.middleware import Access, Authentication
from codeagentd.serve.http.repository_routes import (
    RepositoryServer,
    repository_of,
    repository_routes,
    user_key_of,
)
from codeagentd.serve.http.server import Site, Web
from codeagentd.serve.http.sessions import HttpSessions
from codeagentd.serve.repositories.catalogue import Catalogue
from codeagentd.serve.repositories.open_indexes import OpenIndexes
from codeagentd.serve.repositories.revision_calls import Parts
from codeagentd.serve.repositories.revisions import Revisions
from codeagentd.serve.repositories.served_revision import ServedRevisions
from codeagentd.serve.repositories.users import Anyone, Users
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.toolkit.toolsets import load as load_tools
from codeagentd.toolkit.toolsets import select
from codeagentd.vcs import git

from .composition import TOOLS
from .daemon import UMASK, allow_files
from .revision_index import IndexOpener
from .systemd_notify import Manager

BUILDER: Final = "codeagentd.boot.revision_build_process"
LOOK_S: Final = 2.0  # seconds between two looks at revoked keys and idle indexes
CHARACTERS_PER_TOKEN: Final = 4
EXIT_FAILED: Final = 1
USERS_REMEDY: Final = "add users with `codeagentd serve users add NAME`, or listen on 127.0.0.1"

_log = EventLog("codeagentd.boot.repository_server")  # the module runs as __main__


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until a signal comes. Returns the exit code."""
    arguments = _parsed(argv)
    failpoints.arm(os.environ)
    os.umask(UMASK)
    search_path.leave_out(arguments.folder)
    manager = Manager(os.environ)
    allow_files()
    git.limit_output(MAX_SERVED_GIT_OUTPUT_BYTES)
    share_heaps()
    open_log(None, arguments.log_level, terminal=True)
    try:
        server = Server(arguments)
    except CodedError as error:
        print(f"error: {error.message} ({error.remedy})", file=sys.stderr, flush=True)
        return EXIT_FAILED
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:  # its sockets can be watched on every system
        runner.run(server.run(manager))
    return 0


def cache_of(folder: Path) -> Path:
    """Return the folder of the cache for the repositories in `folder`."""
    name = hashlib.blake2b(os.fsencode(os.path.realpath(folder)), digest_size=8).hexdigest()
    return dirs.cache_dir() / "served" / name


class Server:
    """The server of one folder."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        """Take the cache. Errors: engine_unavailable if another server has it; invalid_parameter for an address that
        needs users.
        """
        self._folder = Path(os.path.realpath(arguments.folder))
        self._keep_bytes: int = arguments.keep_bytes
        self._hosts = tuple(arguments.http_host or ())
        self._users: Users | Anyone = Users(Path(arguments.users)) if arguments.users else Anyone()
        self._place: Address = address(arguments.http)
        permitted(self._place, arguments.users or "", insecure=False, remedy=USERS_REMEDY)
        self._cache = cache_of(self._folder)
        dirs.make_private(str(self._cache))
        self._lock = FileLock(str(self._cache / "lock"))
        if not self._lock.try_take():
            raise EngineUnavailable(
                f"another server of {self._folder} runs", remedy="end it, or set CODEAGENT_CACHE_DIR for one of them"
            )
        git_folder = self._cache / "git"
        dirs.make_private(str(git_folder))
        self._pool = ThreadPool()
        self._catalogue = Catalogue(self._folder)
        self._indexes = RevisionIndexes(self._cache, lambda: ChildProcess(module_command(BUILDER)))
        self._opened = OpenIndexes(self._indexes, IndexOpener(self._cache))
        self._indexes.on_built = self._make_room
        self._revisions = Revisions(self._catalogue, git_folder)
        self._tools = load_tools(TOOLS)
        for tool in select(self._tools):
            tool.as_listed()  # makes the schemas of the usual tools, for which the first client would wait
        self._cache_bytes = 0
        self._sessions: HttpSessions

    async def run(self, manager: Manager) -> None:
        """Serve until a signal comes."""
        must_leave = asyncio.Event()
        if sys.platform != "win32":
            for number in STOPPING:
                asyncio.get_running_loop().add_signal_handler(number, must_leave.set)
        sessions = self._sessions = HttpSessions(SystemClock())
        parts = Parts(self._catalogue, self._indexes, self._opened)
        routes = repository_routes(
            RepositoryServer(
                self._revisions, ServedRevisions(parts, self._pool, self._tools), self._users, self._listing, self._pool
            ),
            sessions,
        )
        authentication = Authentication(self._users, is_for_own_user=isinstance(self._users, Anyone))
        web = Web(self._place, Site(routes, authentication, self._metrics, self._hosts, _log_access), sessions)
        web.start()
        print(f"codeagentd: the repositories in {self._folder} at {web.url}/r/NAME/mcp", file=sys.stderr, flush=True)
        manager.notify("READY=1", f"STATUS=serving {self._folder}")
        tasks = [asyncio.create_task(self._look()), asyncio.create_task(_notify_watchdog(manager))]
        await must_leave.wait()
        manager.notify("STOPPING=1")
        for task in tasks:
            task.cancel()
        await web.close()
        self._indexes.close()
        self._opened.close()
        self._lock.release()

    async def _look(self) -> None:
        """End the sessions of keys that are not valid any more, and close idle indexes."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                if ended := self._sessions.end_where(self._is_over):
                    _log.info("sessions ended: their users may not see the repository any more", sessions=ended)
                await self._pool.run(self._opened.close_idle)
            except Exception as error:  # noqa: BLE001 - the next look may succeed
                _log.error("a look at the sessions failed", error)

    def _is_over(self, scope: str) -> bool:
        return not self._users.may_see(User("", user_key_of(scope)), repository_of(scope))

    def _make_room(self) -> None:
        self._cache_bytes = self._indexes.prune(self._keep_bytes, self._opened.is_open)

    def _listing(self, may_see: Callable[[str], bool]) -> list[dict[str, Any]]:
        """The list of repositories, for a user who may see those that pass."""
        builds = self._indexes.builds()
        entries = []
        for item in self._catalogue.listed():
            if not may_see(item.name):
                continue
            entry: dict[str, Any] = {"name": item.name}
            if item.served is None:
                entries.append(entry | {"served": False, "reason": item.reason})
                continue
            building = [
                {"commit": build.commit, "phase": build.progress.phase, "done": build.progress.done,
                 "total": build.progress.total}
                for build in builds if build.name == item.name
            ]  # fmt: skip
            entries.append(
                entry
                | {"served": True, "head": item.head, "branch": item.branch}
                | {"indexed": self._indexes.indexed(item.name), "building": building}
            )
        return entries

    def _metrics(self, answered: Any) -> str:
        figures = {
            "sessions": self._sessions.count,
            "open_indexes": self._opened.count,
            "builds_running": len(self._indexes.builds()),
            "builds_total": self._indexes.built,
            "build_failures_total": self._indexes.failures,
            "cache_bytes": self._cache_bytes,
            "resident_memory_bytes": rss_bytes(),
            "threads": threading.active_count(),
        }
        return exposed_server(figures, answered)


async def _notify_watchdog(manager: Manager) -> None:
    while manager.pulse_s:
        manager.notify("WATCHDOG=1")
        await asyncio.sleep(manager.pulse_s)


def _log_access(access: Access) -> None:
    """Write one line about a request: who asked what about which commit, and what it cost. No arguments."""
    _log.info(
        "request", user=access.user, method=access.method, status=access.status, ms=round(access.seconds * 1_000, 1),
        tokens=-(-access.response_bytes // CHARACTERS_PER_TOKEN), **access.notes,
    )  # fmt: skip


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="codeagentd-repository-server", description="The process of `codeagentd serve`."
    )
    parser.add_argument("folder", metavar="FOLDER", help="the folder with the repositories")
    parser.add_argument("--http", required=True, metavar="ADDRESS", help="where it listens, e.g. 127.0.0.1:8765")
    parser.add_argument("--http-host", action="append", metavar="NAME", help="a name by which clients may call it")
    parser.add_argument("--users", metavar="FILE", help="the file of users; without it only this machine may ask")
    parser.add_argument("--keep-bytes", type=int, required=True, metavar="N", help="the room for indexes")
    parser.add_argument("--log-level", default="info", help="debug, info, warning or error")
    return parser.parse_args(argv)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # without waiting for threads that are stuck

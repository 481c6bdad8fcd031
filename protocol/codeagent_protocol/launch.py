"""The start of a repository's daemon exactly once, however many windows want it at the same instant.

The holder of the launch lock looks whether a daemon holds the life lock, and starts one if none does; the others wait.
No function of this module waits. Where a service is installed for the repository, its manager is asked first.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Final

from .dirs import check_trusted_directories, make_private
from .endpoint import Endpoint
from .errors import EngineUnavailable
from .locks import FileLock, holder_line, is_held, is_seen
from .processes import WatchedProcess, spawn_detached
from .services import start_command
from .version import __version__, version_of

RUNNING: Final = "running"  # a process holds the life lock: connect and wait
STARTING: Final = "starting"  # a daemon is being started, by this process or another
FAILED: Final = "failed"  # the daemon that this process started ended without taking the life lock

LIFE_S: Final = 10.0  # seconds for a started daemon to take its life lock; then the next window may try
SERVICE_S: Final = 3.0  # seconds for a service manager to do the same; then this process starts a daemon itself
# -P: never import from the current directory, whose content is not trusted
DAEMON: Final = ("-P", "-m", "codeagentd.boot.daemon")
SUCCEED: Final = "--succeed"
# option of a daemon that a command starts which asks nothing
UNASKED: Final = "--unasked"

# Options of one window do not apply to the daemon, which serves all windows; nor does the repository variable of a git
# hook that started the client.
_OPTIONS: Final = ("REPO", "TOOLSETS", "TOOLS", "EXCLUDE_TOOLS", "READ_ONLY", "ALLOW_EXEC", "TOOL_NAMES")
_GIT: Final = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_NAMESPACE",
)
# glibc keeps up to 448 freed blocks for each thread, which others cannot use and which hold the pages around them: 4 MB
# of a daemon's 27 threads after some 4,000 calls. It reads this as a process begins; a daemon's children do not get it.
HEAP_SETTING: Final = ("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0")
_OF_ONE_WINDOW: Final = frozenset([f"CODEAGENT_{name}" for name in _OPTIONS]).union(_GIT)


class Launch:
    """One process's part in starting the daemon of `endpoint`.

    `command` is the program and its first arguments; `--repo ROOT` and `options` follow.
    """

    def __init__(self, endpoint: Endpoint, command: Sequence[str] = (), options: Sequence[str] = ()) -> None:
        self.endpoint = endpoint
        self._options = tuple(options)
        self._command = tuple(command) or (sys.executable, *DAEMON)
        self._lock = FileLock(endpoint.launch_lock)
        self._child: WatchedProcess | None = None
        self._deadline = 0.0
        self._is_service = False  # whether the child is the service manager's command
        self.starts = 0
        self.trouble = ""  # the reason for the last failed start, if the system gave one

    def step(self) -> str:
        """Check once whether a daemon runs, and start one if it is needed and this process may. Returns RUNNING,
        STARTING or FAILED.
        """
        try:
            if self._child:
                return self._check_child(self._child)
            if not self._try_lock():
                return STARTING
            if not self.is_up():
                return self._start()
        except (OSError, EngineUnavailable) as error:
            self.trouble = (
                f"{error}: {error.remedy}" if isinstance(error, EngineUnavailable) and error.remedy else str(error)
            )
            self.release()
            # In a sandbox that cannot write this directory, a daemon may run outside of the sandbox.
            return RUNNING if is_seen(self.endpoint.life_lock) else FAILED
        self.release()
        return RUNNING

    def start_successor(self) -> None:
        """Start a daemon of this version, which takes over, if an older one serves.

        Where a service is installed, its manager starts the daemon instead.
        """
        if not serves_older(self.endpoint) or start_command(self.endpoint) or is_held(self.endpoint.successor_lock):
            return
        try:
            spawn_detached(
                [*self._command, "--repo", self.endpoint.root, SUCCEED], environment(os.environ), self._output()
            )
        except OSError as error:  # the older daemon goes on serving
            self.trouble = str(error)

    def is_up(self) -> bool:
        """Whether a daemon lives."""
        return is_held(self.endpoint.life_lock)

    def release(self) -> None:
        """Release the launch lock, so that others can check: the daemon runs, or is no longer waited for."""
        self._lock.release()
        if self._child:
            self._child.close()
            self._child = None

    def _try_lock(self) -> bool:
        try:
            return self._lock.try_take()
        except FileNotFoundError:  # another process removed the runtime directory
            make_private(self.endpoint.runtime)
            return self._lock.try_take()

    def _start(self) -> str:
        check_trusted_directories()  # checked here, since the daemon's log is in one of these directories
        self.starts += 1
        try:
            self._is_service = bool(command := start_command(self.endpoint))
            if command:
                return self._spawn(command, SERVICE_S)
        except OSError:  # a service is installed but its manager is missing: a container that shares the home directory
            self._is_service = False
        return self._start_ourselves()

    def _start_ourselves(self) -> str:
        self._is_service = False
        return self._spawn([*self._command, "--repo", self.endpoint.root, *self._options], LIFE_S)

    def _spawn(self, command: Sequence[str], patience_s: float) -> str:
        self._child = WatchedProcess(spawn_detached(command, environment(os.environ), self._output()))
        self._deadline = time.monotonic() + patience_s
        return STARTING

    def _check_child(self, child: WatchedProcess) -> str:
        ended = child.has_ended()
        if not ended and time.monotonic() < self._deadline:
            return STARTING
        is_up = self.is_up()
        if self._is_service and not is_up:
            child.close()
            return self._start_ourselves()
        self.release()
        if is_up:
            return RUNNING
        return FAILED if ended else STARTING

    def _output(self) -> str:
        path = self.endpoint.start_log
        try:
            make_private(os.path.dirname(path))
        except EngineUnavailable:
            return os.devnull
        # a daemon without a log serves better than none
        return path if os.access(os.path.dirname(path), os.W_OK) else os.devnull


def serves_older(endpoint: Endpoint) -> bool:
    """Whether the running daemon is of an older version than this process, by the version that it wrote into its
    lock.
    """
    theirs = version_of(holder_line(endpoint.life_lock).partition(" ")[2])
    return bool(theirs) and theirs < version_of(__version__)


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a daemon, made from `own`, that of this process: without the variables of one window,
    with CODEAGENT_* paths made absolute, because a daemon runs in `/`, and with HEAP_SETTING.
    """
    remaining = {name: value for name, value in own.items() if name not in _OF_ONE_WINDOW}
    for name, value in remaining.items():
        if value and name.startswith("CODEAGENT_") and name.endswith(("_DIR", "_PATH")):
            remaining[name] = os.path.abspath(value)
    if sys.platform == "linux":
        remaining.setdefault(*HEAP_SETTING)
    return remaining


def last_error_line(endpoint: Endpoint) -> str:
    """Return the last line that the last started daemon wrote to its stderr; "" when it wrote nothing."""
    try:
        with open(endpoint.start_log, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
            lines = file.read().decode(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "")

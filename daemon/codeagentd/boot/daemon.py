"""`python -m codeagentd.boot.daemon --repo ROOT`: the daemon process.

It takes the life lock, binds its sockets, and then is ready; large modules are imported only after that.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from codeagent_protocol.dirs import make_private
from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.errors import CodedError
from codeagent_protocol.root import root_of
from codeagent_protocol.transport import TCP, default
from codeagentd.base import failpoints, search_path
from codeagentd.base.malloc import share_heaps
from codeagentd.base.paths import CARE
from codeagentd.serve.transport.endpoints import LocalEndpoints, Transport, withdraw

from .life_lock import LifeLock
from .systemd_notify import Manager

if TYPE_CHECKING:
    import argparse

    from .composition import Build
    from .settings import Loaded

UMASK: Final = 0o077
# descriptors; each of 1,000 windows takes two or three. Usual limits are 256 and 1,024, and may be raised to far more
FILES: Final = 4_096
EXIT_USAGE: Final = 2
EXIT_FAILED: Final = 1


def main(argv: Sequence[str] | None = None, build: Build | None = None) -> int:
    """Run the daemon of a repository until it has to leave.

    Returns the exit code: 0 also when another daemon is there already.
    """
    arguments = _parsed(argv)
    failpoints.arm(os.environ)
    os.umask(UMASK)
    try:
        endpoint = endpoint_of(root_of(arguments.repo, named_by="--repo"))
    except CodedError as error:
        print(f"codeagentd: {error.message} ({error.remedy})", file=sys.stderr)
        return EXIT_USAGE
    search_path.leave_out(endpoint.root)
    manager, life = Manager(os.environ), LifeLock(endpoint)
    if not life.take() and not _takes_over(endpoint, life, manager, is_successor=arguments.succeed):
        # ending before READY would count as a failure
        manager.notify("READY=1", "STATUS=another daemon serves this repository", "STOPPING=1")
        return 0
    failpoints.point("start.locked")
    transport: Transport | None = None
    try:
        allow_files()
        share_heaps()
        if not arguments.foreground:
            _detach(endpoint)
        # with a service manager the journal would store every line a second time
        loaded = _settings(endpoint, arguments, terminal=arguments.foreground and not manager.is_there)
        transport = _transport(endpoint, loaded, manager)
        failpoints.point("start.bound")
        _serve(endpoint, loaded, transport, manager, build, is_unasked=arguments.unasked)
        return 0
    except Exception as error:  # noqa: BLE001 - the log has the traceback, and the starting process reads the line
        _last_words(error)
        return EXIT_FAILED
    finally:
        failpoints.point("stop.closed")
        if transport and life.is_ours():
            transport.remove()
        life.release()


def _takes_over(endpoint: Endpoint, life: LifeLock, manager: Manager, *, is_successor: bool) -> bool:
    if manager.is_there:
        return life.take_over()
    if not is_successor:
        return False
    from .upgrade_handover import take_over_from_older

    return take_over_from_older(endpoint, life)


def _transport(endpoint: Endpoint, loaded: Loaded, manager: Manager) -> Transport:
    """The endpoints at which this daemon listens: a service manager's socket if there is one, else those that the
    settings name and the system supports.
    """
    withdraw(endpoint)  # ports that an earlier daemon published; its process id may be ours now
    if manager.fd < 0 and TCP in (default(), loaded.settings.transport):
        from codeagentd.serve.transport.loopback import LoopbackEndpoints

        return LoopbackEndpoints(endpoint)
    return LocalEndpoints(endpoint, manager.fd)


def _serve(
    endpoint: Endpoint, loaded: Loaded, transport: Transport, manager: Manager, build: Build | None, *, is_unasked: bool
) -> None:
    if build is None:
        from .repository_claim import claim_repository

        claimed = claim_repository(endpoint, loaded.settings, is_unasked=is_unasked)
        from . import composition

        build = functools.partial(composition.build, claimed)
    from . import daemon_process

    daemon_process.Daemon(endpoint, loaded, transport, build, manager=manager).run()


def _settings(endpoint: Endpoint, arguments: argparse.Namespace, *, terminal: bool) -> Loaded:
    from codeagentd.base.log import EventLog, open_log

    from .settings import KEYS, load

    flags = {
        "idle_exit_s": arguments.idle_exit, "offline": arguments.offline, "http": arguments.http,
        "insecure": arguments.insecure, "http_hosts": arguments.http_host,
    }  # fmt: skip
    loaded = load(endpoint.root, os.environ, flags)
    for name in ("api_key", "memory.url"):
        os.environ.pop(KEYS[name].variable, None)  # no child process needs it
    try:
        make_private(str(endpoint.log.parent))
        path = endpoint.log
    except CodedError:
        path = None  # a daemon without a log serves better than none
    open_log(path, loaded.settings.log_level, terminal=terminal)
    for problem in loaded.problems:
        EventLog(__name__).warning("settings left out", source=problem.source, why=problem.message)
    return loaded


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    import argparse

    parser = argparse.ArgumentParser(
        prog="codeagentd-daemon",
        description="The daemon of one repository; shims and `codeagentd` start it by themselves.",
    )
    parser.add_argument("--repo", required=True, metavar="ROOT", help="the repository's root")
    parser.add_argument(
        "--succeed",
        action="store_true",
        help="take over from a daemon of an older version, once its index is brought up to date in a copy",
    )
    parser.add_argument(
        "--unasked", action="store_true", help="no question is expected: start the on-demand process with the first"
    )
    parser.add_argument("--foreground", action="store_true", help="stay with the terminal, and log to it too")
    parser.add_argument(
        "--idle-exit", type=float, metavar="SECONDS", help="leave after so long without a window; 0 for never"
    )
    parser.add_argument("--offline", action="store_const", const=True, help="fetch nothing, not even a model")
    parser.add_argument(
        "--http", metavar="ADDRESS", help="listen there too, e.g. 127.0.0.1:8765; the key is CODEAGENT_API_KEY"
    )
    parser.add_argument(
        "--http-host",
        action="append",
        metavar="NAME",
        help="a name by which clients may call this machine; more than once for more",
    )
    parser.add_argument(
        "--insecure", action="store_const", const=True, help="let others reach that address without a key"
    )
    return parser.parse_args(argv)


def allow_files() -> None:
    """Raise the limit of open files to the number that windows may need: ZeroMQ ends a process that cannot accept one
    more connection.
    """
    if sys.platform == "win32":
        return  # the system has no such limit
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def _detach(endpoint: Endpoint) -> None:
    """Detach from the starting process: leave its session, close its pipes, and move to a directory that may stay in
    use.
    """
    if sys.platform == "win32":
        return  # the parent process has already detached this one
    if os.getpid() != os.getpgrp():  # the system refuses setsid for the leader of a group
        os.setsid()
    os.chdir("/")
    output = _start_log(endpoint)
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    os.close(output)
    os.close(nothing)


def _start_log(endpoint: Endpoint) -> int:
    try:
        make_private(os.path.dirname(endpoint.start_log))
        return os.open(endpoint.start_log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | CARE, 0o600)
    except (CodedError, OSError):
        return os.open(os.devnull, os.O_WRONLY | CARE)  # a daemon without a log serves better than none


def _last_words(error: Exception) -> None:
    from codeagentd.base.log import EventLog

    EventLog(__name__).error("the daemon failed", error)
    print(f"codeagentd: the daemon failed: {type(error).__name__}: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # exit without waiting for a thread that is stuck in a dead file system; everything that matters is closed
    os._exit(code)

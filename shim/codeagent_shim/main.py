"""The command codeagent-mcp: from its options to a running bridge."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeagent_protocol import frames
from codeagent_protocol.endpoint import endpoint_at, endpoint_of
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagent_protocol.launch import Launch
from codeagent_protocol.root import find_root
from codeagent_protocol.version import __version__

from .options import NUDGE, Options, UsageError, parse, usage

if TYPE_CHECKING:
    from codeagent_protocol.pipe_writer import Outbox

    from .standalone_server import StandaloneServer
    from .upstream import Upstream


def main(arguments: Sequence[str] | None = None, daemon: Sequence[str] = ()) -> int:
    """Run until the client leaves. Returns the exit code. `daemon` replaces the command that starts a daemon."""
    words = sys.argv[1:] if arguments is None else arguments
    if list(words) == [NUDGE]:  # first of all, since a hook must never stop its client
        from .session_start_hook import nudge

        return nudge()
    try:
        options = parse(words, os.environ)
    except UsageError as error:
        _complain(f"{error} (see codeagent-mcp --help)")
        return 2
    if options.wants_help or options.wants_version:
        print(usage() if options.wants_help else f"codeagent-mcp {__version__}")
        return 0
    if sys.stdin is None or sys.stdout is None:  # closed by the parent process: there is no client
        return 0
    _serve(options, daemon)
    return 0


def _serve(options: Options, daemon: Sequence[str]) -> None:
    launch = _launch(options, daemon)  # before ZeroMQ is imported, so that a cold daemon starts meanwhile
    from codeagent_protocol.pipe_writer import Outbox

    from .bridge import Bridge
    from .upstream import RefusingUpstream

    outbox = Outbox(sys.stdout.fileno(), end=b"\n")
    if isinstance(launch, CodedError):
        _complain(f"{launch.message}; {launch.remedy}")
        upstream: Upstream = RefusingUpstream(launch, outbox)
    elif launch:
        upstream = _link(options, launch, outbox)
    else:
        upstream = _negotiation(options, daemon, outbox)
    Bridge(upstream, outbox, sys.stdin.fileno()).run()


def _launch(options: Options, daemon: Sequence[str]) -> Launch | StandaloneServer | CodedError | None:
    """The launch of the daemon of the repository that the options name, or the error in those options; None when they
    name no repository.
    """
    if not (options.repo or options.repo_variable):
        return None
    try:
        return _launch_for(find_root(options.repo, options.repo_variable), daemon)
    except CodedError as error:
        return error


def _launch_for(root: str, daemon: Sequence[str]) -> Launch | StandaloneServer:
    """The launch of the daemon of a repository; of a standalone server where no directory for the daemon's sockets can
    be had.
    """
    try:
        launch = Launch(endpoint_of(root), daemon)
    except EngineUnavailable as error:
        from .standalone_server import StandaloneServer

        return StandaloneServer(endpoint_at(root), error.message)
    launch.step()
    return launch


def _link(options: Options, launch: Launch | StandaloneServer, outbox: Outbox) -> Upstream:
    from .link import Link

    return Link(launch, _hello(options, launch.endpoint.root), outbox)


def _negotiation(options: Options, daemon: Sequence[str], outbox: Outbox) -> Upstream:
    """The upstream that asks the client for its repository, and then becomes a link which receives the lines that came
    before.
    """
    from .link import Link
    from .root_negotiation import RootNegotiation

    def connect(root: str, handshake: list[bytes], lines: list[bytes]) -> Upstream:
        launch = _launch_for(root, daemon)
        link = Link(launch, _hello(options, root), outbox)
        for line in handshake:
            link.replay_log.add_state(line)
        for line in lines:
            link.offer(line)
        return link

    return RootNegotiation(connect, outbox)


def _hello(options: Options, root: str) -> bytes:
    return frames.pack_map(
        {
            "product": __version__,
            "pid": os.getpid(),
            "parent_pid": os.getppid(),
            "cwd": _current_directory(),
            "repo": root,
            "toolsets": options.toolsets,
            "tools": options.tools,
            "exclude_tools": options.exclude_tools,
            "read_only": options.read_only,
            "allow_exec": options.allow_exec,
            "tool_names": options.tool_names,
            "rows": options.rows,
            "window": os.environ.get("TERM_PROGRAM", ""),
        }
    )


def _current_directory() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # the current directory was removed; the repository was named by other means
        return ""


def _complain(text: str) -> None:
    """Print one line for people to stderr. Without a stderr, `print` would write to stdout, which carries the protocol
    only.
    """
    if sys.stderr is not None:
        print(f"codeagent-mcp: {text}", file=sys.stderr)

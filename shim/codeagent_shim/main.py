"""The command codeagent-mcp: from its options to a running bridge."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeagent_protocol import frames
from codeagent_protocol.errors import CodedError
from codeagent_protocol.launch import Launch

from .launching import complain, identity, launch_for, named_launch, options_of, terminal
from .options import MCP, NUDGE, Options

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
    options = options_of(MCP, words)
    if isinstance(options, int):
        return options
    _serve(options, daemon)
    return 0


def _serve(options: Options, daemon: Sequence[str]) -> None:
    launch = named_launch(options, daemon)  # before ZeroMQ is imported, so that a cold daemon starts meanwhile
    from codeagent_protocol.pipe_writer import Outbox

    from .bridge import Bridge
    from .upstream import RefusingUpstream

    outbox = Outbox(sys.stdout.fileno(), end=b"\n")
    if isinstance(launch, CodedError):
        complain(MCP, f"{launch.message}; {launch.remedy}")
        upstream: Upstream = RefusingUpstream(launch, outbox)
    elif launch:
        upstream = _link(options, launch, outbox)
    else:
        upstream = _negotiation(options, daemon, outbox)
    Bridge(upstream, outbox, sys.stdin.fileno()).run()


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
        launch = launch_for(root, daemon)
        link = Link(launch, _hello(options, root), outbox)
        for line in handshake:
            link.replay_log.add_state(line)
        for line in lines:
            link.offer(line)
        return link

    return RootNegotiation(connect, outbox)


def _hello(options: Options, root: str) -> bytes:
    own: dict[str, str | int | bool] = {
        "toolsets": options.toolsets,
        "tools": options.tools,
        "exclude_tools": options.exclude_tools,
        "read_only": options.read_only,
        "allow_exec": options.allow_exec,
        "tool_names": options.tool_names,
        "rows": options.rows,
    }
    return frames.pack_map(identity(root) | own | terminal())


if __name__ == "__main__":
    sys.exit(main())

"""The command codeagent-lsp: from its options to a running bridge for an editor."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from codeagent_protocol import frames
from codeagent_protocol.errors import CodedError

from .launching import complain, identity, launch_for, named_launch, options_of, terminal
from .options import LSP, Options


def main(arguments: Sequence[str] | None = None, daemon: Sequence[str] = ()) -> int:
    """Run until the editor leaves. Returns the exit code: 1 after the notification `exit` without a request `shutdown`
    before, as LSP has it. `daemon` replaces the command that starts a daemon.
    """
    options = options_of(LSP, sys.argv[1:] if arguments is None else arguments)
    return options if isinstance(options, int) else _serve(options, daemon)


def _serve(options: Options, daemon: Sequence[str]) -> int:
    launch = named_launch(options, daemon)  # before ZeroMQ is imported, so that a cold daemon starts meanwhile
    from .bridge import Bridge
    from .content_length import BodyReader, FramedOutbox
    from .language_session import LanguageSession
    from .link import Link
    from .upstream import Sink

    def connect(root: str, sink: Sink) -> Link:
        started = launch if launch and not isinstance(launch, CodedError) else launch_for(root, daemon)
        hello = frames.pack_map(identity(root) | terminal() | {"language_server": True})
        return Link(started, hello, sink, holds_notifications=True)

    named: str | CodedError = ""
    if isinstance(launch, CodedError):
        complain(LSP, f"{launch.message}; {launch.remedy}")
        named = launch
    elif launch:
        named = launch.endpoint.root
    outbox = FramedOutbox(sys.stdout.fileno())
    session = LanguageSession(connect, outbox, named)
    Bridge(session, outbox, sys.stdin.fileno(), BodyReader()).run()
    return session.exit_code


if __name__ == "__main__":
    sys.exit(main())

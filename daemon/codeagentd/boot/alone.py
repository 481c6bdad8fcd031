"""`python -m codeagentd.boot.alone --repo ROOT --why TEXT`: the standalone server of one window that can reach no
daemon. It talks to the window over pipes.

The window is one session of `session_registry.Sessions`, as in a daemon; only the transport differs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from codeagent_protocol import frames as wire
from codeagent_protocol import pipes
from codeagent_protocol.endpoint import Endpoint, endpoint_at
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagent_protocol.messages import Refused
from codeagent_protocol.processes import STOPPING
from codeagent_protocol.root import root_of
from codeagentd.base import search_path
from codeagentd.base.clock import SystemClock
from codeagentd.base.log import open_log
from codeagentd.serve.lifecycle import Condition
from codeagentd.serve.lsp.lsp_loader import lsp_sessions
from codeagentd.serve.mcp.fast_path import FastPath
from codeagentd.serve.mcp.log_notifications import Messages
from codeagentd.serve.mcp.requests import Requests
from codeagentd.serve.mcp.resource_notifications import ResourceNotifier
from codeagentd.serve.mcp.sdk_loader import Sdk
from codeagentd.serve.sessions.session_registry import Sessions
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.serve.tool_calls import Calls, ToolSelection
from codeagentd.serve.transport.pipe import Pipe
from codeagentd.toolkit.toolsets import EVERYTHING, select

from .composition import Composition, offered
from .settings import Settings, load
from .standalone_engine import build, private_folder

UMASK: Final = 0o077
CLOSE_S: Final = 2.0  # for the engine, at the end
EXIT_USAGE: Final = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Serve the window over stdin and stdout until it hangs up. Returns the exit code."""
    arguments = _parsed(argv)
    os.umask(UMASK)
    writing = os.dup(1)
    os.dup2(2, 1)  # stray prints go to stderr, since they are no frames
    try:
        endpoint = endpoint_at(root_of(arguments.repo, named_by="--repo"))
    except CodedError as error:
        print(f"codeagentd: {error.message} ({error.remedy})", file=sys.stderr)
        return EXIT_USAGE
    search_path.leave_out(endpoint.root)
    settings = load(endpoint.root, os.environ, {}).settings
    open_log(None, "warning", terminal=True)  # only a daemon writes the log file
    print(explanation(arguments.why), file=sys.stderr, flush=True)
    with private_folder(endpoint.root) as place:
        try:
            built = build(endpoint, settings, arguments.why, place)
        except CodedError as error:
            refused = Refused(error.code, error.message, error.remedy)
            pipes.send(writing, wire.pack(wire.REFUSED) + msgspec.msgpack.encode(refused))
            return 0
        built.engine.start()
        asyncio.run(_serve(built, settings, writing))
        built.engine.close(CLOSE_S)
    return 0


def explanation(why: str) -> str:
    """Return the line for people that says why this process serves the window."""
    return (
        f"codeagentd: {why}: no daemon can be reached, so this process answers by itself and writes nothing (see "
        "`codeagentd doctor`)"
    )


def answer(endpoint: Endpoint, why: str, verb: str, arguments: dict[str, Any]) -> Any:
    """Return what a daemon would answer to the command line's request `verb` with these arguments. `why`: the reason
    why no daemon can be reached. Errors: CodedError.
    """
    from codeagentd.serve.control.server import Conversation
    from codeagentd.serve.control.verbs import Operations
    from codeagentd.serve.daemon_state import Service

    search_path.leave_out(endpoint.root)
    with private_folder(endpoint.root) as place:
        built = build(endpoint, load(endpoint.root, os.environ, {}).settings, why, place)
        built.engine.start()
        service = Service(endpoint, SystemClock(), Condition())
        service.open(
            built.engine,
            Calls(built.engine, built.make_context),
            ToolSelection(select(built.tools, toolsets=EVERYTHING)),
        )
        try:
            verbs = Operations(service, lambda: built.tools, lambda reason, has_successor: None, _no_page).verbs()
            return json.loads(
                msgspec.json.encode(verbs[verb].answer(arguments, Conversation(b"", lambda conversation, reply: None)))
            )
        finally:
            built.engine.close(CLOSE_S)


def _no_page(_port: int, _may_write: bool) -> str:
    raise EngineUnavailable("the page needs a daemon, and none can be reached here", remedy="`codeagentd doctor`")


async def _serve(built: Composition, settings: Settings, writing: int) -> None:
    over = asyncio.Event()
    if sys.platform != "win32":  # on Windows the end of stdin is the only sign
        for number in STOPPING:
            asyncio.get_running_loop().add_signal_handler(number, over.set)
    pool, calls = ThreadPool(), Calls(built.engine, built.make_context)
    pushes, messages = ResourceNotifier(pool, lambda: built.engine.analysed(0.0)), Messages()
    built.engine.on_change(pushes.note)
    sdk = Sdk(calls, requests := Requests(calls, pushes, messages), pool)
    pipe = Pipe(0, writing, over.set)
    pipe.listen(
        Sessions(
            pipe, SystemClock(), lambda hello: offered(built.tools, settings, hello)[0],
            lambda session: FastPath(session, calls, requests, pool), sdk.attach,
            lsp_sessions(calls, pool, built.engine.root), lambda version: None,
        )
    )  # fmt: skip
    await over.wait()
    pushes.close()
    messages.close()


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="codeagentd-alone", description="The server of one window in a sandbox; codeagent-mcp starts it by itself."
    )
    parser.add_argument("--repo", required=True, metavar="ROOT", help="the repository's root")
    parser.add_argument("--why", required=True, metavar="TEXT", help="what keeps the window from a daemon")
    return parser.parse_args(argv)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # exit without waiting for threads that are blocked on the pipes

"""Requests to a running daemon. Refusals and missing answers become errors with an exit code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagent_protocol.messages import ControlReply
from codeagent_protocol.sandbox import barrier
from codeagentd.boot.control_client import NotAnswering, NotRunning, ask, follow

from .wait_progress import shown_progress

PATIENCE_S = 120.0  # for the answer of a tool
EXIT_NOT_RUNNING = 3
EXIT_NOT_ANSWERING = 4
Json = dict[str, Any]
Reply = TypeVar("Reply")


class DaemonMissing(EngineUnavailable):
    """Raised when no daemon runs for the repository."""

    exit_code = EXIT_NOT_RUNNING


class DaemonSilent(EngineUnavailable):
    """Raised when a daemon holds its lock and does not answer."""

    exit_code = EXIT_NOT_ANSWERING


def question(endpoint: Endpoint, verb: str, arguments: Json | None = None, timeout_s: float = 5.0) -> Json:
    """Send the request `verb` with these arguments to the daemon, and return its answer.

    Errors: DaemonMissing, DaemonSilent, and any coded error that the daemon answers with.
    """
    return payload(_guarded(endpoint, lambda: ask(endpoint, verb, arguments or {}, timeout_s)))


def ask_daemon(endpoint: Endpoint, call: Json, verb: str = "call") -> Json:
    """Return the daemon's answer to `call`; the daemon is started if none runs. If none can be reached, this process
    answers.

    Errors: as `question`.
    """
    call = {"folder": current_folder()} | call if verb == "call" else call
    if why := barrier(endpoint):
        from codeagentd.boot import alone

        print(alone.explanation(why), file=sys.stderr, flush=True)
        answer: Json = alone.answer(endpoint, why, verb, call)
        return answer
    with shown_progress(endpoint):
        try:
            return question(endpoint, verb, call, PATIENCE_S)
        except DaemonMissing:
            from .launch import ensure_running  # the import takes 10 ms, which a running daemon saves

            ensure_running(endpoint)
            return question(endpoint, verb, call, PATIENCE_S)


def current_folder() -> str:
    """Return the folder in which the command runs; '' if it was removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def progress(endpoint: Endpoint, verb: str, arguments: Json, timeout_s: float) -> Iterator[Json]:
    """Send the long request `verb` with these arguments to the daemon, and yield the replies as they arrive; the last
    one is the answer.

    Errors: as `question`.
    """
    replies = iter(follow(endpoint, verb, arguments, timeout_s))
    while (reply := _guarded(endpoint, lambda: next(replies, None))) is not None:
        yield payload(reply)


def payload(reply: ControlReply) -> Json:
    """Return the content of `reply`. Errors: the coded error that it carries."""
    content: Json = json.loads(reply.payload)
    if reply.ok:
        return content
    raise payload_error(content)


def payload_error(content: Json | str) -> CodedError:
    """Return the coded error in `content`, a daemon's answer. The error of a tool of page 004 is a text with message
    and remedy.
    """
    if isinstance(content, str):
        return CodedError(content)
    facts = {name: value for name, value in content.items() if name not in ("code", "message", "remedy")}
    return CodedError(
        content.get("message", "the daemon refuses"),
        code=content.get("code", ""),
        remedy=content.get("remedy", ""),
        **facts,
    )


def _guarded(endpoint: Endpoint, asking: Callable[[], Reply]) -> Reply:
    try:
        return asking()
    except NotRunning:
        raise DaemonMissing(
            f"no daemon runs for {endpoint.root}", remedy="any MCP window starts it, or `codeagentd start`"
        ) from None
    except NotAnswering as silence:
        raise DaemonSilent(
            f"the daemon of {endpoint.root} does not answer: {silence}",
            remedy="`codeagentd logs`, then `codeagentd restart`",
        ) from None

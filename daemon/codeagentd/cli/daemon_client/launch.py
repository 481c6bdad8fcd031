"""The start of a repository's daemon from the command line: the same launch as a window's, but waiting for it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.launch import FAILED, Launch, last_error_line
from codeagent_protocol.locks import is_held
from codeagentd.boot.control_client import NotAnswering, NotRunning, ask

START_PATIENCE_S = 20.0
LOOK_S = 0.01
PING_S = 1.0


def ensure_running(endpoint: Endpoint, options: Sequence[str] = ()) -> bool:
    """Start the daemon, with `options`, unless one runs, and wait until it answers. Returns False if one ran already.

    Errors: engine_unavailable, with the last line that the daemon wrote, when none starts.
    """
    if is_held(endpoint.life_lock) and _answers(endpoint):
        return False
    launch = Launch(endpoint, options=options)
    try:
        _wait_until_up(endpoint, launch)
    finally:
        launch.release()
    return launch.starts > 0


def _wait_until_up(endpoint: Endpoint, launch: Launch) -> None:
    deadline = time.monotonic() + START_PATIENCE_S
    while time.monotonic() < deadline:
        state = launch.step()
        if is_held(endpoint.life_lock) and _answers(endpoint):
            return
        if state == FAILED:
            raise _failure(endpoint, launch.trouble or last_error_line(endpoint) or "it ended at once")
        time.sleep(LOOK_S)
    raise _failure(endpoint, f"it did not answer within {START_PATIENCE_S:.0f} s")


def _answers(endpoint: Endpoint) -> bool:
    try:
        ask(endpoint, "ping", {}, PING_S)
    except (NotRunning, NotAnswering):
        return False
    return True


def _failure(endpoint: Endpoint, why: str) -> EngineUnavailable:
    return EngineUnavailable(
        f"the daemon of {endpoint.root} cannot be started: {why}", remedy="`codeagentd doctor` looks for the cause"
    )

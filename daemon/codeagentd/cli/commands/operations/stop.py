"""`codeagentd stop`: asks the daemon to leave, waits for its end, and kills it by its id if it does not end."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import time

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import holder_line, is_held
from codeagentd.base.host_load import KILL
from codeagentd.cli.daemon_client.client import DaemonMissing, DaemonSilent, question
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from

LEAVING_S = 20.0  # the deadlines for checkpoint and drain are shorter
KILLED_S = 5.0
LOOK_S = 0.01
NOTICEABLE_S = 2.0  # seconds after which a waiting user is told the reason

EXAMPLES = """examples:
  codeagentd stop
  codeagentd stop --repo ~/src/project

Open windows stay: their next request starts a new daemon."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Stop the daemon; no daemon is no error. Returns the exit code."""
    endpoint = endpoint_from(arguments)
    state = "stopped" if stop(endpoint) else "not running"
    print(json.dumps({"state": state, "repo": endpoint.root}) if arguments.json else f"{state}: {endpoint.root}")
    return 0


def stop(endpoint: Endpoint, verb: str = "stop") -> bool:
    """Send `verb` to the daemon and wait for its end; as the last resort kill it. Returns whether there was a daemon.

    Errors: engine_unavailable when it cannot be ended.
    """
    if not is_held(endpoint.life_lock):
        return False
    with contextlib.suppress(DaemonMissing, DaemonSilent):
        question(endpoint, verb)
        if _gone(endpoint, LEAVING_S):
            return True
    pid = holder_pid(endpoint)
    for number in (signal.SIGTERM, KILL):
        if pid and is_held(endpoint.life_lock):  # the lock proves that the pid is still that of the daemon
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        if _gone(endpoint, KILLED_S):
            return True
    raise EngineUnavailable(
        f"the daemon of {endpoint.root} (pid {pid}) does not end",
        remedy="end the process yourself, then look at `codeagentd logs`",
    )


def holder_pid(endpoint: Endpoint) -> int:
    """Return the process id that the daemon wrote into its life lock; 0 when there is no daemon."""
    first = holder_line(endpoint.life_lock).partition(" ")[0]
    return int(first) if first.isdigit() else 0


def _gone(endpoint: Endpoint, patience_s: float) -> bool:
    began, is_notified = time.monotonic(), False
    while is_held(endpoint.life_lock):
        waited_s = time.monotonic() - began
        if waited_s > patience_s:
            return False
        if waited_s > NOTICEABLE_S and not is_notified:
            print("the daemon finishes its work before it leaves…", file=sys.stderr, flush=True)
            is_notified = True
        time.sleep(LOOK_S)
    return True

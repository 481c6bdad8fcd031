"""`codeagentd status`: what one daemon, or each of this user's, is doing.

Never starts one, never waits for its work.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import is_held
from codeagent_protocol.status import Status
from codeagent_protocol.version import __version__, version_of
from codeagentd.cli.daemon_client.client import (
    EXIT_NOT_ANSWERING,
    EXIT_NOT_RUNNING,
    DaemonMissing,
    DaemonSilent,
    Json,
    question,
)
from codeagentd.cli.daemon_client.unreachable import unreachable_status
from codeagentd.cli.rendering.console import fit, paint_for
from codeagentd.cli.rendering.status_text import render, rows_as_table
from codeagentd.cli.repository_arguments import add_json, add_repo, place_from

ANSWER_S = 0.6  # the whole command stays below a second
ASKED_AT_ONCE = 32  # daemons by `--all`
WATCH_EVERY_S = 1.0
HEALTHY = ("ready", "indexing", "starting")
EXIT_DEGRADED = 1
LIFE = ".life"
CLEAR = "\x1b[H\x1b[2J"

EXAMPLES = """examples:
  codeagentd status              this repository's daemon
  codeagentd status --json       for machines
  codeagentd status --all        every daemon of yours
  codeagentd status --watch      again every second

settled: the share of references of which it is known where they lead, in the repository or outside of it; the rest \
are matched by name when asked
partial, failed: files with errors in their syntax, which are indexed in part or not at all

exit codes: 0 healthy, 1 degraded, 3 not running, 4 not answering"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    add_json(parser)
    parser.add_argument("--all", action="store_true", help="every daemon of this user")
    parser.add_argument("--watch", action="store_true", help="print again every second until Ctrl-C")


def run(arguments: argparse.Namespace) -> int:
    """Print the status; the exit code says how it stands."""
    if not arguments.watch:
        return show(arguments)
    while True:
        if not arguments.json:
            print(CLEAR if paint_for(arguments).on else "", end="")
        show(arguments)
        time.sleep(WATCH_EVERY_S)


def show(arguments: argparse.Namespace) -> int:
    """Print once."""
    if arguments.all:
        return show_all(arguments)
    fields = status_of(place_from(arguments))
    if arguments.json:
        print(json.dumps(fields, ensure_ascii=False), flush=True)
    else:
        print("\n".join(fit(render(typed(fields), paint_for(arguments), time.time()))), flush=True)
    return exit_code(fields)


def show_all(arguments: argparse.Namespace) -> int:
    """Every living daemon; the exit code is that of the worst."""
    daemons = living()
    with ThreadPoolExecutor(ASKED_AT_ONCE) as asking:  # each may take ANSWER_S to say nothing
        everything = list(asking.map(status_of, daemons))
    if arguments.json:
        print(json.dumps(everything, ensure_ascii=False), flush=True)
    elif everything:
        print("\n".join(rows_as_table(list(map(typed, everything)), paint_for(arguments))), flush=True)
    else:
        print("no daemon of yours is running")
    return max(map(exit_code, everything), default=0)


def typed(fields: Json) -> Status:
    """The fields that this build knows."""
    return msgspec.convert(fields, Status)


def status_of(endpoint: Endpoint) -> Json:
    """What the daemon says of itself; without its answer, what it has left behind."""
    try:
        fields = question(endpoint, "status", timeout_s=ANSWER_S)
    except (DaemonMissing, DaemonSilent):
        return unreachable_status(endpoint, ANSWER_S)
    fields.setdefault("repo", endpoint.root)
    return fields if fields.get("reason") else fields | _of_another_version(str(fields.get("version", "")))


def _of_another_version(version: str) -> Json:
    """What is to be known of a daemon that is older or newer than this command."""
    if version in ("", __version__):
        return {}
    is_older = version_of(version) < version_of(__version__)
    remedy = (
        "`codeagentd restart`; a window of the newer version does it by itself"
        if is_older
        else "use the command of that version"
    )
    return {"reason": f"the daemon is version {version}, this command {__version__}", "remedy": remedy}


def living() -> list[Endpoint]:
    """The endpoints whose life lock is held. The lock file knows no path, so each daemon is asked for its repository.

    Errors: engine_unavailable when the runtime directory cannot be read.
    """
    runtime = dirs.runtime_path()
    try:
        names = sorted(os.listdir(runtime))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise EngineUnavailable(
            f"{runtime} cannot be used: {error.strerror}", remedy="set CODEAGENT_RUNTIME_DIR to a directory of your own"
        ) from error
    locked = [name for name in names if name.endswith(LIFE) and is_held(os.path.join(runtime, name))]
    return [Endpoint("", name.removesuffix(LIFE), runtime) for name in locked]


def exit_code(fields: Json) -> int:
    """0 healthy, 1 degraded or leaving, 3 not running, 4 not answering."""
    state = fields.get("state")
    if state in HEALTHY:
        return 0
    return {"not_running": EXIT_NOT_RUNNING, "not_answering": EXIT_NOT_ANSWERING}.get(str(state), EXIT_DEGRADED)

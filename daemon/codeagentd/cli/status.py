"""`codeagentd status`: what one daemon, or each of this user's, is doing. Never starts one, never waits for its work."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.locks import holder_line, is_held
from codeagent_protocol.sandbox import CONSEQUENCE, REMEDY, barred
from codeagent_protocol.status import Status
from codeagentd.cli.console import paint_for
from codeagentd.cli.place import add_json, add_repo, place_from
from codeagentd.cli.status_view import render, rows_as_table
from codeagentd.cli.talk import EXIT_NOT_ANSWERING, EXIT_NOT_RUNNING, DaemonMissing, DaemonSilent, Json, question

ANSWER_S = 0.6  # the whole command stays below a second
ASKED_AT_ONCE = 32  # daemons by `--all`
STARTING_S = 10.0  # since it took its lock, a daemon may be silent and still be well
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
        print("\n".join(render(typed(fields), paint_for(arguments), time.time())), flush=True)
    return exit_code(fields)


def show_all(arguments: argparse.Namespace) -> int:
    """Every living daemon; the exit code is that of the worst."""
    found = living()
    with ThreadPoolExecutor(ASKED_AT_ONCE) as asking:  # each may take ANSWER_S to say nothing
        everything = list(asking.map(status_of, found))
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
    """What the daemon says of itself; without its answer, what its lock says."""
    try:
        fields = question(endpoint, "status", timeout_s=ANSWER_S)
        fields.setdefault("repo", endpoint.root)
        return fields
    except (DaemonMissing, DaemonSilent):
        return _from_lock(endpoint)


def _from_lock(endpoint: Endpoint) -> Json:
    """A daemon that says nothing: gone, just coming up, or stuck. The lock is the proof; the socket proves nothing."""
    out_of_reach = _out_of_reach(endpoint)
    if not is_held(endpoint.life_lock):
        return {"state": "not_running", "repo": endpoint.root} | out_of_reach
    pid, _, version = holder_line(endpoint.life_lock).partition(" ")
    known: Json = {"repo": endpoint.root, "pid": int(pid) if pid.isdigit() else 0, "version": version}
    if not out_of_reach and time.time() - os.stat(endpoint.life_lock).st_mtime < STARTING_S:
        return {"state": "starting", "reason": "it has just taken its lock and does not answer yet"} | known
    silence = f"it holds its lock, and its control socket gave no answer in {ANSWER_S} s"
    remedy = "`codeagentd logs` shows what it did last, `codeagentd restart` ends it"
    return {"state": "not_answering", "reason": silence, "remedy": remedy} | known | out_of_reach


def _out_of_reach(endpoint: Endpoint) -> Json:
    """What to say where this process could reach none."""
    if not (why := endpoint.root and barred(endpoint)):
        return {}
    return {"reason": f"{why}: {CONSEQUENCE}", "remedy": REMEDY}


def living() -> list[Endpoint]:
    """The endpoints whose life lock somebody holds. The lock file knows no path, so each daemon is asked for its repository."""
    runtime = dirs.runtime_path()
    found = []
    with contextlib.suppress(FileNotFoundError):
        for name in sorted(os.listdir(runtime)):
            if name.endswith(LIFE) and is_held(os.path.join(runtime, name)):
                found.append(Endpoint("", name.removesuffix(LIFE), runtime))
    return found


def exit_code(fields: Json) -> int:
    """0 healthy, 1 degraded or leaving, 3 not running, 4 not answering."""
    state = fields.get("state")
    if state in HEALTHY:
        return 0
    return {"not_running": EXIT_NOT_RUNNING, "not_answering": EXIT_NOT_ANSWERING}.get(str(state), EXIT_DEGRADED)

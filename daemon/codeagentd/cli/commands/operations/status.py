"""`codeagentd status`: the state of one daemon, or of each of this user's daemons.

It never starts a daemon, and never waits for a daemon's work.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor

from codeagentd.cli.daemon_client.daemon_status import exit_code, running_daemons, status_of, typed
from codeagentd.cli.rendering.console import fit, paint_for
from codeagentd.cli.rendering.status_text import render, rows_as_table
from codeagentd.cli.repository_arguments import add_json, add_repo, place_from

AT_ONCE = 32  # daemons that `--all` asks at once
WATCH_EVERY_S = 1.0
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
    """Print the status. Returns the exit code for the state."""
    if not arguments.watch:
        return show(arguments)
    while True:
        if not arguments.json:
            print(CLEAR if paint_for(arguments).on else "", end="")
        show(arguments)
        time.sleep(WATCH_EVERY_S)


def show(arguments: argparse.Namespace) -> int:
    """Print the status of one daemon once, or with --all that of each. Returns the exit code."""
    if arguments.all:
        return show_all(arguments)
    fields = status_of(place_from(arguments))
    if arguments.json:
        print(json.dumps(fields, ensure_ascii=False), flush=True)
    else:
        print("\n".join(fit(render(typed(fields), paint_for(arguments), time.time()))), flush=True)
    return exit_code(fields)


def show_all(arguments: argparse.Namespace) -> int:
    """Print the status of every running daemon. Returns the worst exit code of all."""
    daemons = running_daemons()
    with ThreadPoolExecutor(AT_ONCE) as asking:  # a daemon may use ANSWER_S without an answer
        everything = list(asking.map(status_of, daemons))
    if arguments.json:
        print(json.dumps(everything, ensure_ascii=False), flush=True)
    elif everything:
        print("\n".join(rows_as_table(list(map(typed, everything)), paint_for(arguments))), flush=True)
    else:
        print("no daemon of yours is running")
    return max(map(exit_code, everything), default=0)

"""`codeagentd logs`: the daemon's log, in a form for people or unchanged."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from typing import Any, TextIO

from codeagent_protocol.errors import NotFound
from codeagentd.cli.rendering.console import Paint, fit, paint_for, plain
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from

LOOK_S = 0.2
DEFAULT_LINES = 50
COLOURS = {"DEBUG": "dim", "WARNING": "yellow", "ERROR": "red", "CRITICAL": "red"}
OWN_FIELDS = ("time", "at", "ts", "level", "logger", "where", "message", "event", "msg")

EXAMPLES = """examples:
  codeagentd logs            the last 50 lines
  codeagentd logs -f         and what follows
  codeagentd logs -n 500 --json

The log holds neither source text nor secrets."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument(
        "-n", type=int, default=DEFAULT_LINES, metavar="N", help=f"how many lines (default {DEFAULT_LINES})"
    )
    parser.add_argument("-f", "--follow", action="store_true", help="go on as the log grows")
    parser.add_argument("--path", action="store_true", help="print the log's path and nothing else")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the log. Returns the exit code.

    Errors: not_found when there is no log file.
    """
    path = str(endpoint_from(arguments).log)
    if arguments.path:
        print(json.dumps({"path": path}, ensure_ascii=False) if arguments.json else path)
        return 0
    if not os.path.exists(path):
        raise NotFound(
            f"there is no log at {path}", remedy="the daemon of this repository has not run yet: `codeagentd start`"
        )
    paint = paint_for(arguments)
    for line in grown(path, arguments.n, arguments.follow):
        print(line if arguments.json else "\n".join(fit([pretty(line, paint)])), flush=arguments.follow)
    return 0


def grown(path: str, last: int, follow: bool) -> Iterator[str]:
    """Yield the `last` last lines of the log at `path`, then, with `follow`, each line that is added, also after a
    rotation of the log.
    """
    file = open(path, encoding="utf-8", errors="replace")  # noqa: SIM115 - changes hands at each rotation
    try:
        yield from (line.rstrip("\n") for line in deque(file, maxlen=max(0, last)))
        while follow:
            if line := file.readline():
                yield line.rstrip("\n")
                continue
            sys.stdout.flush()
            time.sleep(LOOK_S)
            if rotated(file, path):
                file.close()
                file = open(path, encoding="utf-8", errors="replace")  # noqa: SIM115
    finally:
        file.close()


def rotated(file: TextIO, path: str) -> bool:
    """Whether `path` leads to another file than the open one, `file`."""
    try:
        return not os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def pretty(line: str, paint: Paint) -> str:
    """Return `line`, if it is a structured log line, in a form for people; any other line unchanged."""
    try:
        fields: dict[str, Any] = json.loads(line)
        level = str(fields.get("level", "")).upper()
    except (ValueError, AttributeError):
        return plain(line)
    when = str(next((fields[name] for name in ("time", "at", "ts") if name in fields), ""))
    what = plain(str(next((fields[name] for name in ("message", "event", "msg") if name in fields), "")))
    where = plain(str(fields.get("logger", fields.get("where", "")))).removeprefix("codeagentd.")
    rest = " ".join(f"{name}={plain(shown(value))}" for name, value in fields.items() if name not in OWN_FIELDS)
    colour = COLOURS.get(level)
    parts = [
        paint(when, "dim"),
        paint(f"{level:<7}", colour) if colour else f"{level:<7}",
        paint(where, "cyan"),
        what,
        paint(rest, "dim"),
    ]
    return " ".join(part for part in parts if part)


def shown(value: object) -> str:
    """Return `value`, of a field of a log line, on one line."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

"""`codeagentd index`: indexes changed files now, waits until the whole index has caught up, or sets how many symbols
search by meaning has.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagent_protocol.launch import UNASKED
from codeagentd.cli.daemon_client.client import DaemonMissing, Json, progress, question
from codeagentd.cli.daemon_client.launch import ensure_running
from codeagentd.cli.rendering.console import by_number, count, duration, is_terminal, pace_text
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from, inside

WAIT_S = 3600.0
START_S = 60.0  # seconds: a daemon that has just started answers once its engine is open
LOOK_S = 0.1  # seconds after the end of a daemon before the next one is started
PATHS_PER_CALL = 100  # limit of page 000 index_files
# fields of the status that --json prints
LASTING = (
    "caught_up",
    "reason",
    "remedy",
    "generation",
    "indexed_files",
    "indexed_symbols",
    "skipped",
    "unknown",
    "failed_files",
)
EMBED_WORDS = {"all": 0, "default": None}

EXAMPLES = """examples:
  codeagentd index --wait               start the daemon if needed; return when the index is complete
  codeagentd index src/app.py lib/x.ts  these files, now
  codeagentd index                      look through the whole repository soon
  codeagentd index --embed 200000       vectors for so many symbols of this index, the most referenced first
  codeagentd index --embed all --wait   vectors for all of them; return when they are made

The daemon follows every save by itself: this is for scripts that have to know when it is done."""


class ProgressDisplay(Protocol):
    """An object that shows progress."""

    def update(self, phase: str, done: int, total: int, rate: float = 0.0) -> None:
        """Show the progress of a phase: `done` of `total`, at `rate` a second; 0 while unknown."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files of the repository, relative to it or to the current directory"
    )
    parser.add_argument(
        "--wait", action="store_true", help="return when the index is caught up, with a progress bar on a terminal"
    )
    parser.add_argument(
        "--embed",
        metavar="N",
        type=embed_limit,
        default=argparse.SUPPRESS,
        help="how many symbols of this index search by meaning compares: a number, all, or default for what the "
        "setting embedding.max_symbols says; kept until the index is removed",
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="progress as plain lines where there is no terminal"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Index the files, or wait until the index has caught up. Returns the exit code: 1 when files failed or the index
    did not catch up.
    """
    endpoint, began = endpoint_from(arguments), time.monotonic()
    started = ensure_running(endpoint, (UNASKED,))
    if hasattr(arguments, "embed"):
        return embed(endpoint, arguments)
    report = index_paths(endpoint, arguments.paths) if arguments.paths else {}
    if not arguments.paths and not started:
        question(endpoint, "index", {}, START_S)
    if report and not arguments.json:
        print_paths(report)
    last = _waited(endpoint, arguments) if arguments.wait else {}
    is_well = (not arguments.wait or bool(last.get("caught_up"))) and not report.get("errors")
    if arguments.json:
        report |= {name: last[name] for name in LASTING if name in last}
        print(
            json.dumps(
                {"repo": endpoint.root, "seconds": round(time.monotonic() - began, 3)} | report, ensure_ascii=False
            )
        )
    elif arguments.wait:
        summarise(last, time.monotonic() - began)
    elif not arguments.paths:
        print("the daemon looks through the repository (--wait returns when it is done)")
    return int(not is_well)


def embed_limit(text: str) -> int | None:
    """Return the number of symbols that `text` names: 0 for all, None for what the setting says."""
    if text in EMBED_WORDS:
        return EMBED_WORDS[text]
    digits = text.replace(",", "").replace("_", "")
    if not digits.isdecimal() or not int(digits):
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a number of symbols nor one of: {', '.join(EMBED_WORDS)}"
        )
    return int(digits)


def embed(endpoint: Endpoint, arguments: argparse.Namespace) -> int:
    """Set how many symbols have a vector, and wait for the vectors where that is wanted. Returns the exit code: 1 when
    there is no model, or vectors are missing after the wait.
    """
    timeout_s = WAIT_S if arguments.wait else 0.0
    request: Json = {"symbols": arguments.embed, "timeout_s": timeout_s}
    last: Json = {}
    with display(arguments.verbose and not arguments.json) as shown:
        for last in progress(endpoint, "embed", request, timeout_s + START_S):
            if shown and "phase" in last:
                shown.update(last["phase"], last["done"], last["total"])
    embeddings: Json = last.get("embeddings", {})
    if arguments.json:
        print(json.dumps({"repo": endpoint.root, "embeddings": embeddings}, ensure_ascii=False))
    else:
        print(embedded_text(embeddings, arguments.embed, is_waited=arguments.wait))
    has_model = embeddings.get("state") not in ("off", "absent")
    return int(not has_model or (arguments.wait and bool(embeddings.get("pending"))))


def embedded_text(embeddings: Json, symbols: int | None, *, is_waited: bool) -> str:
    """Return a sentence about the vectors, after they were limited to `symbols`."""
    words = {0: "every symbol", None: "as many symbols as embedding.max_symbols says"}
    limit = words.get(symbols) or f"the {symbols:,} most referenced symbols"
    if embeddings.get("state") in ("off", "absent"):
        reason = embeddings.get("reason") or "embedding.enabled is false"
        return f"{limit}: noted, but there is no model ({reason})"
    done = f"{embeddings.get('count', 0):,} of {embeddings.get('eligible', 0):,} have a vector"
    if not is_waited:
        return f"{limit}: the daemon makes the vectors in the background (`codeagentd status` says how far it is)"
    pending = embeddings.get("pending", 0)
    return f"{limit}: {done}" + (f", {pending:,} are still to be made" if pending else "")


def _waited(endpoint: Endpoint, arguments: argparse.Namespace) -> Json:
    try:
        with display(arguments.verbose and not arguments.json) as shown:
            return wait(endpoint, shown)
    except KeyboardInterrupt:
        print(
            "the daemon goes on indexing (`codeagentd status` says how far it is, `codeagentd stop` ends it)",
            file=sys.stderr,
        )
        raise


def index_paths(endpoint: Endpoint, paths: list[str]) -> Json:
    """Have the daemon index the files `paths`, a hundred at a time. Returns the number of indexed files, and the errors
    of the others.

    Errors: invalid_parameter for a path outside the repository.
    """
    relative = [inside(endpoint.root, path) for path in paths]
    report: Json = {"indexed": 0, "errors": []}
    for first in range(0, len(relative), PATHS_PER_CALL):
        answer = question(endpoint, "index", {"paths": relative[first : first + PATHS_PER_CALL]}, WAIT_S)
        report["indexed"] += answer["indexed"]
        report["errors"] += answer["errors"]
    return report


def print_paths(report: Json) -> None:
    """Print `report`, the result of `index_paths`."""
    for error in report["errors"]:
        print(f"error: {error['path']}: {error['message']}", file=sys.stderr)
    print(f"indexed {count(report['indexed'], 'file')}")


def wait(endpoint: Endpoint, shown: ProgressDisplay | None) -> Json:
    """Wait until the daemon has caught up, showing its progress in `shown`. Returns its last reply.

    A daemon that makes way for another one, or is killed, is followed by the next, which goes on where it was. Errors:
    engine_unavailable where the daemon was stopped, or the next one cannot start.
    """
    reply: Json = {}
    deadline = time.monotonic() + WAIT_S
    while (left_s := deadline - time.monotonic()) > 0:
        try:
            for reply in progress(endpoint, "wait", {"timeout_s": left_s}, left_s + START_S):
                if shown and "phase" in reply:
                    shown.update(reply["phase"], reply["done"], reply["total"], reply.get("rate", 0.0))
            break
        except CodedError as error:
            if not (isinstance(error, DaemonMissing) or error.facts.get("has_successor")):
                raise
            time.sleep(LOOK_S)
            ensure_running(endpoint)
    return reply


def wait_until_caught_up(endpoint: Endpoint) -> None:
    """Start the daemon if it is not running, and wait until its index has caught up, with a progress bar on a terminal.

    Errors: engine_unavailable if that does not happen in time.
    """
    ensure_running(endpoint)
    with display(verbose=False) as shown:
        last = wait(endpoint, shown)
    if not last.get("caught_up"):
        raise EngineUnavailable(
            last.get("reason") or "the index did not catch up in time",
            remedy=last.get("remedy") or "`codeagentd status` says more",
        )


def summarise(fields: Json, seconds: float) -> None:
    """Print a summary of the index on one line: `fields` of its status, after `seconds`."""
    if not fields.get("caught_up"):
        reason = fields.get("reason") or "the index did not catch up in time"
        print(f"error: {reason} ({fields.get('remedy') or '`codeagentd status` says more'})", file=sys.stderr)
        return
    parts = [count(fields["indexed_files"], "file"), count(fields["indexed_symbols"], "symbol")]
    parts += [f"{sum(skipped.values()):,} skipped ({by_number(skipped)})"] if (skipped := fields.get("skipped")) else []
    print(f"caught up in {duration(seconds)}: {', '.join(parts)} (generation {fields['generation']})")
    if (unknown := fields.get("unknown")) and fields["indexed_files"] <= sum(unknown.values()):
        print(f"no file is in a language that is known: {by_number(unknown)} (`codeagentd languages` lists them)")


def display(verbose: bool) -> AbstractContextManager[ProgressDisplay | None]:
    """Return a context with a display of progress: a bar on a terminal, plain lines for `verbose` logs, else None."""
    if is_terminal(sys.stderr):
        from codeagentd.cli.rendering.progress_bar import bar

        return bar()
    return nullcontext(ProgressLines() if verbose else None)


class ProgressLines:
    """Progress as plain lines: one per phase and per tenth of the work."""

    def __init__(self) -> None:
        self._last = ""

    def update(self, phase: str, done: int, total: int, rate: float = 0.0) -> None:
        """Print the progress of a phase (`done` of `total`) as a line when another tenth of the work is done."""
        share = f"{phase} {done * 10 // total * 10} %" if total else ""
        if share and share != self._last:
            pace = pace_text(done, total, rate)
            print(f"{share} ({done:,} of {total:,}{', ' if pace else ''}{pace})", flush=True)
            self._last = share

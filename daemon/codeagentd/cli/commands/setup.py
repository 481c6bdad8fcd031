"""`codeagentd setup`: from one line to a client that answers, and back.

Where this program runs from a cache (uvx, pipx run, npx), it makes an installation that lasts, and that one goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from codeagent_protocol import services
from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagent_protocol.version import __version__
from codeagentd.base import failpoints
from codeagentd.cli.daemon_client.launch import ensure_running
from codeagentd.cli.exit_codes import EXIT_FAILED, error_line
from codeagentd.cli.main import parsed, parser_of
from codeagentd.cli.rendering.client_edits import edited, system
from codeagentd.cli.rendering.console import duration, fit, paint_for
from codeagentd.cli.rendering.source_places import Place
from codeagentd.cli.repository_arguments import add_json, add_repo, root_from
from codeagentd.cli.setup import environment, removal, setup_log
from codeagentd.cli.setup.client_choice import choose
from codeagentd.cli.setup.first_answer import FirstAnswer, first_answer, lines_of
from codeagentd.clients.config_editor import INSTALLED, UPDATED
from codeagentd.clients.install import Scope
from codeagentd.clients.program_path import (
    LASTING_COMMAND,
    installed,
    own_environment,
    own_program,
    passing_place,
    running,
)

from .install import edit_for
from .operations.index import display, summarise, wait

Json = dict[str, Any]
EXAMPLES = """examples:
  uvx codeagentd setup                 all in one line; also pipx run codeagentd setup, npx codeagentd setup
  codeagentd setup --client zed codex  these clients, without a question
  codeagentd setup --dry-run           what would be done
  codeagentd setup --undo              remove all of it; memories stay, unless --memories is given

Each client's file is copied beside itself before it is changed. Doing it twice changes nothing. exit codes: 0 fine, \
1 something was refused or failed"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument(
        "--client",
        metavar="NAME",
        nargs="*",
        help="these clients, without a name none (default: asks, of all that are found)",
    )
    parser.add_argument("--yes", action="store_true", help="ask nothing: set up every client that is found")
    parser.add_argument("--no-index", action="store_true", help="do not index the repository now")
    parser.add_argument("--undo", action="store_true", help="remove everything of codeagentd from this machine again")
    parser.add_argument("--memories", action="store_true", help="with --undo: also what agents were told to keep")
    parser.add_argument("--dry-run", action="store_true", help="change nothing; print what would be done")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Set everything up, or undo it. Returns the exit code."""
    failpoints.arm(os.environ)
    if arguments.undo:
        return removal.run(arguments)
    asks = not (arguments.yes or arguments.json or arguments.dry_run) and sys.stdin.isatty()
    chosen = choose(arguments.client, ask=asks, paint=paint_for(arguments), quiet=arguments.json)
    if not arguments.dry_run:
        setup_log.begin([environment.link_folder(), Path(services.unit_dir())])
    place = "" if os.environ.get(LASTING_COMMAND) else passing_place(running())
    if place and not arguments.dry_run:
        return _go_on_lasting(arguments, chosen, place)
    command = own_program() if place else installed()
    if place and not arguments.json:
        print(f"would install codeagentd {__version__} into {own_environment()}, since this one is in {place}")
    reports, code = _set_up_clients(arguments, chosen, command)
    report: Json = {"program": command, "environment": setup_log.load().environment is not None, "clients": reports}
    if (root := _root(arguments)) and not (arguments.no_index or arguments.dry_run):
        try:
            report |= _index(arguments, root)
        except CodedError as error:
            code = EXIT_FAILED
            report["error"] = error.as_dict()
            print(error_line(error), file=sys.stderr)
    print(
        json.dumps(report, indent=2, ensure_ascii=False)
        if arguments.json
        else "\n".join(fit(_ending(report, root, arguments)))
    )
    return code


def _go_on_lasting(arguments: argparse.Namespace, chosen: list[str], place: str) -> int:
    """Make an installation that lasts, unless it is there, and have it go on with this command."""
    present = environment.present_version()
    if environment.is_needed(present):
        if not arguments.json:
            print(
                f"installing codeagentd {__version__} into {own_environment()}, since this one is in {place}",
                flush=True,
            )
        began = time.monotonic()
        installer = environment.make(present, quiet=arguments.json or not sys.stderr.isatty())
        if not arguments.json:
            print(f"installed by {installer} in {duration(time.monotonic() - began)}", flush=True)
    flags = [f"--{name.replace('_', '-')}" for name in ("json", "no_index", "no_color") if getattr(arguments, name)]
    repo = ["--repo", arguments.repo] if arguments.repo else []
    sys.stdout.flush()
    return subprocess.call([own_program("codeagentd"), "setup", *repo, *flags, "--client", *chosen])


def _set_up_clients(arguments: argparse.Namespace, chosen: list[str], command: str) -> tuple[list[Json], int]:
    """Install each client's entry, as `codeagentd install` does. Returns the reports on files, and the exit code."""
    flags = [f"--{name.replace('_', '-')}" for name in ("json", "dry_run", "no_color") if getattr(arguments, name)]
    options = parsed(parser_of("install"), [*chosen, *flags])
    return edited(options, edit_for(options, Scope(system()), command))


def _root(arguments: argparse.Namespace) -> str:
    """The root of the repository; "" outside of one. Errors: invalid_parameter for one that is named and is none."""
    try:
        return root_from(arguments)
    except CodedError:
        if arguments.repo:
            raise
        return ""


def _index(arguments: argparse.Namespace, root: str) -> Json:
    """Index the repository, and ask it something. Returns the fields of the report."""
    endpoint, began = endpoint_of(root), time.monotonic()
    if not arguments.json:
        print(f"\nindexing {root}", flush=True)
    ensure_running(endpoint)
    with display(verbose=not arguments.json) as shown:
        last = wait(endpoint, shown)
    if not last.get("caught_up"):
        raise EngineUnavailable(
            last.get("reason") or "the index did not catch up in time",
            remedy=last.get("remedy") or "`codeagentd status` says more",
        )
    failpoints.point("setup.indexed")
    answer = first_answer(endpoint)
    if not arguments.json:
        summarise(last, time.monotonic() - began)
        print("\n".join(["", *fit(_answer_lines(answer, arguments, root))]))
    index = {name: last.get(name) for name in ("generation", "indexed_files", "indexed_symbols", "caught_up")}
    return {"index": {"repo": root, **index}} | ({"answer": answer._asdict()} if answer else {})


def _answer_lines(answer: FirstAnswer | None, arguments: argparse.Namespace, root: str) -> list[str]:
    if answer is None:
        return [
            "no symbol of this repository has a caller that is known: `codeagentd search WORDS` looks into its text"
        ]
    return lines_of(answer, paint_for(arguments), Place(root))


def _ending(report: Json, root: str, arguments: argparse.Namespace) -> list[str]:
    """The lines about what was done, what comes next, and how to undo it."""
    if arguments.dry_run:
        return ["", "nothing was changed"]
    changed = [item["path"] for item in report["clients"] if item.get("done") in (INSTALLED, UPDATED)]
    ready = [item["client"] for item in report["clients"] if "error" not in item]
    lines = ["", f"changed: {', '.join(changed)}" if changed else "nothing had to be changed"]
    lines.append(f"clients start {report['program']}")
    if ready:
        lines.append(f"next: open a repository in {' or '.join(dict.fromkeys(ready))}, and ask about its code")
    if not root:
        lines.append(
            "this folder is in no git repository: the first window in one indexes it, as does `codeagentd index --wait`"
        )
    return [*lines, *_on_path(), f"undo: {_command()} setup --undo"]


def _command() -> str:
    """How a terminal reaches an installation that lasts."""
    on_path, program = shutil.which("codeagentd"), own_program("codeagentd")
    is_reached = on_path and not passing_place(on_path)
    return "codeagentd" if is_reached or not os.access(program, os.X_OK) else program


def _on_path() -> list[str]:
    folder = str(environment.link_folder())
    is_there = folder in os.environ.get("PATH", "").split(os.pathsep)
    return [] if is_there or not setup_log.load().links else [f"to have codeagentd in terminals, add {folder} to PATH"]

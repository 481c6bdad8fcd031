"""The common parts of `install` and `uninstall`: their scope, and the report on edited files."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from codeagent_protocol import dirs
from codeagent_protocol.errors import CodedError
from codeagentd.cli.exit_codes import error_line, exit_code
from codeagentd.cli.repository_arguments import add_json, root_from
from codeagentd.clients.catalogue import Client, System, client, this_system
from codeagentd.clients.config_editor import LEFT, SHARED, UNCHANGED, Outcome
from codeagentd.clients.install import BY_HAND, Scope

from .console import fit, paint_for, plain
from .tables import table

Report = dict[str, Any]
Edit = Callable[[Client], tuple[list[Outcome], list[str]]]

NO_NEWLINE: Final = "\\ No newline at end of file\n"


def add_scope(parser: argparse.ArgumentParser) -> None:
    """Declare the options --project, --global, --dry-run and --json."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--global", action="store_true", dest="everywhere", help="for all projects of this user (default)"
    )
    group.add_argument("--project", action="store_true", help="for one project: --repo, else the current directory's")
    parser.add_argument("--dry-run", action="store_true", help="change nothing; print what would change as a diff")
    add_json(parser)


def system() -> System:
    """Return the facts about this system that the clients' paths depend on."""
    return this_system(os.environ, dirs.home())


def scope_of(arguments: argparse.Namespace) -> Scope:
    """Return the scope that the options name. Errors: invalid_parameter when there is no project."""
    return Scope(system(), root_from(arguments) if arguments.project else "")


def each(arguments: argparse.Namespace, edit: Edit) -> int:
    """Call `edit` for every named client, and print the results. Returns the exit code."""
    reports, code = edited(arguments, edit)
    if arguments.json:
        print(json.dumps(reports, indent=2, ensure_ascii=False))
    return code


def edited(arguments: argparse.Namespace, edit: Edit) -> tuple[list[Report], int]:
    """Call `edit` for every named client, and print the results unless JSON is wanted. After a refusal the other
    clients are still edited.

    Returns: a report on each file, and the exit code.
    """
    reports: list[Report] = []
    printed: set[str] = set()
    code = 0
    for name in dict.fromkeys(arguments.clients):
        try:
            outcomes, notes = edit(client(name))
        except CodedError as error:
            code = max(code, exit_code(error))
            reports.append({"client": name, "error": error.as_dict()})
            print(f"{name}: {error_line(error)}", file=sys.stderr)
            continue
        reports += [_as_json(name, outcome, notes, arguments.dry_run) for outcome in outcomes]
        if not arguments.json:
            _print_result(name, outcomes, [note for note in notes if note not in printed], arguments)
            printed |= {*notes}
    return reports, code


def _print_result(name: str, outcomes: Sequence[Outcome], notes: Sequence[str], arguments: argparse.Namespace) -> None:
    paint = paint_for(arguments, sys.stdout)
    rows = [
        [
            paint(name, "bold"),
            _done(outcome, arguments.dry_run),
            plain(outcome.path),
            f"copy: {plain(outcome.backup)}" if outcome.backup else "",
        ]
        for outcome in outcomes
    ]
    print("\n".join(table(rows, indent=0)))
    for outcome in outcomes if arguments.dry_run else ():
        sys.stdout.write("".join(diff(outcome)))
    for note in notes:
        first, *further = note.split("\n")  # further lines are to be copied, so that they are not wrapped
        print("\n".join([*fit([f"  note: {plain(first)}"]), *(f"    {plain(line)}" for line in further)]))


def _done(outcome: Outcome, dry_run: bool) -> str:
    """A line about the result for a file, or, with `dry_run`, about the intended one."""
    return (
        f"would be {outcome.done}"
        if dry_run and outcome.done not in (UNCHANGED, SHARED, LEFT, BY_HAND)
        else outcome.done
    )


def _as_json(name: str, outcome: Outcome, notes: Sequence[str], dry_run: bool) -> Report:
    reports: Report = {"client": name, "path": outcome.path, "done": outcome.done}
    reports |= {"backup": outcome.backup} if outcome.backup else {}
    reports |= {"dry_run": True, "diff": "".join(diff(outcome))} if dry_run else {}
    return reports | ({"notes": list(notes)} if notes else {})


def diff(outcome: Outcome) -> list[str]:
    """Return the changes of `outcome` as the lines of a unified diff; empty when there are none."""
    before, after = ("" if text is None else text for text in (outcome.before, outcome.after))
    old, new = ("/dev/null" if text is None else outcome.path for text in (outcome.before, outcome.after))
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), old, new)
    return [line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in lines]

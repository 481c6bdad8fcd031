"""`codeagentd refactor plan | verify`: the plan of a renaming, and the verification that it is complete; neither
changes a file.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from codeagentd.cli.daemon_client.client import Json, ask_daemon
from codeagentd.cli.exit_codes import EXIT_FAILED, WrongUsage
from codeagentd.cli.rendering import tool_answers
from codeagentd.cli.rendering.console import Paint, plain
from codeagentd.cli.rendering.source_places import Place
from codeagentd.cli.repository_arguments import add_json, add_repo, place_from

from .tool_commands import Option, Question

EXAMPLES: Final = """examples:
  codeagentd refactor plan QuerySet.filter narrow
  codeagentd refactor plan Order Purchase --file shop/models.py --json > plan.json
  codeagentd refactor verify --plan plan.json        after the edits: every place of the plan, and what the index says
  codeagentd refactor verify Order Purchase          without a plan: what the two names alone can say

plan: exit code 1 when the symbol is not found, is one of several, or the plan is AMBIGUOUS.
verify: exit code 0 when the renaming is whole, 1 when it is not, 2 when the plan cannot be read. Places to review \
fail with --strict alone."""

_ID: Final[Option] = ("--id", {"metavar": "ID", "help": "the node id, when several symbols have the name"})
_FILE: Final[Option] = (
    "--file",
    {"metavar": "TEXT", "help": "a part of the path of its file, when several symbols have the name"},
)
_PLANNED: Final = Question("plan_rename", (("name", "", ""), ("to", "", "")), (_ID, _FILE), tool_answers.as_text, "")
_WRONG: Final = {
    "undone": "Not done:", "unresolved": "Refers to nothing now:", "captured": "Refers to something else now:",
    "left": "By the old name:", "review": "To review:",
}  # fmt: skip


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verbs with their arguments and options."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    plan = verbs.add_parser("plan", help="list edits, places to review, collisions")
    plan.add_argument("name", metavar="NAME", help="the symbol: a name or node id")
    plan.add_argument("to", metavar="NEW", help="its new name")
    verify = verbs.add_parser("verify", help="tell whether a renaming was done whole")
    verify.add_argument("names", metavar="OLD NEW", nargs="*", help="the old and the new name, where there is no plan")
    verify.add_argument("--plan", metavar="FILE", help="what `refactor plan --json` gave; - for standard input")
    verify.add_argument("--strict", action="store_true", help="fail for places to review as well")
    for verb in verbs.choices.values():
        add_repo(verb)
        add_json(verb)
        for flag, details in (_ID, _FILE):
            verb.add_argument(flag, **details)
        verb.add_argument("--no-color", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Print the plan, or the result of the verification. Returns the exit code."""
    return _plan(arguments) if arguments.verb == "plan" else _verify(arguments)


def _plan(arguments: argparse.Namespace) -> int:
    answer = _PLANNED.ask(arguments)
    code = _PLANNED.show(arguments, answer)
    return code or (EXIT_FAILED if answer["structuredContent"]["confidence"] == "AMBIGUOUS" else 0)


def _verify(arguments: argparse.Namespace) -> int:
    if len(arguments.names) != (0 if arguments.plan else 2):
        raise WrongUsage("pass OLD and NEW, or --plan FILE", remedy="see `codeagentd refactor verify --help`")
    plan = read_plan(arguments.plan) if arguments.plan else _names(arguments)
    answer = ask_daemon(place_from(arguments), plan, "verify")
    code = Question("", (), (), _verification_lines, "").show(arguments, answer)
    content = answer["structuredContent"]
    return code or (0 if content["whole"] and not (arguments.strict and content["review"]) else EXIT_FAILED)


def _names(arguments: argparse.Namespace) -> Json:
    return {
        "old": arguments.names[0],
        "new": arguments.names[1],
        "id": arguments.id or "",
        "file": arguments.file or "",
    }


def read_plan(path: str) -> Json:
    """Return the plan in the file at `path`, or from standard input. Errors: invalid_parameter."""
    remedy = "pass what `codeagentd refactor plan --json` gave"
    try:
        plan = json.loads(sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise WrongUsage(f"the plan cannot be read: {error}", remedy=remedy) from None
    if not isinstance(plan, dict) or not plan.get("old") or not plan.get("new") or not plan.get("edits"):
        raise WrongUsage("this is no plan with edits", remedy=remedy)
    return plan


def _verification_lines(answer: Json, paint: Paint, place: Place) -> list[str]:
    lines = [plain(answer["message"])]
    if not answer["found"]:
        return [
            *lines,
            *(
                f"- {plain(candidate['label'])} [{candidate['id']}] {plain(candidate['file'])}"
                for candidate in answer.get("candidates", [])
            ),
        ]
    for kind, title in _WRONG.items():
        spots = [
            f"- {paint(place(candidate['file'], candidate['line']), 'cyan')} {plain(candidate['reason'])}: "
            f"{plain(candidate.get('text', '').strip())}"
            for candidate in answer[kind]
        ]
        lines += [title, *spots] if spots else []
    lines += [f"Collision: {plain(candidate)}" for candidate in answer["collisions"]]
    return [*lines, *([f"Note: {plain(answer['note'])}"] if answer.get("note") else [])]

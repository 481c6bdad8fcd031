"""`codeagentd diff`: the changes of the code graph between two revisions, with an exit code for CI."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from codeagentd.cli.exit_codes import EXIT_FAILED
from codeagentd.cli.rendering import tool_answers
from codeagentd.cli.repository_arguments import add_json, add_repo

from .tool_commands import Option, Question

EXAMPLES: Final = """examples:
  codeagentd diff HEAD~10                   up to the working tree
  codeagentd diff v1.0 v2.0 --top 50
  codeagentd diff origin/main HEAD --fail-on cycles apis     a new import cycle or a removed API

Exit code 1 when there is what --fail-on names (stderr says which), or when the revisions cannot be compared; 2 when \
there is no such revision."""

FAILURES: Final = {"cycles": "new_cycles", "apis": "removed_apis", "dependencies": "added_dependencies"}
_TOP: Final[Option] = ("--top", {"type": int, "metavar": "N", "help": "rows of each section, 20 by default"})
_QUESTION: Final = Question("time_travel_diff", (("rev1", "", ""), ("rev2", "", "")), (_TOP,), tool_answers.as_text, "")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    add_repo(parser)
    parser.add_argument("rev1", metavar="REVISION", help="the base: HEAD~10, a branch, a hash")
    parser.add_argument(
        "rev2", metavar="REVISION", nargs="?", help="what to compare with it; default: the working tree"
    )
    parser.add_argument(_TOP[0], **_TOP[1])
    parser.add_argument(
        "--fail-on",
        nargs="+",
        choices=tuple(FAILURES),
        default=(),
        metavar="GATE",
        help=f"exit 1 when there are any: {', '.join(FAILURES)}",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the comparison of the two revisions. Returns the exit code."""
    answer = _QUESTION.ask(arguments)
    code = _QUESTION.show(arguments, answer)
    if code:
        return code
    totals = answer["structuredContent"]["totals"]
    closed = [failure for failure in arguments.fail_on if totals and totals[FAILURES[failure]]]
    for failure in closed:
        print(
            f"failed: --fail-on {failure}: {totals[FAILURES[failure]]:,} {FAILURES[failure].replace('_', ' ')}",
            file=sys.stderr,
        )
    return EXIT_FAILED if closed or not totals else 0

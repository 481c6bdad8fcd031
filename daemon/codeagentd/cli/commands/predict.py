"""`codeagentd predict`: a forecast of what a change may break, with an exit code for CI."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from codeagentd.cli.commands.operations.index import wait_until_caught_up
from codeagentd.cli.exit_codes import EXIT_FAILED
from codeagentd.cli.rendering import tool_answers
from codeagentd.cli.rendering.console import plain
from codeagentd.cli.repository_arguments import add_json, add_repo, place_from

from .affected import BASE, HOPS
from .tool_commands import LIST, Question

EXAMPLES: Final = """examples:
  codeagentd predict                        what differs from the default branch
  codeagentd predict shop/models.py --depth 2
  codeagentd predict --base origin/main --fail-on high

Exit code 1 when the risk is what --fail-on says or higher, or when it is not known what was changed, as with a path \
that is no file; 0 when nothing was."""

LEVELS: Final = ("low", "medium", "high")
_QUESTION: Final = Question("predict_impact", (("files", "", LIST),), (HOPS, BASE), tool_answers.as_text, "")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    add_repo(parser)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="changed files, from the current folder or the top of the repository; default: what differs from --base",
    )
    for flag, details in (HOPS, BASE):
        parser.add_argument(flag, **details)
    parser.add_argument("--fail-on", choices=LEVELS, help="exit 1 when the risk is this or higher")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the forecast. Returns the exit code."""
    wait_until_caught_up(place_from(arguments))
    answer = _QUESTION.ask(arguments)
    code = _QUESTION.show(arguments, answer)
    if code:
        return code
    content = answer["structuredContent"]
    if content.get("unknown"):
        print(f"error: {plain(content['note'])} (name files of the repository)", file=sys.stderr)
        return EXIT_FAILED
    if not content["total"]:
        return EXIT_FAILED if content.get("note") else 0
    level = content["risk"]["level"]
    if not arguments.fail_on or LEVELS.index(level) < LEVELS.index(arguments.fail_on):
        return 0
    print(f"failed: --fail-on {arguments.fail_on}: the risk is {level}", file=sys.stderr)
    return EXIT_FAILED

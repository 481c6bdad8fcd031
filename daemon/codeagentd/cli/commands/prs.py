"""`codeagentd prs`: open pull requests, a single one, or all in order of urgency. Needs GitHub's gh."""

from __future__ import annotations

import argparse
from typing import Final

from codeagentd.cli.daemon_client.client import ask_daemon
from codeagentd.cli.exit_codes import EXIT_FAILED, WrongUsage
from codeagentd.cli.rendering import tool_answers
from codeagentd.cli.repository_arguments import add_json, add_repo, place_from

from .tool_commands import Option, Question

EXAMPLES: Final = """examples:
  codeagentd prs
  codeagentd prs 123                        what it touches of the code graph
  codeagentd prs --triage --base main --github owner/name

Exit code 1 when gh is not there, is not logged in or has no answer; 0 also when no pull request is open."""

_BASE: Final[Option] = (
    "--base",
    {"metavar": "BRANCH", "help": "only those for this branch; default: the repository's"},
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    add_repo(parser)
    parser.add_argument("number", metavar="NUMBER", type=int, nargs="?", help="show one, with what it touches")
    parser.add_argument("--triage", action="store_true", help="rank them by what they wait for, with what each touches")
    parser.add_argument(_BASE[0], **_BASE[1])
    parser.add_argument("--github", metavar="OWNER/NAME", help="another repository than this directory's")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Call the tool that the options select, and print its answer. Returns the exit code: 1 when gh has no answer."""
    if arguments.number is not None and (arguments.triage or arguments.base):
        raise WrongUsage("pass a NUMBER, or --triage and --base", remedy="see `codeagentd prs --help`")
    tool = "get_pr_impact" if arguments.number is not None else "triage_prs" if arguments.triage else "list_prs"
    parameters = {"base": arguments.base, "repo": arguments.github, "pr_number": arguments.number}
    answer = ask_daemon(
        place_from(arguments),
        {"tool": tool, "arguments": {name: value for name, value in parameters.items() if value is not None}},
    )
    return Question(tool, (), (), tool_answers.as_text, "").show(arguments, answer) or (
        EXIT_FAILED if answer["structuredContent"].get("note") else 0
    )

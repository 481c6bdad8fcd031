"""`codeagentd refactor plan`: how a symbol would be renamed; nothing is changed."""

from __future__ import annotations

import argparse
from typing import Final

from codeagentd.cli import answers
from codeagentd.cli.main import EXIT_FAILED
from codeagentd.cli.place import add_json, add_repo
from codeagentd.cli.questions import Option, Question

EXAMPLES: Final = """examples:
  codeagentd refactor plan QuerySet.filter narrow
  codeagentd refactor plan Order Purchase --file shop/models.py --json

Exit code 1 when the symbol is not found, is one of several, or the plan is AMBIGUOUS."""

_ID: Final[Option] = ("--id", {"metavar": "ID", "help": "the node id, when several symbols have the name"})
_FILE: Final[Option] = ("--file", {"metavar": "TEXT", "help": "a part of the path of its file, when several symbols have the name"})
_ASKED: Final = Question("plan_rename", (("name", "", ""), ("to", "", "")), (_ID, _FILE), answers.told, "")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_repo(parser)
    parser.add_argument("action", choices=["plan"], help="plan: list edits, places to review, collisions")
    parser.add_argument("name", metavar="NAME", help="the symbol: a name or node id")
    parser.add_argument("to", metavar="NEW", help="its new name")
    for flag, details in (_ID, _FILE):
        parser.add_argument(flag, **details)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the plan."""
    answer = _ASKED.ask(arguments)
    code = _ASKED.show(arguments, answer)
    return code or (EXIT_FAILED if answer["structuredContent"]["confidence"] == "AMBIGUOUS" else 0)

"""`codeagentd help`: the list of commands, or the help of one command."""

from __future__ import annotations

import argparse
from typing import Final

from codeagentd.cli.command_list import GROUPS
from codeagentd.cli.main import parser_of, refuse_unknown
from codeagentd.cli.parser import help_width
from codeagentd.cli.rendering.console import paint_for
from codeagentd.cli.rendering.text_wrapping import wrapped

EXAMPLES: Final = """examples:
  codeagentd help
  codeagentd help status     as `codeagentd status --help`"""

PURPOSE: Final = "One code-intelligence daemon per repository, shared by every editor window and coding agent over MCP."
CLOSING: Final = """examples:
  codeagentd status                        this repository's daemon
  codeagentd index --wait --repo ~/src/x   return when its index is complete
  codeagentd search how are sessions stored
  codeagentd call search_symbols query=Parser limit=5
  codeagentd logs -f

Nothing has to be started by hand: the first MCP client that runs `codeagent-mcp` starts the daemon.

`codeagentd COMMAND --help` says more about one command.

exit codes: 0 fine, 1 failed or degraded, 2 wrong usage, 3 not running, 4 not answering"""
TOP: Final = f"usage: codeagentd COMMAND [options]\n\n{PURPOSE}\n\n{{commands}}\n{CLOSING}"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's argument."""
    parser.add_argument("command", metavar="COMMAND", nargs="?", default="", help="the command to say more about")
    parser.add_argument("--json", action="store_true", help="print JSON, for machines")  # add_json's imports take 10 ms


def run(arguments: argparse.Namespace) -> int:
    """Print the help. Returns the exit code."""
    if arguments.command:
        refuse_unknown(arguments.command)
        text = parser_of(arguments.command).format_help()
        return _print_json({"command": arguments.command, "help": text}) if arguments.json else _print(text)
    if arguments.json:
        return _print_json({"commands": GROUPS})
    groups = [
        f"{title}:\n" + "".join(f"  {name:<13} {summary}\n" for name, summary in group.items())
        for title, group in GROUPS.items()
    ]
    paint = paint_for(arguments)
    for line in wrapped(TOP.format(commands="\n".join(groups)), help_width()):
        print(paint(line, "bold") if line.endswith(":") else line)
    return 0


def _print(text: str) -> int:
    print(text, end="")
    return 0


def _print_json(content: object) -> int:
    import json  # only for --json

    print(json.dumps(content, indent=2))
    return 0

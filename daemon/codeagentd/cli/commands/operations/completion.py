"""`codeagentd completion`: the script by which a shell completes commands, options and names. Needs no daemon.

The script is made from the parsers of all commands, and knows everything by itself: pressing Tab starts no process.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Any, Final

import shtab

from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.commands.schema import PACKAGE
from codeagentd.cli.main import configured
from codeagentd.cli.parser import Help, Parser
from codeagentd.clients.catalogue import clients
from codeagentd.toolkit.toolsets import ALL, DEFAULT, TOOLSETS, load

SHELLS: Final = ("bash", "zsh", "fish")

EXAMPLES: Final = """examples:
  codeagentd completion bash > ~/.local/share/bash-completion/completions/codeagentd
  codeagentd completion zsh > "${fpath[1]}/_codeagentd"
  codeagentd completion fish > ~/.config/fish/completions/codeagentd.fish

One line for each shell, whose folder has to exist; a new shell then completes commands, options, clients, tools and \
toolsets. Do it again after an upgrade. For one session of bash: `eval "$(codeagentd completion bash)"`."""

_FILE, _DIRECTORY = shtab.FILE, shtab.DIRECTORY
_BY_METAVAR: Final[dict[str, Any]] = {"FILE": _FILE, "PATH": _FILE, "DIR": _DIRECTORY}
_REPOSITORY: Final = "repo"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's argument."""
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


def run(arguments: argparse.Namespace) -> int:
    """Print the script. Returns the exit code."""
    print(shtab.complete(whole_parser(), arguments.shell))
    return 0


def whole_parser() -> argparse.ArgumentParser:
    """Return a parser of the whole command line, whose arguments say what completes them."""
    whole = Parser(prog="codeagentd", formatter_class=Help)
    commands = whole.add_subparsers(metavar="COMMAND")
    words = _words()
    for name, summary in COMMANDS.items():
        parser = configured(commands.add_parser(name, help=summary), name)
        for command, action in _actions(name, parser):
            if choices := words.get(f"{command} {action.dest}"):
                action.choices = list(choices)
                action.help = str(action.metavar or action.dest).lower()  # shells show it beside each word
            elif action.nargs != 0 and not action.choices:
                _complete_by_path(action)
    return whole


def _actions(command: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """The actions of a command and of its verbs, each with the command's name."""
    for action in parser._actions:
        yield command, action
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                yield from _actions(command, verb)


def _words() -> dict[str, Iterable[str]]:
    """The words that complete an argument, by command and parameter."""
    tools = tuple(load(PACKAGE))
    return {
        "install clients": clients(),
        "uninstall clients": clients(),
        "call tool": tools,
        "schema tool": tools,
        "tools tool": tools,
        "tools tools": tools,
        "tools exclude_tools": tools,
        "tools toolsets": (*TOOLSETS, ALL, DEFAULT),
        "help command": COMMANDS,
    }


def _complete_by_path(action: Any) -> None:
    complete = _DIRECTORY if action.dest == _REPOSITORY else _BY_METAVAR.get(str(action.metavar).split(" ")[-1])
    if complete:
        action.complete = complete

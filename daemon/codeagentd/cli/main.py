"""The entry point of the command line: it imports one command, and converts errors to one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from codeagent_protocol.errors import CodedError, InvalidParameter
from codeagentd.cli.rendering.console import fit
from codeagentd.cli.rendering.remedies import in_calls

from .command_list import COMMANDS, OPERATIONS, QUESTIONS
from .exit_codes import EXIT_INTERRUPTED, error_json, error_line, exit_code
from .parser import Help, Parser, did_you_mean

ALIASES: Final = {"-h": "help", "--help": "help", "-V": "version", "--version": "version"}
HELP: Final = {"-h", "--help"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` names (None: sys.argv), and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv) or ["help"]
    name = ALIASES.get(words[0], words[0])
    is_json = "--json" in words or name == "call"
    return guarded(lambda _: run(name, words[1:]), argparse.Namespace(json=is_json))


def run(name: str, words: list[str]) -> int:
    """Run the command `name` with the arguments `words`, and return its exit code. Errors: invalid_parameter for an
    unknown command; the command's own errors.
    """
    refuse_unknown(name)
    module = _command(name)
    if HELP & {*words} and (instead := getattr(module, "help_command", lambda _: None)(words)):
        return run(instead[0], instead[1:])
    code: int = module.run(parsed(parser_of(name), words))
    return code


def refuse_unknown(name: str) -> None:
    """Check that a command `name` exists. Errors: invalid_parameter."""
    if name not in COMMANDS:
        call = in_calls(name)
        tool = f"{call} calls the tool of this name;" if call != name else ""
        remedy = " ".join(filter(None, [did_you_mean(name, COMMANDS), tool, "see `codeagentd --help`"]))
        raise InvalidParameter(f"there is no command {name!r}", remedy=remedy, parameter="command")


def parsed(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """Return `words` as parsed by `parser`. Options may be anywhere between the other arguments, except in commands
    with verbs, where they follow the verb.
    """
    try:
        return parser.parse_intermixed_args(words) if words else parser.parse_args(words)
    except TypeError:  # raised for subparsers, before any word is parsed
        return parser.parse_args(words)


def _command(name: str) -> Any:
    """The object with the command's `configure`, `run` and `EXAMPLES`: its module, or its entry in the table of
    questions.
    """
    if name in QUESTIONS:
        return importlib.import_module("codeagentd.cli.commands.tool_commands").QUESTIONS[name]
    package = "codeagentd.cli.commands.operations" if name in OPERATIONS else "codeagentd.cli.commands"
    return importlib.import_module(f"{package}.{name}")


def parser_of(name: str) -> argparse.ArgumentParser:
    """Return the parser of the command `name`."""
    return configured(Parser(prog=f"codeagentd {name}", formatter_class=Help), name)


def configured(parser: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Give `parser` the description, arguments, options and examples of the command `name`, and return it."""
    module = _command(name)
    summary = COMMANDS[name]
    parser.description = summary[0].upper() + summary[1:] + "."
    parser.epilog = getattr(module, "EXAMPLES", None)
    parser.add_argument(
        "--no-color",
        action="store_true",
        help="plain text (also with NO_COLOR set, and when the output is no terminal)",
    )
    module.configure(parser)
    return parser


def guarded(run: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """Call `run` with `arguments`, and return its exit code. An error becomes one line on stderr and an exit code, and
    with --json also an object on stdout.
    """
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except CodedError as error:
        if getattr(arguments, "json", False):
            print(error_json(error), flush=True)
        print("\n".join(fit([error_line(error)], sys.stderr)), file=sys.stderr)
        return exit_code(error)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # the reader has closed the pipe (`… | head`)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SystemExit:  # argparse has printed help or an error
        _flush()
        raise


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

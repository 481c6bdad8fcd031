"""Which command was asked for: imports that command's module alone, and turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from codeagent_protocol.errors import CodedError

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

COMMANDS: dict[str, str] = {
    "status": "what the daemon of a repository is doing, and how fresh its index is",
    "index": "index changed files now; with --wait, return when the index is caught up",
    "search": "find the code that answers a question in words or names",
    "symbol": "find where a name is defined",
    "refs": "list the places that refer to a symbol",
    "impact": "list what a change of a symbol or file affects",
    "explain": "search, and show who calls whom around the best hits",
    "architecture": "show parts, most used symbols and surprising connections",
    "path": "find the shortest way between two symbols or files",
    "describe": "describe a symbol: signature, callers, callees",
    "affected": "list what depends on a symbol or file, by hops; with --tests, the tests to run for a change",
    "predict": "forecast what a change may break: risk, public APIs, tests",
    "diff": "compare the code graph of two revisions",
    "report": "write what stands out in the code graph: GRAPH_REPORT.md, graph.html to look around in, graph.json",
    "refactor": "plan the renaming of a symbol, or verify that one is whole; changes nothing",
    "prs": "list pull requests, with what each touches (needs gh)",
    "query": "show the part of the graph that answers a question, or what a CGQL query matches",
    "stats": "count what is indexed: files, symbols, edges, languages",
    "call": "run one tool and print its answer as JSON",
    "tools": "list toolsets and tools, and what each costs in tokens",
    "languages": "list the languages that are supported, and how far",
    "memory": "list, show, copy, restore, export and import what agents keep",
    "start": "start the daemon in the background",
    "stop": "ask the daemon to finish its work and leave",
    "restart": "stop the daemon and start a new one; open windows stay connected",
    "run": "run the daemon in the foreground, for service managers and debugging",
    "service": "have systemd or launchd keep the daemon of a repository: install, uninstall, status",
    "logs": "print the daemon's log",
    "config": "show the settings in force and where each comes from",
    "gc": "remove indexes of worktrees and repositories that are gone, and what no index refers to",
    "install": "add this server to the configuration of MCP clients; --list shows what is found",
    "uninstall": "take it out of MCP clients again",
    "doctor": "check environment, directories, limits, locks and index; say what to do, or do it (--fix)",
    "support": "write status, doctor, settings and logs into one file for whoever helps: no source, no secrets",
    "version": "print the version",
}

QUESTIONS = frozenset({"search", "symbol", "refs", "impact", "explain", "architecture", "path", "describe", "stats"})  # all in one module

TOP = """usage: codeagentd COMMAND [options]

One code-intelligence daemon per repository, shared by every editor window and coding agent over MCP.

commands:
{commands}

examples:
  codeagentd status                        this repository's daemon
  codeagentd index --wait --repo ~/src/x   return when its index is complete
  codeagentd search how are sessions stored
  codeagentd call search_symbols query=Parser limit=5
  codeagentd logs -f

Nothing has to be started by hand: the first MCP client that runs `codeagent-mcp` starts the daemon.
`codeagentd COMMAND --help` says more about one command.
exit codes: 0 fine, 1 failed or degraded, 2 wrong usage, 3 not running, 4 not answering"""


class Parser(argparse.ArgumentParser):
    """argparse with its errors in our one-line form."""

    def error(self, message: str) -> NoReturn:
        """Print `error: … (remedy)` and leave with the code of wrong usage."""
        self.exit(EXIT_USAGE, f"error: {message} (see `{self.prog} --help`)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    first = words[0] if words else "--help"
    if first in ("-h", "--help", "help"):
        print(TOP.format(commands="\n".join(f"  {name:<12} {summary}" for name, summary in COMMANDS.items())))
        return 0
    name = "version" if first in ("-V", "--version") else first
    if name not in COMMANDS:
        print(f"error: there is no command {first!r} (see `codeagentd --help`)", file=sys.stderr)
        return EXIT_USAGE
    return guarded(_command(name).run, parsed(parser_of(name), words[1:]))


def parsed(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """What was written; options may stand anywhere between the other words, but for commands with verbs, whose options follow the verb."""
    try:
        return parser.parse_intermixed_args(words) if words else parser.parse_args(words)
    except TypeError:  # it refuses parsers of verbs, before it reads a word
        return parser.parse_args(words)


def _command(name: str) -> Any:
    """What has the command's `configure`, `run` and `EXAMPLES`: its module, or its entry in the table of questions."""
    if name in QUESTIONS:
        return importlib.import_module("codeagentd.cli.questions").QUESTIONS[name]
    return importlib.import_module(f"codeagentd.cli.{name}")


def parser_of(name: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    module = _command(name)
    summary = COMMANDS[name]
    parser = Parser(
        prog=f"codeagentd {name}",
        description=summary[0].upper() + summary[1:] + ".",
        epilog=getattr(module, "EXAMPLES", None),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--no-color", action="store_true", help="plain text (also with NO_COLOR set, and when the output is no terminal)")
    module.configure(parser)
    return parser


def guarded(run: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """Run a command; an error becomes one line on stderr and an exit code."""
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except CodedError as error:
        print(error_line(error), file=sys.stderr)
        return int(getattr(error, "exit_code", EXIT_FAILED))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader left (`… | head`); nobody wants the rest
        return 0


def error_line(error: CodedError) -> str:
    """`error: what is wrong (what to do)`, on one line."""
    message = " ".join(error.message.split())
    return f"error: {message} ({error.remedy})" if error.remedy else f"error: {message}"

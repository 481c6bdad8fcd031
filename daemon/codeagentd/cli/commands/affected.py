"""`codeagentd affected`: the dependents of a symbol; with `--tests`, the test files to run for a change, one a line,
for a test runner.
"""

from __future__ import annotations

import argparse
import sys
from typing import Final

from codeagentd.cli.commands.operations.index import wait_until_caught_up
from codeagentd.cli.exit_codes import EXIT_FAILED, WrongUsage
from codeagentd.cli.rendering import graph_answers, tool_answers
from codeagentd.cli.rendering.console import plain
from codeagentd.cli.rendering.source_places import Place
from codeagentd.cli.repository_arguments import add_json, add_repo, place_from

from .tool_commands import LIST, Option, Question

EXAMPLES: Final = """examples:
  codeagentd affected QuerySet.filter --depth 2
  codeagentd affected Order@shop/models.py --relations calls inherits
  codeagentd affected --tests | xargs -r pytest             what differs from the default branch
  codeagentd affected --tests -0 shop/models.py | xargs -0r pytest

Exit code 0 also where nothing is affected; 1 when a label or path means nothing or several things, or when --tests \
cannot know all tests: run them all."""

HOPS: Final[Option] = ("--depth", {"type": int, "metavar": "N", "help": "hops to follow, 1 to 16; default: 3"})
BASE: Final[Option] = (
    "--base",
    {"metavar": "REVISION", "help": "compare with this branch or revision; default: the repository's default branch"},
)
RELATIONS: Final[Option] = (
    "--relations",
    {"nargs": "+", "metavar": "NAME", "help": "only along these: calls, imports, inherits, …"},
)

_SYMBOL: Final = Question("affected", (("label", "", ""),), (HOPS, RELATIONS), graph_answers.affected, "")
_TESTS: Final = Question("affected_tests", (("files", "", LIST),), (HOPS, BASE), tool_answers.as_text, "")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    add_repo(parser)
    parser.add_argument(
        "label",
        metavar="LABEL | FILE",
        nargs="*",
        help="a name, path or id (name@file for one of several); with --tests, changed files",
    )
    parser.add_argument(
        "--tests",
        action="store_true",
        help="print the paths of the tests to run, from the current folder, the nearest first; --depth leaves out "
        "those farther away; none: nothing",
    )
    parser.add_argument(
        "-0", "--null", action="store_true", help="with --tests: end each path with a null byte, for xargs -0"
    )
    for flag, details in (HOPS, RELATIONS, BASE):
        parser.add_argument(flag, **details)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Call the tool that the options select, and print its answer. Returns the exit code."""
    if arguments.tests:
        return _tests(arguments)
    if len(arguments.label) != 1 or arguments.base:
        raise WrongUsage("pass one LABEL, or --tests", remedy="see `codeagentd affected --help`")
    arguments.label = arguments.label[0]
    return _SYMBOL.run(arguments)


def _tests(arguments: argparse.Namespace) -> int:
    """Print the test files to stdout, as a test runner finds them from the current folder, and everything else to
    stderr. An index that is not complete would lack tests, so it is waited for.

    If a path is unknown, no subset is printed.
    """
    arguments.files = arguments.label
    wait_until_caught_up(place_from(arguments))
    answer = _TESTS.ask(arguments)
    if arguments.json or answer.get("isError"):
        return _TESTS.show(arguments, answer)
    content = answer["structuredContent"]
    if content.get("unknown"):
        print(f"error: {plain(content['note'])} (name files of the repository)", file=sys.stderr)
        return EXIT_FAILED
    end, place = "\0" if arguments.null else "\n", Place(place_from(arguments).root)
    is_bounded = arguments.depth is not None
    paths = [*content["files"], *([] if is_bounded else content.get("farther", []))]
    print(*map(place.path, paths), sep=end, end=end if paths else "")
    farther = content.get("total_farther", 0) if is_bounded else 0
    none = f"no test is that near; files of tests farther away: {farther}" if farther else "no test reaches the change"
    if not paths or content.get("note"):
        print(plain(content.get("note") or none), file=sys.stderr)
    total = content.get("total_files", 0) + (0 if is_bounded else content.get("total_farther", 0))
    if len(paths) == total and not content.get("partial"):
        return 0
    print("error: there may be more tests than these (run the whole suite)", file=sys.stderr)
    return EXIT_FAILED

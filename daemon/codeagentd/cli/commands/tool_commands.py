"""`codeagentd search | symbol | refs | impact | explain | architecture | path | describe | stats`: tools as commands
for people.

One table lists for each command the tool that it calls, its arguments and options, and the function that prints the
answer.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError
from codeagentd.cli.daemon_client.client import Json, ask_daemon, payload_error
from codeagentd.cli.exit_codes import EXIT_FAILED, error_json, error_line, exit_code
from codeagentd.cli.rendering import tool_answers
from codeagentd.cli.rendering.console import Paint, fit, paint_for
from codeagentd.cli.rendering.source_places import Place
from codeagentd.cli.repository_arguments import add_json, add_repo, inside, place_from

Option = tuple[str, dict[str, Any]]
LIMIT: Final[Option] = ("--limit", {"type": int, "metavar": "N", "help": "at most so many"})
CURSOR: Final[Option] = ("--cursor", {"metavar": "TEXT", "help": "go on where the last answer ended"})
BUDGET: Final[Option] = ("--token-budget", {"type": int, "metavar": "N", "help": "at most so many tokens of snippets"})
RAW: Final[Option] = (
    "--raw",
    {"action": "store_true", "default": None, "help": "whole pieces, without lines left out"},
)
KIND: Final[Option] = ("--kind", {"help": "only of this kind: class, function, method, …"})
DEPTH: Final[Option] = ("--depth", {"type": int, "metavar": "N", "help": "steps to follow, 1 to 5"})
DIRECTION: Final[Option] = (
    "--direction",
    {"choices": ["up", "down", "both"], "help": "up: what is affected; down: what it rests on"},
)
POSSIBLE: Final[Option] = (
    "--possible",
    {
        "dest": "include", "action": "store_const", "const": "possible",
        "help": "also calls on receivers of unknown type that may mean it",
    },
)  # fmt: skip
TEXT: Final = "+"  # a positional argument that takes all words, joined by blanks
LIST: Final = "*"  # a positional argument that takes any number of words, as a list; left out without words


_FILE: Final = "path"  # a parameter for a file, relative to the current directory or to the repository's root
# display names of parameters: users rarely write an id
_WORDS: Final = {"node_id": "SYMBOL", _FILE: "FILE"}


class Question(NamedTuple):
    """A command that calls one tool.

    `words` are its positional arguments in order, as (parameter, help, TEXT, LIST or ''); its options are parameters,
    with `-` for `_`.
    """

    tool: str
    words: tuple[tuple[str, str, str], ...]
    options: tuple[Option, ...]
    view: Callable[[Json, Paint, Place], list[str]]
    examples: str

    @property
    def EXAMPLES(self) -> str:  # noqa: N802 - as commands that are modules say it
        """The examples at the end of the help text."""
        return f"examples:\n{self.examples}"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments and options."""
        add_repo(parser)
        for name, content, count in self.words:
            parser.add_argument(name, metavar=_WORDS.get(name, name.upper()), help=content, nargs=count or None)
        for flag, details in self.options:
            parser.add_argument(flag, **details)
        add_json(parser)

    def run(self, arguments: argparse.Namespace) -> int:
        """Call the tool and print its answer. Returns the exit code."""
        return self.show(arguments, self.ask(arguments))

    def ask(self, arguments: argparse.Namespace) -> Json:
        """Call the tool and return the daemon's answer."""
        endpoint, values = place_from(arguments), self.parameters(arguments)
        if _FILE in values:
            values[_FILE] = inside(endpoint.root, values[_FILE], _FILE)
        return ask_daemon(endpoint, {"tool": self.tool, "arguments": values})

    def show(self, arguments: argparse.Namespace, answer: Json) -> int:
        """Print `answer`. Returns the exit code."""
        endpoint = place_from(arguments)
        content: Json = answer.get("structuredContent", answer)
        if answer.get("isError"):
            return show_error(arguments, payload_error(content.get("error", {})), Place(endpoint.root))
        if arguments.json:
            print(json.dumps(content, indent=2, ensure_ascii=False))
        else:
            fields: Json = {"told": answer["told"]} if "told" in answer else {}
            print("\n".join(fit(self.view(content | fields, paint_for(arguments), Place(endpoint.root)))))
        # in the answer to a question in words, `found` is a number
        return EXIT_FAILED if content.get("found") is False else 0

    def parameters(self, arguments: argparse.Namespace) -> Json:
        """Return the parameters of the tool, by name, from the command line."""
        words = {name: getattr(arguments, name) for name, _, _ in self.words}
        joined = {name for name, _, count in self.words if count != LIST}
        parameters = {
            name: " ".join(value) if isinstance(value, list) and name in joined else value
            for name, value in words.items()
        }
        for flag, details in self.options:
            name = details.get("dest") or flag.removeprefix("--").replace("-", "_")
            parameters[name] = getattr(arguments, name)
        return {name: value for name, value in parameters.items() if value is not None and value != []}


def content_of(endpoint: Endpoint, tool: str, **parameters: Any) -> Json:
    """Return the content of the answer of `tool`. Errors: those of the tool."""
    answer = ask_daemon(endpoint, {"tool": tool, "arguments": parameters})
    content: Json = answer.get("structuredContent", answer)
    if answer.get("isError"):
        raise payload_error(content.get("error", {}))
    return content


def show_error(arguments: argparse.Namespace, error: CodedError, place: Place) -> int:
    """Print the error of a tool, in words of the command line, with the candidates for an ambiguous name. Returns the
    exit code.
    """
    if arguments.json:
        print(error_json(error))
    lines = [error_line(error), *tool_answers.candidates(error.facts, place)]
    print("\n".join(fit(lines, sys.stderr)), file=sys.stderr)
    return exit_code(error)


SYMBOL: Final = "a name, dotted if need be, a file's path, or a node_id"


QUESTIONS: Final = {
    "search": Question(
        "search_code", (("query", "what to look for, in words or names", TEXT),), (LIMIT, BUDGET, RAW, CURSOR),
        tool_answers.search,
        "  codeagentd search how are sessions stored\n  codeagentd search QuerySet.filter --limit 3",
    ),
    "symbol": Question(
        "find_symbol", (("name", "a name, or words of one", TEXT),), (KIND, LIMIT, CURSOR), tool_answers.symbols,
        "  codeagentd symbol QuerySet.filter\n  codeagentd symbol parse url --kind function",
    ),
    "refs": Question(
        "find_refs", (("symbol", SYMBOL, ""),), (LIMIT, CURSOR), tool_answers.refs,
        "  codeagentd refs QuerySet.filter\n  codeagentd refs app.models.Order --limit 20",
    ),
    "callers": Question(
        "get_callers", (("node_id", SYMBOL, ""),), (LIMIT, POSSIBLE, CURSOR), tool_answers.callers,
        "  codeagentd callers QuerySet.filter\n  codeagentd callers app.models.Order.total --limit 20",
    ),
    "callees": Question(
        "get_callees", (("node_id", SYMBOL, ""),), (LIMIT, CURSOR), tool_answers.callees,
        "  codeagentd callees app.views.checkout",
    ),
    "outline": Question(
        "get_file_outline", ((_FILE, "a file of the repository", ""),), (LIMIT, CURSOR), tool_answers.outline,
        "  codeagentd outline app/models.py",
    ),
    "impact": Question(
        "impact_of", (("target", SYMBOL, ""),), (DIRECTION, DEPTH, LIMIT), tool_answers.impact,
        "  codeagentd impact app/models.py\n  codeagentd impact app.models.Order --direction both --depth 3",
    ),
    "explain": Question(
        "explain_code", (("query", "a question about the code", TEXT),), (LIMIT, BUDGET), tool_answers.explain,
        "  codeagentd explain how does the cache expire entries",
    ),
    "architecture": Question(
        "architecture_overview", (), (LIMIT,), tool_answers.architecture, "  codeagentd architecture --limit 5"
    ),
    "path": Question(
        "path_between", (("source", SYMBOL, ""), ("target", SYMBOL, "")), (), tool_answers.path,
        "  codeagentd path app.views.checkout app.models.Order",
    ),
    "describe": Question(
        "describe_symbol", (("symbol", SYMBOL, ""),), (), tool_answers.describe,
        "  codeagentd describe app.models.Order.total",
    ),
    "stats": Question("index_stats", (), (), tool_answers.stats, "  codeagentd stats\n  codeagentd stats --json"),
}  # fmt: skip

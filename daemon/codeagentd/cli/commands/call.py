"""`codeagentd call`: any tool from a shell, a script or an agent without MCP."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from codeagent_protocol.errors import NOT_FOUND, InvalidParameter
from codeagentd.cli.daemon_client.client import ask_daemon, payload_error
from codeagentd.cli.exit_codes import EXIT_USAGE, error_line, exit_code
from codeagentd.cli.parser import Parser
from codeagentd.cli.rendering.console import plain
from codeagentd.cli.rendering.remedies import in_calls
from codeagentd.cli.repository_arguments import add_repo, place_from

PACKAGE = "codeagentd.tools"

EXAMPLES = """examples:
  codeagentd call get_status
  codeagentd call search_symbols query='Parser*' limit=5
  codeagentd call get_callers '{"node_id": "app.models.Order.total"}'
  codeagentd call get_file_outline path=src/app.py --fresh wait
  codeagentd call get_callers --help          what this tool takes

A value that is JSON (5, true, ["a"]) is taken as JSON, everything else as text. `codeagentd tools` lists the tools, \
`codeagentd schema TOOL` what one takes."""


def configure(parser: Parser) -> None:
    """Declare the command's options."""
    parser.unknown_option = "write parameters of the tool as name=value;"
    add_repo(parser)
    parser.add_argument("tool", metavar="TOOL", help="the tool's name")
    parser.add_argument(
        "arguments", nargs="*", metavar="JSON | KEY=VALUE", help="one JSON object, or any number of key=value"
    )
    parser.add_argument("--fresh", choices=["wait"], help="answer only when every change is indexed")
    parser.add_argument("--compact", action="store_true", help="JSON on one line")


def run(arguments: argparse.Namespace) -> int:
    """Call the tool and print its answer. Returns the exit code: 1 if the answer is an error or a name in the call
    matches nothing, 2 if the tool does not take these arguments.
    """
    values = parsed(arguments.arguments)
    answer = ask_daemon(
        place_from(arguments), {"tool": arguments.tool, "arguments": values, "fresh": arguments.fresh or ""}
    )
    content = answer.get("structuredContent", answer)
    error = content.get("error") if answer.get("isError") else None
    if isinstance(error, dict) and error.get("remedy"):
        error["remedy"] = in_calls(error["remedy"])
    print(json.dumps(content, indent=None if arguments.compact else 2, ensure_ascii=False))
    if not answer.get("isError"):
        return _judged(content)
    refusal = payload_error(error or {})
    print(error_line(refusal), file=sys.stderr)
    is_unknown = refusal.code == NOT_FOUND and refusal.facts.get("parameter") == "name" and not _is_tool(arguments.tool)
    return EXIT_USAGE if is_unknown else exit_code(refusal)


def help_command(words: list[str]) -> list[str] | None:
    """Return the command that prints the help wanted by `words`, arguments with --help: that of the tool which they
    name; None if they name none.
    """
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--repo")
    parser.add_argument("--fresh")
    parser.add_argument("words", nargs="*")
    known, others = parser.parse_known_intermixed_args(words)
    colour = [word for word in others if word == "--no-color"]
    return ["schema", known.words[0], *colour] if known.words else None


def _is_tool(name: str) -> bool:
    """Whether there is a tool `name`; asked after an error only, since the import takes a quarter of a second."""
    from codeagentd.toolkit.toolsets import load

    return name in load(PACKAGE)


def _judged(content: dict[str, Any]) -> int:
    """The exit code of an answer; 1 if a path or label in the call matches nothing."""
    unknown = content.get("unknown")
    text = content.get("note", "") if unknown else content.get("message", "") if content.get("found") is False else ""
    if text:
        print(f"error: {plain(text)}", file=sys.stderr)
    return int(bool(text))


def parsed(words: list[str]) -> dict[str, Any]:
    """Return the arguments of a tool, by name, that `words` of the command line give.

    Errors: invalid_parameter.
    """
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        try:
            whole: dict[str, Any] = json.loads(words[0])
        except ValueError as error:
            raise InvalidParameter(
                f"the arguments are no JSON object: {error}",
                remedy="""quote it: '{"query": "x"}'""",
                parameter="arguments",
            ) from None
        return whole
    return dict(map(pair, words))


def pair(word: str) -> tuple[str, Any]:
    """Return the key and the value of `word`, an argument of the form `key=value`.

    Errors: invalid_parameter.
    """
    key, equals, value = word.partition("=")
    if not equals or not key:
        raise InvalidParameter(
            f"{word!r} is no key=value", remedy="write query=Parser, or one JSON object", parameter="arguments"
        )
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value

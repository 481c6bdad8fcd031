"""`codeagentd call`: any tool from a shell, a script or an agent without MCP."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from codeagent_protocol.errors import InvalidParameter
from codeagentd.cli.daemon_client.client import ask_daemon, payload_error
from codeagentd.cli.exit_codes import EXIT_USAGE, error_line, exit_code
from codeagentd.cli.rendering.console import plain
from codeagentd.cli.repository_arguments import add_repo, place_from

EXAMPLES = """examples:
  codeagentd call get_status
  codeagentd call search_symbols query='Parser*' limit=5
  codeagentd call get_callers '{"node_id": "app.models.Order.total"}'
  codeagentd call get_file_outline path=src/app.py --fresh wait

A value that is JSON (5, true, ["a"]) is taken as JSON, everything else as text. `codeagentd tools` lists the tools, \
`codeagentd tools TOOL` what one takes."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
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
    try:
        values = parsed(arguments.arguments)
    except InvalidParameter as error:
        print(error_line(error), file=sys.stderr)
        return EXIT_USAGE
    answer = ask_daemon(
        place_from(arguments), {"tool": arguments.tool, "arguments": values, "fresh": arguments.fresh or ""}
    )
    content = answer.get("structuredContent", answer)
    print(json.dumps(content, indent=None if arguments.compact else 2, ensure_ascii=False))
    if not answer.get("isError"):
        return _judged(content)
    refusal = payload_error(content.get("error", {}))
    print(error_line(refusal), file=sys.stderr)
    return exit_code(refusal)


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

"""`codeagentd source`: the text of a symbol, at each place where it is declared."""

from __future__ import annotations

import argparse
import json
from typing import Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError, NotFound
from codeagentd.cli.daemon_client.client import Json
from codeagentd.cli.rendering.console import Paint, fit, paint_for, plain
from codeagentd.cli.rendering.numbered_snippets import numbered
from codeagentd.cli.rendering.source_places import ELSEWHERE, Place
from codeagentd.cli.repository_arguments import add_json, add_repo, place_from

from .tool_commands import SYMBOL, content_of, show_error

EXAMPLES: Final = """examples:
  codeagentd source QuerySet.filter
  codeagentd source app.models.Order.total --json

What looks like a secret is left out, as in every answer."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    add_repo(parser)
    parser.add_argument("symbol", metavar="SYMBOL", help=SYMBOL)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the source of the symbol. Returns the exit code."""
    endpoint = place_from(arguments)
    place = Place(endpoint.root)
    try:
        symbol = declared(endpoint, arguments.symbol)
        spans = _spans(endpoint, symbol)
    except CodedError as error:
        return show_error(arguments, error, place)
    if arguments.json:
        print(json.dumps({"symbol": symbol["qualified_name"], "spans": spans}, indent=2, ensure_ascii=False))
    else:
        print("\n".join(fit(_lines(symbol, spans, paint_for(arguments), place))))
    return 0


def declared(endpoint: Endpoint, name: str) -> Json:
    """Return the description of the symbol `name`, which has its file and lines. Errors: not_found also for a symbol
    of another package; invalid_parameter when several have the name.
    """
    symbol = content_of(endpoint, "get_symbol", node_id=name)
    if symbol["file_path"].startswith(ELSEWHERE):
        raise NotFound(
            f"{symbol['qualified_name']} is declared outside of the repository",
            remedy="`codeagentd refs` lists its uses",
            parameter="symbol",
        )
    return symbol


def _spans(endpoint: Endpoint, symbol: Json) -> list[Json]:
    """The places where `symbol` is declared, with their text; `next_line` where an answer cannot hold all of it."""
    spans = []
    for span in content_of(endpoint, "get_source_spans", node_id=symbol["node_id"])["results"]:
        first, last = span["line_start"], span["line_end"]
        text = content_of(endpoint, "read_file", path=span["file_path"], line_start=first, line_end=last)
        spans.append(
            {"path": span["file_path"], "line_start": first, "line_end": last, "source": text["content"]}
            | ({"next_line": text["next_line"]} if text.get("next_line") else {})
        )
    return spans


def _lines(symbol: Json, spans: list[Json], paint: Paint, place: Place) -> list[str]:
    lines = []
    for span in spans:
        where = paint(place(span["path"], span["line_start"]), "cyan")
        lines.append(f"{where}  {paint(plain(symbol['qualified_name']), 'bold')}  {symbol['node_type']}")
        lines += numbered(span["source"].removesuffix("\n"), span["line_start"], paint)
        if span.get("next_line"):
            lines.append(paint(f"it goes on at {place(span['path'], span['next_line'])}", "dim"))
    return lines

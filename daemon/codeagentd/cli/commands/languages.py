"""`codeagentd languages`: the supported languages, and the extent of the support. Needs no daemon."""

from __future__ import annotations

import argparse
import json
from typing import Final

import msgspec

from codeagentd.cli.parser import WIDEST, help_width
from codeagentd.cli.rendering.console import columns, paint_for
from codeagentd.cli.rendering.tables import line_width
from codeagentd.cli.rendering.text_wrapping import wrapped
from codeagentd.cli.repository_arguments import add_json
from codeagentd.languages.support import Support, support

EXAMPLES: Final = """examples:
  codeagentd languages           every language
  codeagentd languages --json    also kinds of definitions and references, rules, and how many marked cases hold each"""

HEADING: Final = ("language", "defines", "uses", "imports", "members", "gaps", "files")
LEGEND: Final = """
defines: definitions are indexed, as `symbol` and `outline` show them. uses: calls and other uses lead to them, as \
`refs`, `callers` and `impact` show.
imports: also across files. members: what is called on a value is looked up in the value's type.
parts: a file in several languages, of which each part counts as its own. gaps: things that are known not to work \
yet."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the table of languages. Returns the exit code."""
    if arguments.json:
        print(json.dumps({"languages": msgspec.to_builtins(support())}, indent=2))
        return 0
    paint = paint_for(arguments)
    cells = [_cells(entry) for entry in support()]
    used = len(columns([HEADING[:-1], *cells], indent=0)[0]) + len("  ")
    rows = [
        [*row, files(entry.files, min(WIDEST, line_width()) - used)]
        for row, entry in zip(cells, support(), strict=True)
    ]
    print("\n".join(columns([[paint(name, "bold") for name in HEADING], *rows], "<<<<<>", indent=0)))
    print("\n".join(wrapped(LEGEND, help_width())))
    return 0


def _cells(entry: Support) -> list[str]:
    def cell(is_there: bool) -> str:
        return "yes" if is_there else "parts" if entry.parts != "none" else "-"

    there = (bool(entry.definitions), bool(entry.references), entry.imports != "none")
    return [entry.language, *map(cell, there), "yes" if entry.receivers else "-", str(entry.proof.gaps or "-")]


def files(names: tuple[str, ...], width: int) -> str:
    """Return as many of `names`, suffixes and names of files, as fit into `width` columns, suffixes first, and the
    number of the others.
    """
    ordered = sorted(names, key=lambda name: (not name.startswith("."), len(name)))
    for shown in range(len(ordered), 0, -1):
        more = f" and {len(ordered) - shown} more" if shown < len(ordered) else ""
        text = " ".join(ordered[:shown]) + more
        if len(text) <= width:
            return text
    return f"{len(ordered)} kinds"

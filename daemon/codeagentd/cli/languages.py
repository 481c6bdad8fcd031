"""`codeagentd languages`: which languages are supported, and how far. Needs no daemon."""

from __future__ import annotations

import argparse
import json

import msgspec

from codeagentd.cli.console import columns, paint_for
from codeagentd.cli.place import add_json
from codeagentd.languages.support import HEADING, rows, support

EXAMPLES = """examples:
  codeagentd languages           every language
  codeagentd languages --json    also kinds of definitions and references, and rules

Numbers are what the language's marked cases expect of definitions, references, imports and receivers, all of which hold; `-` where the language has
no such thing. Known gaps are expectations that do not hold yet. Files in several languages are parsed by part: each part counts as its language."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    if arguments.json:
        print(json.dumps({"languages": msgspec.to_builtins(support())}, indent=2))
        return 0
    paint = paint_for(arguments)
    print("\n".join(columns([[paint(name, "bold") for name in HEADING], *rows()], "<<>>>>>", indent=0)))
    return 0

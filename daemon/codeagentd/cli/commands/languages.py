"""`codeagentd languages`: the supported languages, and the extent of the support. Needs no daemon."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from codeagent_protocol.errors import InvalidParameter
from codeagentd.base.suggestions import did_you_mean
from codeagentd.cli.rendering.console import Paint, columns, paint_for
from codeagentd.cli.rendering.tables import line_width
from codeagentd.cli.rendering.text_wrapping import fitted, wrapped
from codeagentd.cli.repository_arguments import add_json
from codeagentd.languages.language import GENERIC, languages
from codeagentd.languages.support import Support, support

EXAMPLES: Final = """examples:
  codeagentd languages           every language
  codeagentd languages zig       all about one
  codeagentd languages --json    also kinds of definitions and references, rules, and how many marked cases hold each"""

WIDTH: Final = 80  # columns of a terminal that nobody has made wider
HEADING: Final = ("language", "tier", "finds", "gaps", "F1", "files")
LEGEND: Final = """
tier: deep is held to compilers and large repositories; good follows scopes and modules; text has headings at most.
finds: d definitions, as `symbol` and `outline` show them; u calls and other uses that lead to them, as `refs`, \
`callers` and `impact` show; i imports, also across files; m what is called on a value, in the value's type. p: in \
the parts of a file in several languages, each of which counts as its own.
gaps: things that are known not to work yet. F1: how much of what other tools find the index has, and no more: of \
definitions, of references."""
OF_GENERIC: Final = """
Generic languages are known by their grammars alone: definitions, comments, and uses by name, none of them proved. \
Every other text is searched by its words."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("language", nargs="?", help="all about this one")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the table of languages, or all about one. Returns the exit code. Errors: invalid_parameter."""
    entries = support()
    if arguments.language:
        entries = [_named(arguments.language, entries)]
    if arguments.json:
        print(json.dumps({"languages": msgspec.to_builtins(entries)}, indent=2))
        return 0
    width = min(WIDTH, line_width())
    lines = _details(entries[0], width) if arguments.language else _page(entries, paint_for(arguments), width)
    print("\n".join(lines))
    return 0


def _named(word: str, entries: Sequence[Support]) -> Support:
    """The language that is called `word`, or that a file with this extension is in."""
    known = {suffix.removeprefix("."): entry for entry in entries for suffix in entry.files}
    known |= {entry.language: entry for entry in entries}
    name = word.lower().removeprefix(".")
    if name not in known:
        hint = did_you_mean(name, known) or "codeagentd languages lists them"
        raise InvalidParameter(f"no language is called {word}", remedy=hint, parameter="language")
    return known[name]


def _page(entries: Iterable[Support], paint: Paint, width: int) -> list[str]:
    """The lines about all languages: a table, and generic ones in one paragraph."""
    shown = [entry for entry in entries if entry.tier != GENERIC]
    cells = [_cells(entry) for entry in shown]
    used = len(columns([HEADING, *([*row, ""] for row in cells)], indent=0)[0]) - len(HEADING[-1])
    rows = [[*row, files(entry.files, width - used)] for row, entry in zip(cells, shown, strict=True)]
    heading = [paint(name, "bold") for name in HEADING]
    generic = ", ".join(f"{entry.language} {_first(entry)}".strip() for entry in entries if entry.tier == GENERIC)
    return [
        *columns([heading, *rows], "<<<><<", indent=0),
        *wrapped(LEGEND, width),
        *wrapped(OF_GENERIC, width),
        *fitted(f"  {generic}", width, 2),
    ]


def _first(entry: Support) -> str:
    """The suffix or name of a file by which a language is known best."""
    return next(iter((*languages()[entry.language].extensions, *entry.files)), "")


def _cells(entry: Support) -> list[str]:
    known = {"d": entry.definitions, "u": entry.references, "i": entry.imports != "none", "m": entry.receivers}
    missing = "p" if entry.parts != "none" else "-"
    finds = " ".join(sign if is_there else "-" if sign == "m" else missing for sign, is_there in known.items())
    figures = " ".join(map(_share, _figures(entry))) or "-"
    return [entry.language, entry.tier, finds, str(entry.proof.gaps or "-"), figures]


def _figures(entry: Support) -> list[float]:
    measured = entry.measured
    figures = (measured.definitions, measured.references) if measured else ()
    return [figure for figure in figures if figure is not None]


def _share(figure: float) -> str:
    return f"{figure:.2f}".lstrip("0")


def _details(entry: Support, width: int) -> list[str]:
    """The lines about one language."""
    proof, measured = entry.proof, entry.measured
    cases = (
        f"{proof.definitions + proof.references + proof.imports:,} expectations of {proof.cases:,} marked cases hold"
    )
    rows = [
        ("language", entry.language),
        ("tier", entry.tier),
        ("files", " ".join(entry.files)),
        ("defines", " ".join(entry.definitions) or "nothing"),
        ("uses", "by name" if entry.tier == GENERIC and entry.references else " ".join(entry.references) or "none"),
        ("imports", "across files" if entry.imports != "none" else "not followed"),
        ("members", "looked up in types" if entry.receivers else "not looked up in types"),
        ("tested", cases if proof.cases else "on an example, and on noise"),
        ("known gaps", f"{proof.gaps:,}" if proof.cases else "scopes, imports and types are not followed"),
    ]
    if measured:
        what = (("definitions", measured.definitions), ("references", measured.references))
        shares = ", ".join(f"{name} {_share(figure)}" for name, figure in what if figure is not None)
        rows.append(("F1", f"{shares}, against {measured.against}, in {' '.join(measured.repositories)}"))
    lines = columns(rows, indent=0)
    return [part for line in lines for part in fitted(line, width)]


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

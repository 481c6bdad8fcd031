"""Text as roff, for manual pages: the macros of man(7), which every system's `man` reads."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from datetime import date
from typing import Final

_ESCAPED: Final = str.maketrans(
    {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "~": "\\(ti", "^": "\\(ha", '"': "\\(dq"}
)
_WIDTH: Final = 76  # of a source line: roff fills lines by itself


def escaped(text: str) -> str:
    """Return a text whose characters all mean themselves, the minus of options and the quotes of shells included."""
    plain = text.translate(_ESCAPED)
    return "".join(character if character.isascii() else f"\\[u{ord(character):04X}]" for character in plain)


def page(name: str, day: date, source: str, lines: Iterable[str]) -> str:
    """Return a whole page of section 1: `source` is the product with its version, `lines` the body."""
    title = f'.TH {escaped(name.upper())} 1 {day.isoformat()} "{escaped(source)}"'
    body = "\n".join([title, *lines, ""])
    return re.sub(r"^(\.S[HS] .+)\n\.PP$", r"\1", body, flags=re.MULTILINE)  # a heading begins a paragraph itself


def head(name: str, purpose: str, usage: str) -> list[str]:
    """Return what every page begins with: the name with its purpose, and how the program is called."""
    return [".SH NAME", f"{escaped(name)} \\- {escaped(purpose.rstrip('.'))}", ".SH SYNOPSIS", *_filled(usage)]


def section(title: str) -> list[str]:
    """Return the heading of a section."""
    return [f".SH {escaped(title.upper())}"]


def subsection(title: str) -> list[str]:
    """Return the heading of a subsection."""
    return [f".SS {escaped(title)}"]


def definitions(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return a list of words, each with what it means."""
    return [line for word, meaning in rows for line in (".TP", f"\\fB{escaped(word)}\\fR", *_filled(meaning))]


def text(prose: str) -> list[str]:
    """Return paragraphs, sections where one is a word with a colon, and as they stand the lines that are indented."""
    lines: list[str] = []
    for block in re.findall(r"(?:^  .*\n?)+|(?:^(?! {2}).+\n?)+", prose, re.MULTILINE):
        if block.startswith("  "):
            lines += [".PP", ".EX", *(f"\\&{escaped(line[2:])}" for line in block.splitlines()), ".EE"]
        elif re.fullmatch(r"[a-z ]+:\n?", block):
            lines += section(block.strip().rstrip(":"))
        else:
            lines += [".PP", *_filled(block)]
    return lines


def _filled(prose: str) -> list[str]:
    """The lines of a paragraph. A zero-width character keeps a first full stop from being a macro."""
    wrapped = textwrap.wrap(prose, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [f"\\&{escaped(line)}" if line.startswith((".", "'")) else escaped(line) for line in wrapped]

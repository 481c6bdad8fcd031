"""Text that fits a width: sentences wrap between words, lines that begin with a blank keep their columns."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final

_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")
_GAP: Final = re.compile(r"\S(\s{2,})(?=\S)")
NARROWEST: Final = 20  # columns that a wrapped part needs, to be worth it
_INDENT: Final = "    "


def visible(text: str) -> int:
    """The number of characters that show."""
    return len(_ESCAPES.sub("", text))


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text.

    Sentences that follow one another are one paragraph; an indented line and a heading (`examples:`) stand alone.
    """
    lines: list[str] = []
    for is_prose, block in groupby(text.splitlines(), _is_prose):
        for line in [" ".join(block)] if is_prose else block:
            lines += fitted(line, width)
    return lines


def _is_prose(line: str) -> bool:
    return bool(line) and not line.startswith(" ") and not line.endswith(":")


def fitted(line: str, width: int) -> list[str]:
    """One line as several that fit; what follows is indented to the last column of the line, if it has columns."""
    if visible(line) <= width:
        return [line]
    column = _column(line, width)
    lines, rest = [], line
    while visible(rest) > width and (at := _break(rest, width, column)):
        lines.append(rest[:at].rstrip())
        rest = " " * column + rest[at:].lstrip()
    return [*lines, rest]


def _column(line: str, width: int) -> int:
    """Where the last column of a line begins; the indentation and four more where there is none that leaves room."""
    columns = [visible(line[: gap.end()]) for gap in _GAP.finditer(line)]
    fitting = [column for column in columns if column <= width - NARROWEST]
    plain = len(line) - len(line.lstrip())
    return fitting[-1] if fitting else plain + (len(_INDENT) if plain else 0)


def _break(line: str, width: int, column: int) -> int:
    """The last blank that keeps what is before it within the width, and leaves something there; the first one behind it
    where a word is longer; 0: none.
    """
    best = 0
    for blank in re.finditer(r" +", line):
        if visible(line[: blank.start()]) <= column:
            continue
        if visible(line[: blank.start()]) > width:
            return best or blank.start()
        best = blank.start()
    return best

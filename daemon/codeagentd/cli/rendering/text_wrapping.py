"""Text wrapped to a width: sentences wrap between words, and lines that begin with a blank keep their columns."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final

_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")
_ESCAPES_AND_TEXT: Final = re.compile(r"\x1b\[[0-9;]*m|[^\x1b]+|\x1b")
_RESET: Final = "\x1b[0m"
_GAP: Final = re.compile(r"\S(\s{2,})(?=\S)")
NARROWEST: Final = 20  # columns that a wrapped part needs at least
_INDENT: Final = "    "


def visible(text: str) -> int:
    """Return the number of visible characters of `text`, without escape sequences."""
    return len(_ESCAPES.sub("", text))


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of `text`, wrapped to `width`.

    Consecutive sentences form one paragraph; an indented line and a heading (`examples:`) stay alone.
    """
    lines: list[str] = []
    for is_prose, block in groupby(text.splitlines(), _is_prose):
        for line in [" ".join(block)] if is_prose else block:
            lines += fitted(line, width)
    return lines


def _is_prose(line: str) -> bool:
    return bool(line) and not line.startswith(" ") and not line.endswith(":")


def cut(line: str, width: int) -> str:
    """Return `line`, or as much of it as fits into `width` columns with `…` at its end. Colours end there too."""
    if visible(line) <= width:
        return line
    parts, left = [], width - 1
    for part in _ESCAPES_AND_TEXT.findall(line):
        if _ESCAPES.fullmatch(part):
            parts.append(part)
            continue
        if left <= 0 or len(part) > left:
            parts.append(part[: max(0, left)] + "…")
            break
        parts.append(part)
        left -= len(part)
    return "".join(parts) + (_RESET if len(parts) > 1 else "")


def fitted(line: str, width: int, column: int | None = None) -> list[str]:
    """Return the lines of one line wrapped to `width`. The further lines are indented to `column`; None: to the last
    column of the line, if it has any.
    """
    if visible(line) <= width:
        return [line]
    column = _column(line, width) if column is None else column
    lines, rest = [], line
    while visible(rest) > width and (at := _break(rest, width, column)):
        lines.append(rest[:at].rstrip())
        rest = " " * column + rest[at:].lstrip()
    return [*lines, rest]


def _column(line: str, width: int) -> int:
    """The position where the last column of a line begins; the indentation plus four if no column leaves enough
    room, also for its longest word.
    """
    columns = [(visible(line[: gap.end()]), line[gap.end() :]) for gap in _GAP.finditer(line)]
    fitting = [column for column, rest in columns if column + max(NARROWEST, *map(visible, rest.split())) <= width]
    plain = len(line) - len(line.lstrip())
    return fitting[-1] if fitting else plain + (len(_INDENT) if plain else 0)


def _break(line: str, width: int, column: int) -> int:
    """The position of the last blank within the width that has text before it; if a word is longer, the first blank
    after it; 0 if there is none.
    """
    best = 0
    for blank in re.finditer(r" +", line):
        if visible(line[: blank.start()]) <= column:
            continue
        if visible(line[: blank.start()]) > width:
            return best or blank.start()
        best = blank.start()
    return best

"""Tables that fit a terminal: cells are aligned where there is room, and lines of source are cut.

Pipes get whole lines.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Final, TextIO

from .console import columns, is_terminal
from .text_wrapping import NARROWEST, cut, fitted, visible

GAP: Final = "  "
SOURCE_COLUMNS: Final = 30  # that a line of source needs beside the other cells; else it goes below them
_BELOW: Final = "    "


def line_width(stream: TextIO | None = None) -> int:
    """Return the number of columns for a line on `stream` (None: stdout); without a terminal there is no limit."""
    return shutil.get_terminal_size().columns if is_terminal(stream or sys.stdout) else sys.maxsize


def table(rows: Iterable[Sequence[str]], align: str = "", indent: int = 2, stream: TextIO | None = None) -> list[str]:
    """Return the lines of `columns`. On a terminal that is narrower, the last column is wrapped between words; where it
    has too little room for that, long rows are not aligned.
    """
    table_rows = [list(row) for row in rows]
    lines, width = columns(table_rows, align, indent), line_width(stream)
    if all(visible(line) <= width for line in lines):
        return lines
    widths = _widths(table_rows)
    start = indent + sum(size + len(GAP) for size in widths[:-1] if size)
    longest = max((_longest_word(row[-1]) for row in table_rows if len(row) == len(widths)), default=0)
    if start + max(longest, NARROWEST) <= width:
        return [part for line in lines for part in fitted(line, width)]
    room = _narrowed(widths, width - indent)
    return [part for row in table_rows for part in _row(row, room, align, indent, width)]


def with_source(rows: Iterable[Sequence[str]], align: str = "", indent: int = 0) -> list[str]:
    """Return the lines of a table whose last cells are lines of source. On a terminal these are cut; where they have
    too little room, each is on a line of its own, below the other cells.
    """
    table_rows = [list(row) for row in rows]
    lines, width = columns(table_rows, align, indent), line_width()
    heads = columns([row[:-1] for row in table_rows], align, indent)
    if all(visible(line) <= width for line in lines):
        return lines
    if max(map(visible, heads)) + len(GAP) + SOURCE_COLUMNS <= width:
        return [cut(line, width) for line in lines]
    mixed = []
    for row in table_rows:
        mixed += table([row[:-1]], align, indent)
        mixed += [cut(_BELOW + " " * indent + row[-1], width)] if row[-1] else []
    return mixed


def _widths(rows: list[list[str]]) -> list[int]:
    return [max((visible(row[at]) for row in rows if at < len(row)), default=0) for at in range(max(map(len, rows)))]


def _longest_word(text: str) -> int:
    return max(map(visible, text.split()), default=0)


def _narrowed(widths: list[int], width: int) -> list[int]:
    """`widths` limited to the most with which a row fits into `width`."""
    gaps = len(GAP) * (sum(map(bool, widths)) - 1)
    most = max(widths)
    while most > 1 and gaps + sum(min(size, most) for size in widths) > width:
        most -= 1
    return [min(size, most) for size in widths]


def _row(row: list[str], room: list[int], align: str, indent: int, width: int) -> list[str]:
    """The lines of one row. Cells are aligned to the columns `room`, the first ones longest; what does not fit then is
    wrapped.
    """
    cells = [(cell, size) for cell, size in zip(row, room, strict=False) if size]
    blanks = [max(0, size - visible(cell)) for cell, size in cells]
    excess = indent + sum(visible(cell) for cell, _ in cells) + sum(blanks) + len(GAP) * (len(cells) - 1) - width
    for at in reversed(range(len(blanks))):
        spared = min(blanks[at], max(0, excess))
        blanks[at] -= spared
        excess -= spared
    sides = align.ljust(len(row), "<")
    aligned = [
        " " * blank + cell if side == ">" else cell + " " * blank
        for (cell, _), blank, side in zip(cells, blanks, sides, strict=False)
    ]
    return fitted(" " * indent + GAP.join(aligned).rstrip(), width, indent + len(_BELOW))

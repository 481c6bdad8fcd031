"""Console output for people: colours, aligned columns, sizes and times in words."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

from .text_wrapping import fitted, visible

STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
# what steers a terminal, or has text read in another order than it stands in
_CONTROLS = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86400


class Paint:
    """Colours text, or leaves it unchanged."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, text: str, *styles: str) -> str:
        """The text in these styles."""
        if not self.on or not text:
            return text
        return f"\x1b[{';'.join(STYLES[style] for style in styles)}m{text}\x1b[0m"


def paint_for(arguments: argparse.Namespace, stream: TextIO | None = None) -> Paint:
    """Return the painter for `stream` (None: stdout). It uses colours if the stream is a terminal or FORCE_COLOR is
    set, and neither --no-color nor NO_COLOR forbids them.
    """
    is_forbidden = getattr(arguments, "no_color", False) or os.environ.get("NO_COLOR")
    is_forced = os.environ.get("FORCE_COLOR", "0") not in ("", "0")
    return Paint(not is_forbidden and (is_forced or is_terminal(stream or sys.stdout)))


def is_terminal(stream: TextIO) -> bool:
    """Whether `stream` is a terminal that supports escape sequences."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def fit(lines: Iterable[str], stream: TextIO | None = None) -> list[str]:
    """Return `lines` unchanged; for a terminal (`stream`; None: stdout), lines that are too long are wrapped between
    words.
    """
    if not is_terminal(stream or sys.stdout):
        return list(lines)
    width = shutil.get_terminal_size().columns
    return [part for line in lines for part in fitted(line, width)]


def plain(text: str) -> str:
    """Return `text`, which another program wrote (file names, window labels), without control characters and without
    those that change the direction of text.
    """
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def columns(rows: Iterable[Sequence[str]], align: str = "", indent: int = 2) -> list[str]:
    """Return one line for each of `rows`, in which the cells of each column are aligned; `align` has `>` for the
    columns with numbers.

    A column without text takes no space.
    """
    table = [list(row) for row in rows]
    if not table:
        return []
    widths = [
        max((visible(row[at]) for row in table if at < len(row)), default=0) for at in range(max(map(len, table)))
    ]
    return [
        " " * indent
        + "  ".join(_pad(cell, widths[at], align[at : at + 1]) for at, cell in enumerate(row) if widths[at]).rstrip()
        for row in table
    ]


def _pad(cell: str, width: int, side: str) -> str:
    blank = " " * (width - visible(cell))
    return blank + cell if side == ">" else cell + blank


def size(count: float) -> str:
    """Return a number of bytes in words: 0 B, 12 kB, 34.5 MB."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit != "MB" or count >= 100 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def pace_text(done: int, total: int, rate: float) -> str:
    """Return how many a second are done, and how long the rest takes at that rate: `210/s, 4 min left`; empty while
    that is unknown.
    """
    if rate <= 0:
        return ""
    a_second = f"{rate:,.0f}/s" if rate >= 1 else f"{rate:.1f}/s"
    return f"{a_second}, {duration((total - done) / rate)} left" if total > done else a_second


def duration(seconds: float) -> str:
    """Return a time span in words: 14 ms, 4.2 s, 12 s, 3 min, 2 h 5 min, 4 d 1 h."""
    if seconds < 1:
        return f"{max(0.0, seconds) * 1000:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < HOUR_S:
        return f"{seconds // MINUTE_S:.0f} min"
    if seconds < DAY_S:
        return f"{seconds // HOUR_S:.0f} h {seconds % HOUR_S // MINUTE_S:.0f} min"
    return f"{seconds // DAY_S:.0f} d {seconds % DAY_S // HOUR_S:.0f} h"


def by_number(numbers: Mapping[str, int], most: int = 8) -> str:
    """Return names with their numbers, the most frequent first, at most `most` of them: 31 binary, 12 .f90, 3 without
    extension and 5 of 2 other kinds.
    """
    ranked = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    listing = ", ".join(f"{number:,} {plain(name) or 'without extension'}" for name, number in ranked[:most])
    rest = sum(number for _, number in ranked[most:])
    return f"{listing} and {rest:,} of {count(len(ranked) - most, 'other kind')}" if rest else listing


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: 1 file, 2,818 files."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"

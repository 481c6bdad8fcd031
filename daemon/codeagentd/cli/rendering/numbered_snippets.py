"""Snippets for people: each line with its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .console import Paint, plain
from .tables import line_width
from .text_wrapping import cut

INDENT: Final = "    "

# the mark of query.retrieval.snippets for omitted lines; the number is that of the next line
_GAP: Final = re.compile(r"…(\d+):")


def numbered(snippet: str, start: int, paint: Paint) -> list[str]:
    """Return the lines of `snippet`, each after its number, with `start` for the first; `…` stands for lines that are
    left out. A terminal gets as much of each line as fits.
    """
    rows = list(_rows(snippet, start))
    width = max((len(number) for number, _ in rows), default=0)
    room = line_width()
    return [cut(f"{INDENT}{paint(f'{number:>{width}}', 'dim')}  {plain(line)}".rstrip(), room) for number, line in rows]


def _rows(snippet: str, number: int) -> Iterator[tuple[str, str]]:
    for line in snippet.split("\n") if snippet else []:
        if gap := _GAP.fullmatch(line):
            number = int(gap[1])
            yield "…", ""
        elif line == "…":
            yield "…", ""
        else:
            yield str(number), line
            number += 1

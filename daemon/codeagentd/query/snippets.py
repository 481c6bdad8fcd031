"""What of a piece of code is shown: the lines that say what it is and those that answer, the others counted."""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from codeagentd.model.words import split_words

from .ranking import stem
from .tokens import Count

AROUND: Final = 1  # lines shown around one that answers
LEAST_SAVED: Final = 0.25  # share of lines: leaving out fewer is not worth the gaps
LONGEST_LINE: Final = 240  # characters
GAP: Final = 6  # characters that a line costs besides its own: its end, and often the sign of a gap
PER_TOKEN: Final = 3  # characters that a token of code has, indentation included, when it has few
MOST_PER_TOKEN: Final = 5  # and when it has many: what is longer than so many for each token of room is not even counted
FEWER: Final = 0.8  # share of the lines that are tried next when so many are too long

_NAME: Final = re.compile(r"[^\W\d]\w*")


class Snippet(msgspec.Struct, frozen=True):
    """Text, its tokens, and how many lines it lacks."""

    text: str
    tokens: int
    elided: int


NOTHING: Final = Snippet("", 0, 0)


def snippet(lines: Sequence[str], words: Sequence[str], heads: set[int], count: Count, room: int, *, raw: bool = False) -> Snippet:
    """What of `lines` fits into `room` tokens: all of them when `raw`; else those that say one of the words, their neighbours, and the `heads` (indexes of
    definitions), or, where these are too many, the ones that say most. Nothing when not even one line fits. No line holds a secret (query.excerpts).
    """
    said = {} if raw else _said(lines, {stem(word) for word in words})
    kept = range(len(lines)) if raw else _chosen(lines, said, heads)
    if len(kept) > len(lines) * (1 - LEAST_SAVED):
        kept = range(len(lines))
    if raw or sum(len(lines[at]) for at in kept) <= room * MOST_PER_TOKEN:
        whole = _shown(lines, kept, count)
        if raw or whole.tokens <= room:
            return whole if whole.tokens <= room else NOTHING
    return _brief(lines, said, heads, count, room)


def _brief(lines: Sequence[str], said: dict[int, int], heads: set[int], count: Count, room: int) -> Snippet:
    """As many lines as fit, those first that say most; the first line and definitions count as if they said one word more.

    Counting takes longer than choosing: lines are chosen by their length, and counted at the end.
    """
    starts = {0, *heads}
    worth = {at: said.get(at, 0) + (at in starts) for at in {*said, *starts} if at < len(lines)}
    order = sorted(worth, key=lambda at: (-worth[at], at))
    sizes = list(itertools.accumulate(min(len(lines[at]), LONGEST_LINE) + GAP for at in order))
    most = max(1, bisect.bisect_right(sizes, room * PER_TOKEN))
    while most and (tried := _shown(lines, sorted(order[:most]), count)).tokens > room:
        most = int(most * FEWER)
    return tried if most else NOTHING


def _shown(lines: Sequence[str], kept: Sequence[int], count: Count) -> Snippet:
    """The lines at these indexes, with a sign for what is left out between them."""
    shown: list[str] = []
    last = -1
    for at in kept:
        if at > last + 1:
            shown.append(_gap(lines, at))
        shown.append(lines[at] if len(lines[at]) <= LONGEST_LINE else lines[at][:LONGEST_LINE] + "…")
        last = at
    if last + 1 < len(lines):
        shown.append(_gap(lines, last))
    text = "\n".join(shown)
    return Snippet(text, count(text), len(lines) - len(kept))


def _gap(lines: Sequence[str], at: int) -> str:
    line = lines[at] if 0 <= at < len(lines) else ""
    return line[: len(line) - len(line.lstrip())] + "…"


def _said(lines: Sequence[str], stems: set[str]) -> dict[int, int]:
    """How many of the words each line says that says one."""
    found = {}
    for at, line in enumerate(lines):
        said: set[str] = set()
        for name in _NAME.findall(line):
            said |= stems & _stems(name)
        if said:
            found[at] = len(said)
    return found


@functools.lru_cache(maxsize=8_192)  # code says the same names again and again
def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, split_words(name)))


def _chosen(lines: Sequence[str], said: dict[int, int], heads: set[int]) -> Sequence[int]:
    around = {near for at in said for near in range(at - AROUND, at + AROUND + 1)}
    return sorted(at for at in {0, *heads, *around} if 0 <= at < len(lines) and (lines[at].strip() or at == 0))

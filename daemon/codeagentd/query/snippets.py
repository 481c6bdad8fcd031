"""What of a piece of code is shown: the lines that say what it is and those that answer, the others counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from codeagentd.model.secrets import redacted
from codeagentd.model.words import split_words

from .ranking import stem

CHARACTERS_PER_TOKEN: Final = 3  # at least, in code and English: an estimate from above (cl100k has 3.3 to 4)
AROUND: Final = 1  # lines shown around one that answers
LEAST_SAVED: Final = 0.25  # share of lines: leaving out fewer is not worth the gaps
LONGEST_LINE: Final = 240  # characters

_NAME: Final = re.compile(r"[^\W\d]\w*")


class Snippet(msgspec.Struct, frozen=True):
    """Text, how many lines it lacks, and an upper estimate of its tokens."""

    text: str
    elided: int
    tokens: int


def tokens(text: str) -> int:
    """An upper estimate of the tokens of a text."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def snippet(lines: Sequence[str], words: Sequence[str], heads: set[int], raw: bool) -> Snippet:
    """`lines` as they are when `raw`, else those that say one of the words, their neighbours, and the `heads` (indexes of definitions)."""
    lines = redacted("\n".join(lines)).split("\n") if lines else lines  # before a long line is cut: half a key is no longer recognised
    kept = range(len(lines)) if raw else sorted(_chosen(lines, {stem(word) for word in words}, heads))
    if len(kept) > len(lines) * (1 - LEAST_SAVED):
        kept = range(len(lines))
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
    return Snippet(text, len(lines) - len(kept), tokens(text))


def _gap(lines: Sequence[str], at: int) -> str:
    line = lines[at] if 0 <= at < len(lines) else ""
    return line[: len(line) - len(line.lstrip())] + "…"


def _chosen(lines: Sequence[str], stems: set[str], heads: set[int]) -> set[int]:
    chosen = {0, *heads}
    for at, line in enumerate(lines):
        if any(stem(word) in stems for name in _NAME.findall(line) for word in split_words(name)):
            chosen.update(range(max(0, at - AROUND), min(len(lines), at + AROUND + 1)))
    return {at for at in chosen if 0 <= at < len(lines) and (lines[at].strip() or at == 0)}

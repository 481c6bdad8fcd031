"""Snippets of a piece of code: the lines of definitions and the lines that answer, with a mark for omitted lines."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

import msgspec

from codeagentd.model.identifier_words import split_words

from .code_layout import head, parents
from .question import stem
from .tokens import Count

CONTEXT_LINES: Final = 1  # lines shown around a matching one
LEAST_SAVED: Final = 0.25  # share of lines: below this, leaving them out is not worth the gaps
SMALLEST_GAP: Final = (
    24  # characters besides indentation: leaving out fewer saves next to nothing, since the mark for it has tokens too
)
LONGEST_LINE: Final = 240  # characters
GAP: Final = 6  # characters that a line takes besides its text: its end, and often the mark of a gap
PER_TOKEN: Final = 3  # characters per token of code with few characters per token, including indentation
MOST_PER_TOKEN: Final = 5  # characters per token of code with many: a longer text is not even counted
FEWER: Final = 0.8  # factor for the number of lines of the next attempt, when the result is too long
PROSE: Final = 0.5  # weight of a word in a comment or documentation after its first line, since code is more exact

_NAME: Final = re.compile(r"[^\W\d]\w*")


class Source(NamedTuple):
    """A piece of a file: its lines without secrets (`excerpts`), the number of the first line, and the indexes of
    definitions and of lines of prose.
    """

    lines: Sequence[str]
    start: int
    heads: AbstractSet[int] = frozenset()
    prose: AbstractSet[int] = frozenset()


class Snippet(msgspec.Struct, frozen=True):
    """The text, its tokens, and the number of omitted lines.

    `…N:` stands for omitted lines; the line after it has the number N.
    """

    text: str
    tokens: int
    elided: int


NOTHING: Final = Snippet("", 0, 0)


def snippet(source: Source, words: Sequence[str], count: Count, room: int, *, raw: bool = False) -> Snippet:
    """Return the part of `source` that fits into `room` tokens: with `raw` all lines; else those with one of `words`,
    their neighbours, and definitions, or, if these are too many, the lines with most words. The parents of a chosen
    line are shown with it. Empty when not even one line fits.
    """
    lines = source.lines
    word_counts = {} if raw else matching_words(lines, {stem(word) for word in words})
    above = [] if raw else parents(lines)
    selected = (
        range(len(lines)) if raw else _filled(lines, _closed(source, _chosen(lines, word_counts, source.heads), above))
    )
    if len(selected) > len(lines) * (1 - LEAST_SAVED):
        selected = range(len(lines))
    if raw or sum(len(lines[at]) for at in selected) <= room * MOST_PER_TOKEN:
        whole = _shown(source, selected, count)
        if raw or whole.tokens <= room:
            return whole if whole.tokens <= room else NOTHING
    return _brief(source, above, word_counts, count, room)


def beginning(source: Source, count: Count, room: int) -> Snippet:
    """Return the lines of `source` from its first one on, as many as fit into `room` tokens. If not all fit, prose is
    left out. Empty when not even one line fits.
    """
    every = range(len(source.lines))
    for selected in (every, _filled(source.lines, set(every) - source.prose)):
        whole = _shown(source, selected, count)
        if whole.tokens <= room:
            return whole
    fitting: list[int] = []
    for at in selected:
        room -= count(f"{source.lines[at]}\n") + (fitting[-1:] != [at - 1])
        if room < 0:
            break
        fitting.append(at)
    return _shown(source, fitting, count) if fitting else NOTHING


def _brief(source: Source, above: Sequence[int], word_counts: Mapping[int, int], count: Count, room: int) -> Snippet:
    """As many lines as fit, those with most words first; the first line and definitions count as if they had one more
    word.

    Counting tokens takes longer than choosing: lines are chosen by their length, and their tokens are counted at the
    end.
    """
    lines, starts = source.lines, {0, *source.heads}
    worth = {
        at: word_counts.get(at, 0) * (PROSE if at in source.prose else 1) + (at in starts)
        for at in {*word_counts, *starts}
        if at < len(lines)
    }
    sets = _growing(source, above, sorted(worth, key=lambda at: (-worth[at], at in source.prose, at)), room * PER_TOKEN)
    while sets and lines:
        if (tried := _shown(source, _filled(lines, sets[-1]), count)).tokens <= room:
            return tried
        del sets[int(len(sets) * FEWER) :]
    return NOTHING


def _growing(source: Source, above: Sequence[int], order: Sequence[int], most: int) -> list[set[int]]:
    """Sets of lines, each with one more line and its parents, of at most `most` characters; the first is a definition
    alone, if nothing else fits.
    """
    result = [{next((at for at in order if at in source.heads), 0)}]
    selected, size = set[int](), 0
    for at in order:
        more = _closed(source, {at}, above, selected) - selected
        added = sum(min(len(source.lines[line]), LONGEST_LINE) + GAP for line in more)
        if more and size + added <= most:
            selected, size = selected | more, size + added
            result.append(selected)
    return result


def _closed(
    source: Source, lines: AbstractSet[int], above: Sequence[int], known: AbstractSet[int] = frozenset()
) -> set[int]:
    """These lines, their parents, and the whole heads of definitions among them; parents of `known` lines are not added
    again.
    """
    result: set[int] = set()
    for at in lines:
        while at >= 0 and at not in result and at not in known:
            result.add(at)
            at = above[at]
    return result.union(*(head(source.lines, at) for at in result.intersection(source.heads)))


def _filled(lines: Sequence[str], selected: set[int]) -> Sequence[int]:
    """These lines in order, with short gaps between them filled."""
    result: list[int] = []
    for at in (*sorted(selected), len(lines)):
        between = range(result[-1] + 1 if result else 0, at)
        if _is_short(lines, between):
            result += between
        result.append(at)
    return result[:-1]


def _is_short(lines: Sequence[str], between: range) -> bool:
    """Whether leaving out these lines would save next to nothing, because the mark takes as much space."""
    length = 0
    for at in between:
        length += len(lines[at].strip())
        if length > SMALLEST_GAP:
            return False
    return True


def _shown(source: Source, selected: Sequence[int], count: Count) -> Snippet:
    """The lines at these indexes, with a mark for omitted lines between them."""
    shown: list[str] = []
    last = -1
    for at in selected:
        if at > last + 1:
            shown.append(f"…{source.start + at}:")
        line = source.lines[at]
        shown.append(line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…")
        last = at
    if last + 1 < len(source.lines):
        shown.append("…")
    text = "\n".join(shown)
    return Snippet(text, count(text), len(source.lines) - len(selected))


def matching_words(lines: Sequence[str], stems: set[str]) -> dict[int, int]:
    """Return the number of words with one of `stems` on each line that has any, by the index of the line."""
    result = {}
    for at, line in enumerate(lines):
        matched: set[str] = set()
        for name in _NAME.findall(line):
            matched |= stems & _stems(name)
        if matched:
            result[at] = len(matched)
    return result


@functools.lru_cache(maxsize=8_192)  # code repeats the same names
def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, split_words(name)))


def _chosen(lines: Sequence[str], word_counts: Mapping[int, int], heads: AbstractSet[int]) -> set[int]:
    neighbours = {near for at in word_counts for near in range(at - CONTEXT_LINES, at + CONTEXT_LINES + 1)}
    return {at for at in {0, *heads, *neighbours} if 0 <= at < len(lines) and (lines[at].strip() or at == 0)}

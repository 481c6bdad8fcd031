"""Suggestions for an unknown word: the known words that are most like it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

MOST: Final = 3  # suggestions: more are no help
LONGEST: Final = (
    100  # characters of a word that is compared: no known name is longer, and the cost is the product of both lengths
)

_ALIKE: Final = 0.6  # difflib's ratio; below it, short words that share a few letters would be suggested


def closest(word: str, known: Iterable[str], limit: int = MOST) -> list[str]:
    """Return the known words that are most like `word`, the nearest first. Case and the kind of separator do
    not count.
    """
    folded = _folded(word)
    if not folded or len(word) > LONGEST:
        return []
    ranked = sorted((_distance(folded, _folded(name)), name) for name in set(known))
    return [name for (unlikeness, _), name in ranked if unlikeness <= 1 - _ALIKE][:limit]


def did_you_mean(word: str, known: Iterable[str], limit: int = MOST) -> str:
    """Return the question "did you mean 'a', 'b' or 'c'?"; '' where no known word is close."""
    suggestions = [f"'{name}'" for name in closest(word, known, limit)]
    listed = " or ".join(filter(None, (", ".join(suggestions[:-1]), *suggestions[-1:])))
    return f"did you mean {listed}?" if suggestions else ""


def _distance(word: str, name: str) -> tuple[float, int]:
    """Return how unlike two words are, from 0 to 1; among equals, those that begin alike come first."""
    unlikeness = 1 - difflib.SequenceMatcher(None, word, name).ratio()
    if _is_part(word, name):
        unlikeness = min(unlikeness, 1 - _ALIKE)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, name, strict=False)))
    return round(unlikeness, 6), -shared


def _is_part(word: str, name: str) -> bool:
    """Whether one of the words is the first or a whole part of the other, or `name` is the first letter of `word`."""
    return word == name.split("_")[0] or name in word.split("_") or name == word[0]


def _folded(text: str) -> str:
    return text.casefold().replace("-", "_").replace(".", "_").strip("_ ")

"""What a reader without an index sees: the lines that have the most different words of a question, as `path:line:text`.

A stand-in for ripgrep on the question's words, and a generous one: the lines come ranked, those with words that look like
identifiers (`ensure_ascii`, `HTTPAdapter`, `app.json`) before others, and only the first 8,000 characters are read.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.eval.shown import CHARACTERS

STOP_WORDS: Final = """
a about after all also an and any are as at be because been before being between both but by can could did do does each for from had has
have how if in into is it its more most not of on one only or other out over should so some such than that the their them then there
these they this through to under up use used uses using was way were what when where which while who why will with within without would
class classes code file files function functions method methods module design ensure implementation mechanism purpose relationship role
"""
STOP: Final = frozenset(STOP_WORDS.split())
WORD: Final = re.compile(r"[A-Za-z_][\w.]*\w")
IDENTIFIER: Final = re.compile(r"_|\.\w|[a-z][A-Z]|[A-Z]{2}|\d")
LONGEST_LINE: Final = 200
LONGEST_FILE: Final = 2_000_000


def texts_of(root: Path, files: frozenset[str]) -> dict[str, str]:
    """The texts of a repository; binary and huge files are left out, as ripgrep does."""
    found = {}
    for path in sorted(files):
        place = root / path
        if place.is_file() and not place.is_symlink() and place.stat().st_size <= LONGEST_FILE:
            data = place.read_bytes()
            if b"\0" not in data:
                found[path] = data.decode(errors="replace")
    return found


def words_of(question: str) -> dict[str, int]:
    """The words to search for, lower case, with a weight: an identifier counts as two words."""
    words = [match[0] for match in WORD.finditer(question) if len(match[0]) > 2]
    return {word.lower(): 2 if IDENTIFIER.search(word) else 1 for word in words if word.lower() not in STOP}


def word_search(question: str, texts: Mapping[str, str]) -> str:
    """The best lines, best first, cut at the budget."""
    weights = words_of(question)
    if not weights:
        return ""
    anywhere = re.compile("|".join(re.escape(word) for word in sorted(weights, key=len, reverse=True)), re.IGNORECASE)
    lines = CHARACTERS // 20  # no line that is read is ranked lower
    best = heapq.nsmallest(
        lines, (one for path, text in texts.items() for one in _ranked(path, text, weights, anywhere))
    )
    return "\n".join(f"{path}:{line}:{text}" for _, path, line, text in best)[:CHARACTERS]


def _ranked(
    path: str, text: str, weights: Mapping[str, int], anywhere: re.Pattern[str]
) -> Iterator[tuple[int, str, int, str]]:
    """The lines of a file that have words: the weight of the different ones, negated."""
    hits: dict[int, set[str]] = {}
    number, end = 0, -1
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for match in anywhere.finditer(text):
        while number < len(starts) and starts[number] <= match.start():
            number += 1
        hits.setdefault(number, set()).add(match[0].lower())
    for line, words in hits.items():
        end = text.find("\n", starts[line - 1])
        whole = text[starts[line - 1] : end if end >= 0 else len(text)]
        yield -sum(weights[word] for word in words), path, line, whole[:LONGEST_LINE]

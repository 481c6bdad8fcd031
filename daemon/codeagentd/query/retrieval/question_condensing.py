"""The most distinctive words, names and paths of a long text: only a few of them describe what a whole issue is about.

The weight of a word is its frequency and places in the text (the first line, an error, a name), times its rarity among
the pieces of the repository.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec

from codeagentd.model.identifier_words import split_words
from codeagentd.model.ids import name_key
from codeagentd.store.connection import Database

from .bm25 import total_pieces
from .fts_expression import quoted
from .question import WRITTEN, Query, read, stem

MOST_WORDS: Final = 24  # words of one question that are looked up
MOST_NAMES: Final = 8
WEIGHED: Final = 100  # words of a long text whose rarity is looked up
WEIGHED_NAMES: Final = 30
# letters from which a word distinguishes anything in a long text: shorter ones are mostly parts of abbreviations
SHORTEST: Final = 3
COUNTED: Final = 2_000  # pieces that are counted for one word: a more frequent word distinguishes little
TITLE: Final = 3.0  # weight of a word in the first line, which states the subject of a text
ERROR: Final = 2.0  # weight in a line with an error
NAME: Final = 1.5  # weight as a part of a name
MOST_MENTIONS: Final = 20  # files named in a text that are used
LONGEST_WORD: Final = 200  # characters
LONGEST_PATH: Final = 300

_ERROR_LINE: Final = re.compile(
    r"\s{0,12}(?:E {1,12})?(?:[\w.]{0,100}(?:Error|Exception|Warning)\b|error\b|panic\b|fatal\b)", re.IGNORECASE
)
_PATH: Final = re.compile(
    r"(?<![\w./\\@+-])((?:[A-Za-z]:)?[/\\]?(?:[\w.@+-]++[/\\])*[\w@+-][\w.@+-]{0,100}\.\w{1,10})(?::(\d{1,7})"
    r"|\", line (\d{1,7}))?"
)


class Condensed(NamedTuple):
    """A question with the words to look up. `weighed`: for a long text, the number of pieces that contain each word
    that was considered; empty if all words are looked up.
    """

    query: Query
    weighed: dict[str, int]


class Mention(NamedTuple):
    """A file that a text names, by the path as written; `line` is 0 if the text names no line."""

    path: str
    line: int


def condensed(db: Database, text: str) -> Condensed:
    """Return `text` parsed as a question. If it has too many words or names, only the most distinctive ones stay, in
    the order of the text. So long a text is a report, which speaks of tests and documents and asks for neither.
    """
    question = _readable(read(text))
    if len(question.words) <= MOST_WORDS and len(question.names) <= MOST_NAMES:
        return Condensed(question, {})
    salience = _salience(text)
    total = total_pieces(db)
    weighed = _counted(
        db, _first((word for word in question.words if len(word) >= SHORTEST and not word.isdigit()), salience, WEIGHED)
    )
    words = _best({word: salience[word] * _rarity(count, total) for word, count in weighed.items()}, MOST_WORDS)
    known = _counted(db, _first(_defined(db, question.names), salience, WEIGHED_NAMES))
    names = _best({name: salience[name] * _rarity(count, total) for name, count in known.items()}, MOST_NAMES)
    query = msgspec.structs.replace(
        question,
        words=_ordered(question.words, words),
        names=_ordered(question.names, names),
        about_tests=False,
        about_prose=False,
    )
    return Condensed(query, weighed)


def _readable(question: Query) -> Query:
    """The question without words that are too long to be real, unless all are."""
    words, names = (
        tuple(word for word in several if len(word) <= LONGEST_WORD) for several in (question.words, question.names)
    )
    return (
        msgspec.structs.replace(question, words=words, names=names)
        if words and (words, names) != (question.words, question.names)
        else question
    )


def mentions(text: str) -> list[Mention]:
    """Return the files that `text` names with a folder or a line, each once. If there are very many, these are the last
    ones, since a traceback ends at the failure.
    """
    result: dict[Mention, None] = {}
    for match in _PATH.finditer(text):
        path, line = match[1].replace("\\", "/"), int(match[2] or match[3] or 0)
        if len(path) <= LONGEST_PATH and (line or "/" in path):
            result[Mention(path, line)] = None
    return list(result)[-MOST_MENTIONS:]


def _salience(text: str) -> Mapping[str, float]:
    """The emphasis of a text on each of its names and words: the logarithm of its frequency, in which some lines count
    more.
    """
    written: dict[str, float] = defaultdict(float)
    for number, line in enumerate(text.strip().splitlines()):
        weight = TITLE if number == 0 else ERROR if _ERROR_LINE.match(line) else 1.0
        for name in WRITTEN.findall(line):
            written[name] += weight
    weights = defaultdict(float, written)
    for name, worth in written.items():
        for part in split_words(name):
            if part != name:
                weights[part] += worth * (NAME if len(part) < len(name) else 1.0)
    return defaultdict(float, {word: math.log1p(worth) for word, worth in weights.items()})


def _first(words: Iterable[str], salience: Mapping[str, float], most: int) -> list[str]:
    """The words with the greatest emphasis; equal ones in the order of the text."""
    return sorted(words, key=lambda word: -salience[word])[:most]


def _counted(db: Database, words: Iterable[str]) -> dict[str, int]:
    """The number of pieces that contain each of these words or names, counted up to COUNTED."""
    return {word: db.value("chunks.having_to", (quoted(word), COUNTED)) for word in words}


def _defined(db: Database, names: Iterable[str]) -> list[str]:
    """The names that are names of symbols in the repository."""
    keys = {name_key(name): name for name in names}
    return [keys[key] for (key,) in db.all("chunks.known_names", (json.dumps([*keys]),))]


def _rarity(having: int, total: int) -> float:
    """The weight of a word in BM25 (never negative); 0 if no piece contains it.

    While no piece is indexed, all words have the same weight.
    """
    if not total:
        return 1.0
    return math.log(1 + (max(0, total - having) + 0.5) / (having + 0.5)) if having else 0.0


def _best(worth: Mapping[str, float], most: int) -> set[str]:
    """The words with the greatest weight, one for each stem."""
    chosen: dict[str, str] = {}
    for word in sorted((word for word, value in worth.items() if value > 0), key=lambda word: (-worth[word], word)):
        if len(chosen) < most:
            chosen.setdefault(stem(word), word)
    return set(chosen.values())


def _ordered(words: Iterable[str], chosen: set[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word in chosen)

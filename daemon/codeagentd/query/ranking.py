"""What a hit of a text search is worth: the whole score, and all its constants, in one place.

Each signal's share is in daemon/decisions/0010-ranking.md, as measured on a public benchmark; one that earned nothing is not here.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from codeagentd.model.kinds import SymbolKind
from codeagentd.model.sorts import PROSE_LANGUAGES, is_test
from codeagentd.model.words import split_words

COMPANY: Final = 2.0  # weight of what else a file says to the question: a file about it has several good chunks
COMPANIONS: Final = 8  # of its chunks that count for that
STEM: Final = 0.8  # weight of the share of the file's name that the question says: `loan_rules.py` for "loan rules"
DEFINED: Final = 2.5  # for a chunk that defines the name that is asked for; the best chunk of a text search has 1.0
OTHER_CASE: Final = 0.6  # share of that when the name is written in another case
VALUE: Final = 0.5  # and when it is a field or a variable
AMONG_WORDS: Final = 0.2  # and when the name is only a part of the question
TEST: Final = 0.5  # a test, unless the question is about tests: it repeats the words of what it tests
ASIDE: Final = 0.7  # an example, a tool, somebody else's code or a program's
PROSE: Final = 0.6  # a document or data file, unless the question is about such
REPEATED: Final = 0.5  # factor for each further chunk of a file
PER_FILE: Final = 4  # chunks of one file in an answer
CANDIDATES: Final = 200  # chunks of the text search that are ranked

STOP_WORDS: Final = frozenset({  # articles, pronouns, auxiliaries: dropping more costs more than it gains, `before` and `use` name things
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "how", "i", "in",
    "is", "it", "its", "may", "might", "of", "on", "or", "our", "should", "that", "the", "these", "this", "those", "to", "was", "we", "were", "what",
    "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
})  # fmt: skip

_WORD: Final = re.compile(r"[^\W\d][\w$]*|\d+")
_SUFFIXES: Final = tuple(sorted(
    ("ization", "ational", "ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "able", "ible", "ers", "er", "ors", "or", "ed", "es", "al", "s"),
    key=len, reverse=True,
))  # fmt: skip
_EXAMPLES: Final = re.compile(
    r"(?:^|/)(?:examples?|demos?|samples?|benchmarks?|bench|docs?|scripts?|tools?|vendor|third_party|node_modules|dist|build|out)(?:/|$)"
)
_ABOUT_TESTS: Final = re.compile(r"\b(?:tests?|testing|specs?|fixtures?|mocks?|examples?|demos?|samples?|bench\w*|scripts?)\b", re.IGNORECASE)
_ABOUT_PROSE: Final = re.compile(
    r"\b(?:docs?|documentation|readme|guides?|changelog|config\w*|json|ya?ml|toml|html|css|style\w*|page|workflow|manifest)\b", re.IGNORECASE
)
_VALUES: Final = frozenset({SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM_MEMBER, SymbolKind.KEY})


class Query(msgspec.Struct, frozen=True):
    """A question: its words in lower case without function words, the names in it as written, and what it is about besides code."""

    text: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    is_name: bool  # it is one name and nothing else
    about_tests: bool
    about_prose: bool


class Candidate(msgspec.Struct):
    """A chunk that may answer. `text`: its share of the best text score, 0 to 1; `defined`: what it earns by what it defines; `reasons` in words."""

    id: int
    file: int
    path: str
    language: str
    line_start: int
    line_end: int
    is_generated: bool = False
    text: float = 0.0
    defined: float = 0.0
    score: float = 0.0
    reasons: list[str] = []


def read(text: str) -> Query:
    """A question as the ranking sees it."""
    written = _WORD.findall(text)
    words = [word for name in written for word in split_words(name) if word not in STOP_WORDS or len(written) <= 2]
    names = [
        name for at, name in enumerate(written)
        if len(written) == 1 or "_" in name or len(split_words(name)) > 1 or (at > 0 and name[0].isupper())
    ]  # fmt: skip
    chosen = dict.fromkeys(words or (name.lower() for name in written))
    return Query(
        text, tuple(chosen), tuple(dict.fromkeys(names)), len(written) == 1, _ABOUT_TESTS.search(text) is not None, _ABOUT_PROSE.search(text) is not None
    )


@functools.lru_cache(maxsize=8_192)  # files and questions say the same few words
def stem(word: str) -> str:
    """A word without its English ending, to compare words by."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def definition(query: Query, name: str, wanted: str, kind: int) -> float:
    """What it earns a chunk to define a name that the question asks for."""
    worth = DEFINED if name == wanted else DEFINED * OTHER_CASE
    worth *= VALUE if kind in _VALUES else 1.0
    return worth if query.is_name else worth * AMONG_WORDS


def rank(query: Query, candidates: Iterable[Candidate], limit: int) -> list[Candidate]:
    """The best candidates, best first, each with its score and what speaks for it."""
    files: Mapping[int, list[Candidate]] = defaultdict(list)
    for one in candidates:
        one.score = one.text + one.defined
        files[one.file].append(one)
    stems = {stem(word) for word in query.words}
    chosen: list[Candidate] = []
    for several in files.values():
        several.sort(key=_order)
        factor, company = _of_file(query, stems, several)
        for number, one in enumerate(several[:PER_FILE]):
            one.score = (one.score + company) * factor * REPEATED**number
            chosen.append(one)
    return sorted(chosen, key=_order)[:limit]


def _of_file(query: Query, stems: set[str], chunks: Sequence[Candidate]) -> tuple[float, float]:
    """(factor, addition) that a file's chunks share."""
    best = chunks[0]
    own = {stem(word) for word in split_words(posixpath.splitext(posixpath.basename(best.path))[0])}
    share = len(own & stems) / len(own) if own else 0.0
    if share:
        best.reasons.append("file name" if share == 1.0 else "part of the file name")
    company = COMPANY * sum(one.score for one in chunks[1 : 1 + COMPANIONS]) / COMPANIONS
    return (1 + STEM * share) * _penalty(query, best), company


def _penalty(query: Query, one: Candidate) -> float:
    factor = 1.0
    if not query.about_tests:
        factor *= TEST if is_test(one.path) else 1.0
        factor *= ASIDE if one.is_generated or _EXAMPLES.search(one.path) else 1.0
    return factor * (PROSE if one.language in PROSE_LANGUAGES and not query.about_prose else 1.0)


def _order(one: Candidate) -> tuple[float, str, int]:
    return -one.score, one.path, one.line_start

"""The score of a hit of a text search, with all its constants.

The contribution of each signal, measured on a public benchmark, is in docs/decisions/0010-ranking.md; signals that
contributed nothing were removed.
"""

from __future__ import annotations

import functools
import math
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from codeagentd.languages.language import language_of
from codeagentd.model.file_kinds import PROSE_LANGUAGES, is_test
from codeagentd.model.identifier_words import split_words
from codeagentd.model.kinds import SymbolKind

MEANING: Final = 0.6  # weight of similarity in meaning; the best of a text search has 1.0
SHARPNESS: Final = 1.3  # exponent of a text score: an outstanding hit is worth more than its proportion
SPREAD: Final = 4.0  # standard deviations between the average distance and that of an outstanding symbol
NAMED: Final = (
    0.5  # weight of the words of a definition's name in the question: `renew_loan` for "how loans are renewed"
)
OTHER_CHUNKS: Final = 0.7  # weight of other good chunks in the same file: a file about the subject has several
MOST_OTHER_CHUNKS: Final = 8  # chunks of a file that count for that
STEM: Final = 1.0  # weight of the words of the file's name in the question: `loan_rules.py` for "loan rules"
# words of a question up to which that weight holds; a longer question contains some file's name by chance
STEM_WORDS: Final = 4
# addition for each factor e in the number of files that use a file: questions are mostly about important files
CENTRAL: Final = 0.06
LINKED: Final = (
    0.5  # weight of the best files that use a file, or are used by it: neighbours of an answer are often part of it
)
BEST: Final = 10  # best files whose neighbours count
# addition for a chunk that defines the name in the question; the best chunk of a text search has 1.0
DEFINED: Final = 2.5
OTHER_CASE: Final = 0.6  # factor if the name is in another case, or in another scope than in the question
UNUSED: Final = (
    # factor for a definition without references, when another definition of the name has some: the most used is meant
    0.6
)
VALUE: Final = 0.5  # factor for a field or a variable
AMONG_WORDS: Final = 0.2  # factor if the name is only a part of the question
# exponent for common names: the full score up to N ** (1 - COMMON) of N chunks; "an Observable that ..." does not ask
# for its definition
COMMON: Final = 0.7
# factor for a test, unless the question is about tests: it repeats the words of the code that it tests
TEST: Final = 0.25
ASIDE: Final = 0.8  # factor for an example, a tool, vendored or generated code
PROSE: Final = 0.4  # factor for a document or data file, unless the question is about such
REPEATED: Final = 0.6  # factor for each further chunk of a file
PER_FILE: Final = 4  # hits of one file in an answer
JOINED: Final = 80  # lines up to which neighbouring chunks of a file become one hit
CANDIDATES: Final = 200  # chunks of the text search that are ranked

# articles, pronouns, auxiliaries: leaving out more words loses more than it gains, since `before` and `use` occur in
# names
STOP_WORDS: Final = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do", "does", "for", "from", "had",
    "has", "have", "how", "i", "in", "is", "it", "its", "may", "might", "of", "on", "or", "our", "should", "that",
    "the", "these", "this", "those", "to", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will",
    "with", "would", "you", "your",
})  # fmt: skip

WRITTEN: Final = re.compile(r"[^\W\d][\w$]*|\d+")
_SEPARATORS: Final = re.compile(r"::|->|[.#\\]")
_PATH: Final = re.compile(r"[^\W\d][\w$]*(?:(?:::|->|[.#\\])[^\W\d][\w$]*)+")
_SUFFIXES: Final = tuple(sorted(
    ("ization", "ational", "ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "able", "ible",
     "ers", "er", "ors", "or", "ed", "es", "al", "s"),
    key=len, reverse=True,
))  # fmt: skip
_EXAMPLES: Final = re.compile(
    r"(?:^|/)(?:examples?|demos?|samples?|benchmarks?|bench|docs?|scripts?|tools?|vendor|third_party|node_modules|dist"
    r"|build|out)(?:/|$)"
)
_ABOUT_TESTS: Final = re.compile(
    r"\b(?:tests?|testing|specs?|fixtures?|mocks?|examples?|demos?|samples?|bench\w*|scripts?)\b", re.IGNORECASE
)
_ABOUT_PROSE: Final = re.compile(
    r"\b(?:docs?|documentation|readme|guides?|changelog|config\w*|json|ya?ml|toml|html|css|style\w*|page|workflow"
    r"|manifest)\b",
    re.IGNORECASE,
)
_VALUES: Final = frozenset(
    {SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM_MEMBER, SymbolKind.KEY}
)


class Query(msgspec.Struct, frozen=True):
    """A question: its words in lower case without function words, the names in it as written, and whether it is about
    tests or documents.
    """

    text: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    is_name: bool  # it is one name and nothing else
    path: str  # the name with what it stands in, as `Loan.renew`; '' of any other question
    about_tests: bool
    about_prose: bool


class Candidate(msgspec.Struct):
    """A chunk that may answer the question, with its score and the parts of it.

    `text`: its share of the best text score, 0 to 1; `names` of what it defines; `defined`: its score for what it
    defines; `meaning`: for what its symbols mean; `reasons` in words.
    """

    id: int
    file: int
    path: str
    language: str
    line_start: int
    line_end: int
    is_generated: bool = False
    text: float = 0.0
    defined: float = 0.0
    meaning: float = 0.0
    score: float = 0.0
    names: list[str] = []
    reasons: list[str] = []


class Defined(NamedTuple):
    """One place that defines a name."""

    file: int
    line: int
    name: str
    kind: int
    qualified_name: str
    references: int


def read(text: str) -> Query:
    """Parse the question `text` for the ranking."""
    written = WRITTEN.findall(text)
    path = ".".join(written) if _PATH.fullmatch(text.strip()) and language_of(text.strip()) is None else ""
    words = [word for name in written for word in split_words(name) if word not in STOP_WORDS or len(written) <= 2]
    names = [
        name for at, name in enumerate(written)
        if len(written) == 1 or "_" in name or len(split_words(name)) > 1 or (at > 0 and name[0].isupper())
    ]  # fmt: skip
    chosen = dict.fromkeys(words or (name.lower() for name in written))
    return Query(
        text, tuple(chosen), tuple(dict.fromkeys(written[-1:] if path else names)), len(written) == 1 or bool(path),
        path, _ABOUT_TESTS.search(text) is not None, _ABOUT_PROSE.search(text) is not None,
    )  # fmt: skip


@functools.lru_cache(maxsize=8_192)  # files and questions repeat the same few words
def stem(word: str) -> str:
    """Return `word` without its English ending, to compare words by."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def definition(query: Query, name: str, place: Defined, most: int) -> float:
    """Return the score of a chunk that defines `name`, a name in the question, at `place`. `most`: the number of
    references to the most used definition of the name.
    """
    best_score = DEFINED if place.name == name else DEFINED * OTHER_CASE
    best_score *= VALUE if place.kind in _VALUES else 1.0
    best_score *= UNUSED + (1 - UNUSED) * math.log1p(place.references) / math.log1p(most) if most else 1.0
    if query.path and not f".{_SEPARATORS.sub('.', place.qualified_name)}".endswith(f".{query.path}"):
        best_score *= OTHER_CASE
    return best_score if query.is_name else best_score * AMONG_WORDS


def distinctiveness(having: int, total: int) -> float:
    """Return how distinctive a name in a question in words is, from 0 to 1, if `having` of `total` chunks contain it. A
    name that occurs everywhere distinguishes nothing.
    """
    return min(1.0, (1 - math.log1p(having) / math.log1p(total)) / COMMON) ** 2 if total else 0.0


def meanings(distances: Sequence[float]) -> list[float]:
    """Return the scores for similarity in meaning, in the order of `distances`: how far each symbol stands out among
    the nearest, about 1.0 for one whose distance is far below all others.
    """
    if not distances:
        return []
    mean = sum(distances) / len(distances)
    spread = SPREAD * (sum((distance - mean) ** 2 for distance in distances) / len(distances)) ** 0.5
    return [(max(0.0, mean - distance) / spread) if spread else 0.0 for distance in distances]


class File(msgspec.Struct):
    """A file's chunks, the best first, with what their scores have in common: a factor, an addition, and the number of
    files that use the file.
    """

    chunks: list[Candidate]
    users: int
    factor: float = 1.0
    addition: float = 0.0

    @property
    def best_score(self) -> float:
        """The score of the file's best chunk."""
        return (self.chunks[0].score + self.addition) * self.factor


Linked = Callable[[Sequence[int]], Iterable[tuple[int, int]]]  # (file, file that it uses) pairs of some files


def rank(
    query: Query, candidates: Iterable[Candidate], limit: int, users: Mapping[int, int], linked: Linked
) -> list[Candidate]:
    """Return the best `limit` of `candidates`, best first, each with its score and its reasons. `users`: by file, the
    number of files that use it.
    """
    stems = {stem(word) for word in query.words}
    chunks: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        candidate.score = (
            candidate.text**SHARPNESS
            + candidate.defined
            + MEANING * candidate.meaning
            + (0.0 if query.is_name else NAMED * _named(stems, candidate))
        )
        chunks[candidate.file].append(candidate)
    files = {file: File(sorted(several, key=_order), users.get(file, 0)) for file, several in chunks.items()}
    for one_file in files.values():
        one_file.factor, one_file.addition = _of_file(query, stems, one_file.chunks, one_file.users)
    _share(files, linked)
    chosen: list[Candidate] = []
    for one_file in files.values():
        for number, candidate in enumerate(one_file.chunks):
            candidate.score = (candidate.score + one_file.addition) * one_file.factor * REPEATED**number
        chosen += one_file.chunks
    return _hits(sorted(chosen, key=_order), limit, joins=not query.is_name)


def _named(stems: set[str], candidate: Candidate) -> float:
    """The match between the question and the name of a chunk's definition: from the share of the name's words in the
    question, and from the share of the question that these make up.
    """
    best = 0.0
    for name in candidate.names:
        words = stems_of(name)
        if shared := len(stems.intersection(words)):
            best = max(best, shared / len(words) * (shared / len(stems)) ** 0.5)
    return best


@functools.lru_cache(maxsize=65_536)  # names of definitions and files: one question compares a thousand
def stems_of(name: str) -> tuple[str, ...]:
    """Return the distinct words of `name`, as stems."""
    return tuple(dict.fromkeys(map(stem, split_words(name))))


def _share(files: Mapping[int, File], linked: Linked) -> None:
    """Add a share of the best files' scores to files that they use or that use them."""
    best = {
        file: files[file].best_score for file in sorted(files, key=lambda file: (-files[file].best_score, file))[:BEST]
    }
    lent: dict[int, float] = defaultdict(float)
    for user, used in linked([*best]):
        rarity = (1 + files[used].users) ** -0.5 if used in files else 0.0
        lent[used] += best[user] * rarity
        lent[user] += best.get(used, 0.0) * rarity
    for file, best_score in lent.items():
        if file in files:
            files[file].addition += LINKED * best_score / len(best)


def _hits(ordered: Sequence[Candidate], limit: int, *, joins: bool) -> list[Candidate]:
    """The first hits, with a limit for each file. With `joins`, neighbouring chunks of a file become one hit: a
    question for a name wants only its definition.
    """
    hits: list[Candidate] = []
    count: dict[int, int] = defaultdict(int)
    for candidate in ordered:
        if len(hits) == limit and candidate.file not in count:
            continue
        if joins and (
            neighbour := next((hit for hit in hits if hit.file == candidate.file and _touch(hit, candidate)), None)
        ):
            neighbour.line_start, neighbour.line_end = (
                min(neighbour.line_start, candidate.line_start),
                max(neighbour.line_end, candidate.line_end),
            )
        elif len(hits) < limit and count[candidate.file] < PER_FILE:
            count[candidate.file] += 1
            hits.append(candidate)
    return hits


def _touch(candidate: Candidate, other: Candidate) -> bool:
    first, last = min(candidate.line_start, other.line_start), max(candidate.line_end, other.line_end)
    return (
        candidate.line_end + 1 == other.line_start or other.line_end + 1 == candidate.line_start
    ) and last - first < JOINED


def _of_file(query: Query, stems: set[str], chunks: Sequence[Candidate], users: int) -> tuple[float, float]:
    """The (factor, addition) that all chunks of a file get."""
    best = chunks[0]
    own = stems_of(posixpath.splitext(posixpath.basename(best.path))[0])
    share = len(stems.intersection(own)) / len(own) if own else 0.0
    if share:
        best.reasons.append("file name" if share == 1.0 else "part of the file name")
    other_chunks = OTHER_CHUNKS * sum(chunk.score for chunk in chunks[1 : 1 + MOST_OTHER_CHUNKS]) / MOST_OTHER_CHUNKS
    factor = 1 + STEM * share * min(1.0, STEM_WORDS / max(1, len(query.words)))
    return factor * (1 + CENTRAL * math.log1p(users)) * _penalty(query, best), other_chunks


def _penalty(query: Query, candidate: Candidate) -> float:
    factor = 1.0
    if not query.about_tests:
        factor *= TEST if is_test(candidate.path) else 1.0
        factor *= ASIDE if candidate.is_generated or _EXAMPLES.search(candidate.path) else 1.0
    return factor * (PROSE if candidate.language in PROSE_LANGUAGES and not query.about_prose else 1.0)


def _order(candidate: Candidate) -> tuple[float, str, int]:
    return -candidate.score, candidate.path, candidate.line_start

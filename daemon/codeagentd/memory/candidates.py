"""The candidates of a memory search: one ranked list by words and one by vectors, before any memory is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from codeagentd.base.log import EventLog
from codeagentd.model.embedding import Embedder
from codeagentd.model.identifier_words import split_words
from codeagentd.query.retrieval.question import Query, read, stem
from codeagentd.store.memory_backend import Clauses, MemoryConnection, Narrowing

from .memory_store import as_json
from .ranking import COUNTED, DISTINCTIVE_WORDS, LEAST_COSINE, RANKED, SIGNS

MAX_TERMS: Final = 32  # words of a question that are used at most

_log = EventLog(__name__)


class Filters(msgspec.Struct, frozen=True):
    """The filters of a search; None and [] do not filter."""

    type: str | None = None
    project: str | None = None
    tags: Sequence[str] = ()

    def narrowing(self) -> Narrowing:
        """Return the filters as the database takes them."""
        return Narrowing(self.type, self.project, as_json(list(self.tags)))


class Vector(NamedTuple):
    """The vector of a text, and the number of the model that made it (0: no vector)."""

    model: int = 0
    vector: bytes = b""

    @property
    def is_there(self) -> bool:
        """Whether there is a vector."""
        return bool(self.vector)


class Matches(NamedTuple):
    """The matching memories as (number, BM25), best first; the number of all matches, and of those that are also among
    the nearest vectors.
    """

    ranked: list[tuple[int, float]]
    total: int
    near: int


def embedded(embedder: Embedder, text: str) -> tuple[str, bytes]:
    """Return (name of the model, vector) of `text`; ('', b'') without a model or on its failure: search then uses words
    alone.

    A resting model is loaded by the call.
    """
    try:
        vectors = embedder.embed([text], urgent=True)
    except Exception as error:  # noqa: BLE001 - a model in trouble must not keep anybody from remembering
        _log.error("a text could not be embedded", error)
        return "", b""
    return (embedder.model, vectors[0]) if vectors and embedder.model else ("", b"")


def expression(question: Query) -> Clauses:
    """Return the condition for texts with any word of `question`; () for one without words."""
    terms = dict.fromkeys([*question.words, *question.names])
    return any_of(list(terms)[:MAX_TERMS])


def any_of(terms: Iterable[str]) -> Clauses:
    """Return the condition for texts with any of `terms`, whatever characters they contain."""
    words = tuple(terms)
    return (words,) if words else ()


def all_of(terms: Iterable[str]) -> Clauses:
    """Return the condition for texts with every one of `terms`."""
    return tuple((term,) for term in terms)


def by_words(
    db: MemoryConnection, match: Clauses, filters: Filters, limit: int = RANKED, near: Sequence[int] = ()
) -> Matches:
    """Return at most `limit` memories that have a word of each clause of `match` and that `filters` admit, ranked by
    BM25. `near`: the numbers of the memories that were found by vectors.
    """
    if not match:
        return Matches([], 0, 0)
    rows = db.recall.matching(match, filters.narrowing(), limit, near)
    return Matches([(row[0], row[1]) for row in rows], *(rows[0][2:] if rows else (0, 0)))


def by_vector(db: MemoryConnection, vector: Vector, filters: Filters, limit: int = RANKED) -> list[tuple[int, float]]:
    """Return at most `limit` memories nearest to `vector` that `filters` admit, as (number, cosine), nearest first.
    They are preselected by the signs of the vectors, then compared by the full vectors.
    """
    if not vector.is_there:
        return []
    near = cosines(db, vector, db.recall.nearest(vector.vector, vector.model, filters.narrowing(), SIGNS))
    return [(number, cosine) for number, cosine in near if cosine >= LEAST_COSINE][:limit]


def cosines(db: MemoryConnection, vector: Vector, numbers: Sequence[int]) -> list[tuple[int, float]]:
    """Return the memories in `numbers` that have a vector, as (number, cosine with `vector`), nearest first."""
    return db.recall.cosines(vector.vector, vector.model, numbers) if vector.is_there else []


def words_in(text: str) -> set[str]:
    """Return the stems of the words of `text`; names are split into words."""
    return {stem(word) for word in read(text).words}


def place_of(text: str, words: Iterable[str]) -> int:
    """Return the position in `text` of the first of `words` that occurs; 0 when none does."""
    low = text.lower()
    return min((at for word in words if (at := low.find(word)) >= 0), default=0)


def distinctive_words(db: MemoryConnection, text: str) -> list[str]:
    """Return the words that distinguish `text` from other memories. These are those of its longest words that the
    fewest memories contain.
    """
    words = {word for name in read(text).words for word in split_words(name)}
    longest = sorted(words, key=lambda word: (-len(word), word))[:COUNTED]
    result = sorted(zip(db.recall.frequencies(longest), longest, strict=True))
    return [word for count, word in result if count][:DISTINCTIVE_WORDS]

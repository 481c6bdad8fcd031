"""The candidates of a memory search: one ranked list by words and one by vectors, before any memory is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from codeagentd.base.log import EventLog
from codeagentd.model.embedding import Embedder
from codeagentd.model.identifier_words import split_words
from codeagentd.query.retrieval.fts_expression import quoted
from codeagentd.query.retrieval.ranking import Query, read, stem
from codeagentd.store.connection import Database

from .memory_store import as_json
from .ranking import COUNTED, DISTINCTIVE_WORDS, LEAST_COSINE, RANKED, SIGNS

MAX_TERMS: Final = 32  # words of a question that are used at most

_log = EventLog(__name__)


class Filters(msgspec.Struct, frozen=True):
    """The filters of a search; None and [] do not filter."""

    type: str | None = None
    project: str | None = None
    tags: Sequence[str] = ()

    @property
    def are_set(self) -> bool:
        """Whether any filter is set."""
        return (self.type, self.project) != (None, None) or bool(self.tags)

    def parameters(self) -> dict[str, Any]:
        """Return the filters as parameters for the statements in recall.sql."""
        return {"type": self.type, "project": self.project, "tags": as_json(list(self.tags))}


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


def expression(question: Query) -> str:
    """Return an FTS5 expression for texts with any word of `question`; '' for one without words."""
    terms = dict.fromkeys([*question.words, *question.names])
    return any_of(list(terms)[:MAX_TERMS])


def any_of(terms: Iterable[str]) -> str:
    """Return an FTS5 expression for texts with any of `terms`, whatever characters they contain."""
    return " OR ".join(map(quoted, terms))


def all_of(terms: Iterable[str]) -> str:
    """Return an FTS5 expression for texts with every one of `terms`."""
    return " AND ".join(map(quoted, terms))


def by_words(db: Database, match: str, filters: Filters, limit: int = RANKED, near: Sequence[int] = ()) -> Matches:
    """Return at most `limit` memories that the FTS5 expression `match` finds and `filters` admit, ranked by BM25.
    `near`: the numbers of the memories that were found by vectors.
    """
    if not match:
        return Matches([], 0, 0)
    parameters = {"match": match, "limit": limit, "near": as_json(near)}
    rows = (
        db.all("recall.matching_filtered", parameters | filters.parameters())
        if filters.are_set
        else db.all("recall.matching", parameters)
    )
    return Matches([row[:2] for row in rows], *(rows[0][2:] if rows else (0, 0)))


def by_vector(db: Database, vector: Vector, filters: Filters, limit: int = RANKED) -> list[tuple[int, float]]:
    """Return at most `limit` memories nearest to `vector` that `filters` admit, as (number, cosine), nearest first.
    They are preselected by the signs of the vectors, then compared by the full vectors.
    """
    if not vector.is_there:
        return []
    parameters: dict[str, Any] = {
        "bits": db.value("recall.bits", (vector.vector,)),
        "model": vector.model,
        "limit": SIGNS,
    }
    rows = (
        db.all("recall.nearest_filtered", parameters | filters.parameters())
        if filters.are_set
        else db.all("recall.nearest", parameters)
    )
    near = cosines(db, vector, [row[0] for row in rows])
    return [(number, cosine) for number, cosine in near if cosine >= LEAST_COSINE][:limit]


def cosines(db: Database, vector: Vector, numbers: Sequence[int]) -> list[tuple[int, float]]:
    """Return the memories in `numbers` that have a vector, as (number, cosine with `vector`), nearest first."""
    parameters = {"vector": vector.vector, "model": vector.model, "numbers": as_json(list(numbers))}
    return db.all("recall.cosines", parameters) if vector.is_there else []


def words_in(text: str) -> set[str]:
    """Return the stems of the words of `text`; names are split into words."""
    return {stem(word) for word in read(text).words}


def place_of(text: str, words: Iterable[str]) -> int:
    """Return the position in `text` of the first of `words` that occurs; 0 when none does."""
    low = text.lower()
    return min((at for word in words if (at := low.find(word)) >= 0), default=0)


def distinctive_words(db: Database, text: str) -> list[str]:
    """Return the words that distinguish `text` from other memories. These are those of its longest words that the
    fewest memories contain.
    """
    words = {word for name in read(text).words for word in split_words(name)}
    longest = sorted(words, key=lambda word: (-len(word), word))[:COUNTED]
    result = sorted((db.value("recall.frequency", (any_of([word]),)), word) for word in longest)
    return [word for count, word in result if count][:DISTINCTIVE_WORDS]

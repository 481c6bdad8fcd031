"""Search over the memories of a PostgreSQL server: BM25 over a table of words, and signs of vectors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from codeagentd.store.memory_backend import Clauses, MemoryConnection, Narrowing, Row

from . import local_functions
from .signs import Signs, digits, numbers_of
from .word_rarities import WordRarities

K1: Final = 1.2  # of BM25, as in SQLite's bm25(); they are in the statements too
B: Final = 0.75
COUNTED: Final = 1_000  # memories up to which words are told apart by how many have them


class PostgresRecall:
    """Search over one connection."""

    def __init__(
        self, connection: MemoryConnection, rarities: WordRarities, signs: Signs, *, has_pgvector: bool
    ) -> None:
        self._db = connection
        self._rarities = rarities
        self._signs = signs
        self._has_pgvector = has_pgvector

    def matching(self, clauses: Clauses, narrowing: Narrowing, limit: int, near: Sequence[int]) -> list[Row]:
        """Return the best `limit` memories by words, as Recall says."""
        terms: list[tuple[str, int, int]] = []  # (word, number of its phrase, number of its clause)
        phrases = used = 0
        for clause in clauses:
            split = [words for text in clause if (words := list(dict.fromkeys(local_functions.words(text))))]
            used += bool(split)
            for phrase in split:
                phrases += 1
                terms += [(word, phrases, used) for word in phrase]
        if not terms:
            return []
        if used == 1 and phrases == len(terms):
            return self._matching_words([word for word, _, _ in terms], narrowing, limit, near)
        parameters = narrowing._asdict() | {
            "words": [word for word, _, _ in terms],
            "phrases": [phrase for _, phrase, _ in terms],
            "clauses": [clause for _, _, clause in terms],
            "all": used,
            "limit": limit,
            "near": json.dumps(list(near)),
        }
        return self._db.all("recall.matching", parameters)

    def _matching_words(self, words: Sequence[str], narrowing: Narrowing, limit: int, near: Sequence[int]) -> list[Row]:
        """As `matching`, for memories with any of `words`, each a single one."""
        rarities = self._rarities.of(words, self._counts)
        parameters = narrowing._asdict() | {
            "words": words,
            "idfs": rarities.idfs,
            "length": K1 * B / rarities.mean,
            "limit": limit,
        }
        matches = self._db.all("recall.matching_words", parameters)
        both = 0
        if near and matches:
            both = self._db.value("recall.matching_near", {"words": words, "near": json.dumps(list(near))})
        return [(*match, both) for match in matches]

    def _counts(self, words: Sequence[str]) -> list[Any]:
        return self._db.all("recall.frequencies", {"words": words, "phrases": [*range(len(words))]})

    def frequencies(self, words: Sequence[str]) -> list[int]:
        """Return how many memories have each of `words`, at most COUNTED."""
        stems = [dict.fromkeys(local_functions.words(word)) for word in words]
        pairs = [(stem, number) for number, parts in enumerate(stems) for stem in parts]
        values = {"words": [stem for stem, _ in pairs], "phrases": [number for _, number in pairs], "most": COUNTED}
        counts: dict[int, int] = dict(self._db.all("recall.rarest", values))
        return [counts.get(number, 0) for number in range(len(stems))]

    def put_words(self, number: int, title: str, content: str, tags: str) -> None:
        """Store the words of a memory that has none yet."""
        weights, length = local_functions.weights(title, content, tags)
        values = {"number": number, "words": [*weights], "weights": [*weights.values()], "length": length}
        self._db.run("memory.put_words", values)

    def put_vector(self, number: int, digest: bytes, model: int, vector: bytes) -> None:
        """Store the vector of a memory that has none. `digest`: of its text."""
        values = {"number": number, "digest": digest, "model": model, "vector": vector}
        if self._has_pgvector:
            self._db.run("recall.put_embedding", values | {"numbers": numbers_of(vector)})
        else:
            self._db.run("recall.put_vector", values)
        self._db.run("recall.put_bits", {"number": number, "model": model, "bits": digits(vector)})

    def nearest(self, vector: bytes, model: int, narrowing: Narrowing, limit: int) -> list[int]:
        """Return the `limit` memories whose vectors have the signs most like those of `vector`."""
        if narrowing.tags == "[]":
            return self._signs.nearest(self._db, vector, model, narrowing, limit)
        parameters = {"bits": digits(vector), "model": model, "limit": limit} | narrowing._asdict()
        return [number for (number,) in self._db.all("recall.nearest", parameters)]

    def cosines(self, vector: bytes, model: int, numbers: Sequence[int]) -> list[tuple[int, float]]:
        """Return those of `numbers` that have a vector, as (number, cosine with `vector`), nearest first."""
        parameters: dict[str, Any] = {"model": model, "numbers": json.dumps(list(numbers))}
        if self._has_pgvector:
            rows = self._db.all("recall.cosines", parameters | {"vector": numbers_of(vector)})
            return [(number, cosine) for number, cosine in rows]
        rows = self._db.all("recall.vectors", parameters)
        return local_functions.cosines(vector, ((number, bytes(other)) for number, other in rows))

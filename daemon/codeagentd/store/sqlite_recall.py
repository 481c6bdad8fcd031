"""Search over the memories of an SQLite database: FTS5, and sqlite-vec's functions over stored vectors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from .memory_backend import Clauses, MemoryConnection, Narrowing, Row

_ANYTHING: Final = Narrowing()


class SqliteRecall:
    """Search over one connection."""

    def __init__(self, database: MemoryConnection) -> None:
        self._db = database

    def matching(self, clauses: Clauses, narrowing: Narrowing, limit: int, near: Sequence[int]) -> list[Row]:
        """Return the best `limit` memories by words, as Recall says."""
        parameters = {"match": fts_expression(clauses), "limit": limit, "near": json.dumps(list(near))}
        if narrowing == _ANYTHING:
            return self._db.all("recall.matching", parameters)
        return self._db.all("recall.matching_filtered", parameters | narrowing._asdict())

    def frequencies(self, words: Sequence[str]) -> list[int]:
        """Return how many memories have each of `words`."""
        return [int(self._db.value("recall.frequency", (fts_expression([[word]]),))) for word in words]

    def put_words(self, number: int, title: str, content: str, tags: str) -> None:
        """Store the words of a memory that has none yet."""
        self._db.run("memory.put_words", (number, title, content, tags))

    def put_vector(self, number: int, digest: bytes, model: int, vector: bytes) -> None:
        """Store the vector of a memory that has none. `digest`: of its text."""
        self._db.run("recall.put_vector", (digest, model, vector))
        self._db.run("recall.put_bits", {"number": number, "model": model, "bits": self._bits(vector)})

    def nearest(self, vector: bytes, model: int, narrowing: Narrowing, limit: int) -> list[int]:
        """Return the `limit` memories whose vectors have the signs most like those of `vector`."""
        parameters = {"bits": self._bits(vector), "model": model, "limit": limit}
        if narrowing == _ANYTHING:
            return [number for (number,) in self._db.all("recall.nearest", parameters)]
        return [number for (number,) in self._db.all("recall.nearest_filtered", parameters | narrowing._asdict())]

    def cosines(self, vector: bytes, model: int, numbers: Sequence[int]) -> list[tuple[int, float]]:
        """Return those of `numbers` that have a vector, as (number, cosine with `vector`), nearest first."""
        parameters = {"vector": vector, "model": model, "numbers": json.dumps(list(numbers))}
        return [(number, cosine) for number, cosine in self._db.all("recall.cosines", parameters)]

    def _bits(self, vector: bytes) -> bytes:
        return bytes(self._db.value("recall.bits", (vector,)))


def fts_expression(clauses: Clauses) -> str:
    """Return an FTS5 expression for texts with a word of each clause, whatever characters the words contain."""
    return " AND ".join(f"({' OR '.join(map(_quoted, words))})" for words in clauses)


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'

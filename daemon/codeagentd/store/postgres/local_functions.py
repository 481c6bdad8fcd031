"""What PostgreSQL lacks and SQLite has: FTS5's tokenizer, so that words are the same everywhere, and exact cosines."""

from __future__ import annotations

import functools
import threading
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import apsw

from codeagentd.store.connection import VECTOR_EXTENSION

TITLE: Final = 3.0  # weights of words, those of store/sql/recall.sql
TAG: Final = 2.0

_lock = threading.Lock()


def sqlite() -> apsw.Connection:
    """Return a new database in memory with the functions of sqlite-vec."""
    connection = apsw.Connection(":memory:")
    connection.enable_load_extension(True)
    connection.load_extension(VECTOR_EXTENSION)
    connection.enable_load_extension(False)
    return connection


@functools.cache
def _sqlite() -> apsw.Connection:
    return sqlite()


@functools.cache
def _tokenizer() -> apsw.FTS5Tokenizer:
    return _sqlite().fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])  # as memory_fts in 0001_memory


def words(text: str) -> list[str]:
    """Return the words of `text` as FTS5 stores them: stems without diacritics, in their order."""
    with _lock:
        tokens = _tokenizer()(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)
    return [word for together in tokens for word in together if isinstance(word, str)]


def _number(rows: list[tuple[Any, ...]]) -> float:
    return float(rows[0][0])


def weights(title: str, content: str, tags: str) -> tuple[dict[str, float], int]:
    """Return the weight of each word of a memory, and how many words it has."""
    total: Counter[str] = Counter()
    length = 0
    for text, weight in ((title, TITLE), (content, 1.0), (tags, TAG)):
        stems = words(text)
        length += len(stems)
        for word in stems:
            total[word] += weight  # type: ignore[assignment]
    return dict(total), length


def cosines(vector: bytes, others: Iterable[tuple[int, bytes]]) -> list[tuple[int, float]]:
    """Return (number, cosine with `vector`) of `others`, (number, vector) pairs, nearest first."""
    with _lock:
        cursor = _sqlite().cursor()
        result = [
            (number, 1 - _number(cursor.execute("SELECT vec_distance_cosine(?, ?)", (vector, other)).fetchall()))
            for number, other in others
        ]
    return sorted(result, key=lambda pair: (-pair[1], pair[0]))

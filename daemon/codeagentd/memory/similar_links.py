"""Links between similar memories, created in the transaction that writes one of them."""

from __future__ import annotations

import time
from typing import NamedTuple

from codeagentd.model.memory import LinkView, SimilarView
from codeagentd.store.memory_backend import MemoryConnection

from .candidates import Filters, Vector, any_of, by_vector, by_words, distinctive_words, words_in
from .memory_rows import Row, rows_of, snippet
from .ranking import LIKE_COSINE, LIKE_WORDS, LINKS, MAX_COMPARED, SAME_COSINE, SAME_WORDS, likeness


class SimilarMemory(NamedTuple):
    """A memory with its similarity to another: the cosine of the vectors, else the share of common words."""

    row: Row
    similarity: float
    is_same: bool


def similar_memories(db: MemoryConnection, row: Row, vector: Vector) -> list[SimilarMemory]:
    """Return the memories that are similar enough to `row` to be linked to it, most similar first."""
    near = _by_vector(db, row, vector) if vector.is_there else _by_words(db, row)
    return sorted(near, key=lambda like: (-like.similarity, like.row.number))


def _by_vector(db: MemoryConnection, row: Row, vector: Vector) -> list[SimilarMemory]:
    near = {
        number: cosine
        for number, cosine in by_vector(db, vector, Filters(), MAX_COMPARED)
        if cosine >= LIKE_COSINE and number != row.number
    }
    return [
        SimilarMemory(other, near[number], near[number] >= SAME_COSINE) for number, other in rows_of(db, near).items()
    ]


def _by_words(db: MemoryConnection, row: Row) -> list[SimilarMemory]:
    text = _text(row)
    matches = by_words(db, any_of(distinctive_words(db, text)), Filters(), MAX_COMPARED)
    own = words_in(text)
    others = [
        (other, likeness(own, words_in(_text(other))))
        for other in rows_of(db, [number for number, _ in matches.ranked if number != row.number]).values()
    ]
    return [SimilarMemory(other, share, share >= SAME_WORDS) for other, share in others if share >= LIKE_WORDS]


def _text(row: Row) -> str:
    return f"{row.title}\n{row.content}"


def relink(db: MemoryConnection, row: Row, near: list[SimilarMemory], reason: str) -> list[LinkView]:
    """Link the memory `row` to the most similar ones of `near`, and remove its earlier automatic links; links made by
    users stay. Returns the new links.
    """
    db.run("memory.delete_found_links", (row.number, row.number))
    links = []
    for like in near[:LINKS]:
        strength = round(like.similarity, 3)
        values = {
            "source": row.number,
            "target": like.row.number,
            "reason": reason,
            "strength": strength,
            "automatic": 1,
            "now": time.time(),
        }
        db.run("memory.put_link", values)
        links.append(LinkView(like.row.id, strength, like.row.title, reason))
    return links


def duplicates(row: Row, near: list[SimilarMemory]) -> list[SimilarView]:
    """Return those memories of `near` that have the type and nearly the text of `row`: one of the two is redundant."""
    return [
        SimilarView(like.row.id, round(like.similarity, 3), like.row.title, snippet(like.row.content))
        for like in near
        if like.is_same and like.row.type == row.type and like.row.project == row.project
    ][:LINKS]

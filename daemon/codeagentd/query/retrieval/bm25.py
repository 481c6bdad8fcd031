"""Ranking of pieces by BM25, without scoring every piece that has only common words of a question."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

from codeagentd.store.connection import Database

from .fts_expression import quoted

# FTS5's bm25(): a word adds at most (k1 + 1) times its weight, with k1 = 1.2, and a word of more than half of all
# pieces has the weight 1e-6. https://www.sqlite.org/fts5.html
MOST_OF_WEIGHT: Final = 2.2
LEAST_WEIGHT: Final = 1e-6
# factor of the rarest word's weight that the words set aside may have together: with .6 fewer words are set aside, with
# 1.4 they too often turn out to matter
COMMON: Final = 1.0


def having(db: Database, words: Iterable[str]) -> dict[str, int]:
    """Return the number of pieces that contain each of `words`, by word."""
    return {word: db.value("chunks.having", (quoted(word),)) for word in words}


def ranked_pieces(db: Database, counted: Mapping[str, int], limit: int) -> dict[int, float]:
    """Return the best `limit` pieces that contain any of these words, with their BM25, by the id of the piece (smaller
    is better). `counted` is the number of pieces that contain each word.

    First, pieces with one of the rarer words are ranked by all words. That is the answer if even the last of them
    scores more than the common words together could give (MaxScore: Turtle and Flood, Query evaluation, 1995); else all
    pieces are ranked.
    """
    weights = _weights(counted, db.value("chunks.count"))
    common = _common(weights)
    if common:
        some, others = _any(weights.keys() - common), _any(common)
        collected = dict(_ranked(db, some, limit))
        collected |= _ranked(db, f"({some}) AND ({others})", limit)
        best = sorted(collected.items(), key=lambda item: (item[1], item[0]))[:limit]
        if len(best) == limit and -best[-1][1] >= _most(weights[word] for word in common):
            return dict(best)
    return dict(_ranked(db, _any(weights), limit)) if weights else {}


def _weights(counted: Mapping[str, int], total: int) -> dict[str, float]:
    """The BM25 weight of each word that occurs in the index."""
    return {
        word: max(LEAST_WEIGHT, math.log((max(total - count, 0) + 0.5) / (count + 0.5)))
        for word, count in counted.items()
        if count
    }


def _common(weights: dict[str, float]) -> list[str]:
    """The most common words: as many as have a small weight together, compared with the rarest word."""
    result: list[str] = []
    for word in sorted(weights, key=weights.__getitem__)[:-1]:
        if _most(weights[other] for other in (*result, word)) > COMMON * max(weights.values()):
            break
        result.append(word)
    return result


def _most(weights: Iterable[float]) -> float:
    return MOST_OF_WEIGHT * sum(weights)


def _ranked(db: Database, match: str, limit: int) -> list[tuple[int, float]]:
    return db.all("chunks.ranked", (match, limit))


def _any(words: Iterable[str]) -> str:
    return " OR ".join(map(quoted, words))

"""Ranking of pieces by BM25, with a bound on the pieces that are ranked for one question."""

from __future__ import annotations

import itertools
import math
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from codeagentd.store.connection import Database
from codeagentd.store.fts_weights import Weights, bound

from .fts_expression import quoted

# FTS5's bm25(): a word adds at most (k1 + 1) times its weight, with k1 = 1.2, and a word of more than half of all
# pieces has the weight 1e-6. https://www.sqlite.org/fts5.html
MOST_OF_WEIGHT: Final = 2.2
LEAST_WEIGHT: Final = 1e-6
# factor of the rarest word's weight that the words set aside may have together: with .6 fewer words are set aside, with
# 1.4 they too often turn out to matter
COMMON: Final = 1.0
COUNTED: Final = 50_000  # pieces that are counted for one word; how many more have it is estimated
KEPT_FROM: Final = 1_000  # pieces with a word from which their number is kept: counting 50,000 takes 2.5 ms
MOST_KEPT: Final = 5_000  # words whose numbers are kept for one connection
KEPT_WHILE: Final = 0.01  # share of the pieces that may come or go before the kept numbers are counted again
# pieces with one of the rarer words that are ranked for one question: FTS5 ranks 1,000 in 1.3 ms, and the common words
# in them take a function in Python 4 us each; docs/decisions/0010-ranking.md has what fewer cost
RANKED: Final = 5_000
WHOLE: Final = 12_000  # pieces with any of the words up to which all are ranked, by FTS5 alone
SAMPLED: Final = 1_000  # pieces with only common words that are ranked for one question
JOINED: Final = 3  # common words that such a piece is chosen by


class Weighed(NamedTuple):
    """The words of a question by their weight in BM25, the rarest first, and the pieces that have each."""

    weights: Mapping[str, float]
    counted: Mapping[str, int]

    def having(self, words: Iterable[str]) -> int:
        """The number of pieces with one of `words`, or a few more."""
        return sum(self.counted[word] for word in words)

    def most(self, words: Iterable[str]) -> float:
        """The most that `words` can add to a piece's figure."""
        return MOST_OF_WEIGHT * sum(self.weights[word] for word in words)


class _WordCounts(NamedTuple):
    """The numbers of pieces that have common words, from when there were `total` pieces."""

    total: int
    counts: dict[str, int]


_word_counts: Final[weakref.WeakKeyDictionary[Database, _WordCounts]] = weakref.WeakKeyDictionary()


class _Ranking(NamedTuple):
    """The best pieces that were ranked, and whether no other piece can be among them."""

    figures: dict[int, float]
    is_answer: bool


def total_pieces(db: Database) -> int:
    """Return the number of pieces in the index."""
    return _first_varint(db.value("chunks.totals", (), b""))


def having(db: Database, words: Iterable[str]) -> dict[str, int]:
    """Return the number of pieces that contain each of `words`, by word. Only COUNTED are counted; how many more there
    are is estimated from how far these reach. The numbers of common words are kept.
    """
    total = total_pieces(db)
    memo = _word_counts.get(db)
    if memo is None or abs(total - memo.total) > KEPT_WHILE * memo.total or len(memo.counts) > MOST_KEPT:
        memo = _word_counts[db] = _WordCounts(total, {})
    return {word: memo.counts[word] if word in memo.counts else _having(db, word, memo.counts) for word in words}


def ranked_pieces(db: Database, counted: Mapping[str, int], limit: int) -> dict[int, float]:
    """Return the best `limit` pieces that contain any of these words, with their BM25, by the id of the piece (smaller
    is better). `counted` is the number of pieces that contain each word.

    First, pieces with one of the rarer words are ranked by all words. That is the answer if even the last of them
    scores more than the common words together could give (MaxScore: Turtle and Flood, Query evaluation, 1995). Else all
    pieces are ranked, if they are at most WHOLE. Of more, RANKED with the rarest words are ranked, and SAMPLED of those
    that have only common words: first those that have several of them.
    """
    weighed = _weighed(counted, total_pieces(db))
    every = [*weighed.weights]
    rare = _affordable(weighed, every[: len(every) - len(_common(weighed))])
    first = _with_rare(db, weighed, rare, limit) if weighed.having(rare) >= limit and len(rare) < len(every) else None
    if first is not None and first.is_answer:
        return first.figures
    if weighed.having(every) <= max(WHOLE, RANKED):
        return dict(_ranked(db, _any(every), limit)) if every else {}
    affordable = _affordable(weighed, every)
    result = first if first is not None and affordable == rare else _with_rare(db, weighed, affordable, limit)
    if result.is_answer:
        return result.figures
    return _best(result.figures | _sampled(db, weighed, every[len(affordable) :], limit, result.figures), limit)


def word_weight(count: int, total: int, least: float = LEAST_WEIGHT) -> float:
    """Return the weight in BM25 of a word that `count` of `total` pieces contain."""
    return max(least, math.log((max(total - count, 0) + 0.5) / (count + 0.5)))


def _having(db: Database, word: str, counts: dict[str, int]) -> int:
    count, last = db.row("chunks.having_to", (quoted(word), COUNTED)) or (0, 0)
    if count >= COUNTED:
        first, end = db.row("chunks.ends") or (0, 0)
        count = int(count * max(1, end - first) / max(1, last - first))
    if count >= KEPT_FROM:
        counts[word] = count
    return int(count)


def _first_varint(block: bytes) -> int:
    """The first number of a record of FTS5: seven bits in each byte, the last one below 128."""
    result = 0
    for byte in block:
        result = result << 7 | byte & 127
        if byte < 128:
            break
    return result


def _weighed(counted: Mapping[str, int], total: int) -> Weighed:
    """The words that occur in the index."""
    weights = {word: word_weight(count, total) for word, count in counted.items() if count}
    return Weighed({word: weights[word] for word in sorted(weights, key=weights.__getitem__, reverse=True)}, counted)


def _common(weighed: Weighed) -> list[str]:
    """The most common words: as many as have a small weight together, compared with the rarest word."""
    result: list[str] = []
    for word in [*reversed([*weighed.weights])][:-1]:
        if weighed.most((*result, word)) > COMMON * max(weighed.weights.values()):
            break
        result.append(word)
    return result


def _affordable(weighed: Weighed, words: Sequence[str]) -> list[str]:
    """The first of `words` whose pieces can all be ranked."""
    result: list[str] = []
    for word in words:
        if weighed.having([*result, word]) > RANKED:
            break
        result.append(word)
    return result


def _with_rare(db: Database, weighed: Weighed, rare: Sequence[str], limit: int) -> _Ranking:
    """The best pieces with a rare word, by all words."""
    if not rare:
        return _Ranking({}, False)
    common = [word for word in weighed.weights if word not in rare]
    figures = dict(_ranked(db, _any(rare), RANKED))  # the best first
    added = weighed.most(common)
    least = -next(itertools.islice(figures.values(), limit - 1, None), 0.0)
    able = {piece: figure for piece, figure in figures.items() if added - figure >= least}
    weights = Weights([0.0] * len(rare) + [weighed.weights[word] for word in common], able)
    for piece, figure in _weighed_pieces(db, f"({_any(rare)}) AND ({_any(common)})", weights, RANKED):
        if figure:
            able[piece] += figure
    best = _best(able, limit)
    is_answer = len(best) == limit and -max(best.values()) >= added
    return _Ranking(best, is_answer)


def _sampled(
    db: Database, weighed: Weighed, common: Sequence[str], limit: int, known: Mapping[int, float]
) -> dict[int, float]:
    """The figures of some pieces that have only common words."""
    figures: dict[int, float] = {}
    left = SAMPLED
    for match in _tiers(common[:JOINED], is_rest=len(known) < limit):
        if left <= 0:
            break
        weights = Weights([0.0] * (match.count('"') // 2) + [weighed.weights[word] for word in common])
        rows = _weighed_pieces(db, f"({match}) AND ({_any(common)})", weights, left)
        left -= len(rows)
        figures |= dict(rows)
    return {piece: figure for piece, figure in figures.items() if piece not in known}


def _tiers(words: Sequence[str], *, is_rest: bool) -> Iterator[str]:
    """Expressions for pieces with some of `words`, those that answer most likely first."""
    several = " AND ".join(map(quoted, words))
    if len(words) > 1:
        yield f"{{path names}} : ({several})"
        yield several
    if is_rest:
        yield f"names : ({_any(words)})"
        yield _any(words)


def _best(figures: Mapping[int, float], limit: int) -> dict[int, float]:
    ordered = sorted(zip(figures.values(), figures, strict=True))
    return {piece: figure for figure, piece in ordered[:limit]}


def _weighed_pieces(db: Database, match: str, weights: Weights, limit: int) -> list[tuple[int, float]]:
    return db.all("chunks.weighed", {"match": match, "weights": bound(weights), "limit": limit})


def _ranked(db: Database, match: str, limit: int) -> list[tuple[int, float]]:
    return db.all("chunks.ranked", (match, limit))


def _any(words: Iterable[str]) -> str:
    return " OR ".join(map(quoted, words))

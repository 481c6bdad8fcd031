"""BM25 with given weights of words, as a function for full-text statements: FTS5's own `bm25` looks at all rows of each
word before it gives the first figure.
"""

from __future__ import annotations

import contextlib
from collections.abc import Container, Sequence
from typing import Any, Final, NamedTuple

import apsw

NAME: Final = "weighed_bm25"

# the constants of FTS5's bm25(): https://www.sqlite.org/fts5.html#the_bm25_function
_K1: Final = 1.2
_B: Final = 0.75


class Weights(NamedTuple):
    """The weights of a statement's words, in their order; 0 for a word that does not count. `rows` are the only ones
    that are ranked, None for all.
    """

    words: Sequence[float]
    rows: Container[int] | None = None


class _Counting(NamedTuple):
    """What all rows of one statement have in common."""

    words: list[tuple[int, float]]
    columns: tuple[float, ...]
    rows: Container[int] | None
    average: float


def bound(weights: Weights) -> object:
    """Return `weights` as a parameter of a statement."""
    return apsw.pyobject(weights)


def register(connection: apsw.Connection) -> None:
    """Let statements of `connection` call weighed_bm25(table, weights, factor of each column): what bm25() would be
    with these weights, the smaller the better.
    """
    with contextlib.suppress(apsw.NoFTS5Error):  # of a damaged file; the next statement says that it is
        connection.register_fts5_function(NAME, _weighed)


def _weighed(row: apsw.FTS5ExtensionApi, *parameters: Any) -> float:
    shared: _Counting | None = row.aux_data
    if shared is None:
        weights, *columns = parameters
        words = [(number, weight) for number, weight in enumerate(weights.words) if weight]
        average = row.column_total_size(-1) / max(1, row.row_count)
        shared = row.aux_data = _Counting(words, tuple(columns), weights.rows, average)
    if shared.rows is not None and row.rowid not in shared.rows:
        return 0.0
    length = _K1 * (1 - _B + _B * row.column_size(-1) / shared.average)
    figure = 0.0
    for number, weight in shared.words:
        count = 0.0
        for places, factor in zip(row.phrase_locations(number), shared.columns, strict=True):
            if places:
                count += factor * len(places)
        if count:
            figure -= weight * count * (_K1 + 1) / (count + length)
    return figure

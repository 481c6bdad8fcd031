"""Slices of long answers: some items, and the sort key after which the next ones begin."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T")
Key = tuple[Any, ...]


class Slice(msgspec.Struct, Generic[T], frozen=True):
    """Items in order; `after` is the sort key of the last one if more follow; `note` states in words what else could
    belong to the answer.

    A sort key is a position in the order, not a number of items, so that the next slice neither repeats nor skips items
    when the index has changed.
    """

    items: list[T]
    after: Key | None = None
    note: str = ""


def cut(rows: list[Key], limit: int, key_length: int) -> tuple[list[Key], Key | None]:
    """Return the first `limit` of `rows`, which were fetched with one to spare, and the key (the first `key_length`
    columns of the last one) after which the rest begins; None if there is no rest.
    """
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], rows[limit - 1][:key_length]

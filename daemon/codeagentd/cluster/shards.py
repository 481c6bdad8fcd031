"""Shards: equal parts of the work on one repository, the same on every machine that counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

from codeagent_protocol.errors import InvalidParameter

MOST_SHARDS: Final = 1_000_000  # a repository of a billion lines has some 1.5 million files
MOST_DIGITS: Final = 7  # of such a number
GROUPS_A_RUN: Final = 4  # a folder with more bytes than this part of a run may be divided

Item = TypeVar("Item")


class Shard(NamedTuple):
    """The `number`-th (from 1) of `parts` shards."""

    number: int
    parts: int

    @classmethod
    def parse(cls, text: str, parameter: str = "shard") -> Shard:
        """Return the shard that `text` names, such as 2/3. Errors: invalid_parameter."""
        first, slash, last = text.partition("/")
        if slash and all(part.isascii() and part.isdecimal() and len(part) <= MOST_DIGITS for part in (first, last)):
            shard = cls(int(first), int(last))
            if 1 <= shard.number <= shard.parts <= MOST_SHARDS:
                return shard
        raise InvalidParameter(
            f"{text!r} is no shard",
            remedy=f"pass I/N with 1 <= I <= N <= {MOST_SHARDS}: 1/3, 2/3 and 3/3 are all of it",
            parameter=parameter,
        )

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"


def divided(
    items: Sequence[Item], count: int, path: Callable[[Item], str], size: Callable[[Item], int]
) -> list[list[Item]]:
    """Divide `items`, sorted by `path`, into at most `count` runs of about the same size. Files of a folder stay
    together unless they are many.
    """
    total = sum(map(size, items)) or 1
    runs: list[list[Item]] = [[] for _ in range(count)]
    before = 0
    for group in _groups(items, total // (count * GROUPS_A_RUN), path, size):
        weight = sum(map(size, group))
        runs[min(count - 1, (2 * before + weight) * count // (2 * total))] += group
        before += weight
    return [run for run in runs if run]


def range_of(shard: Shard, count: int) -> range:
    """Return which of `count` things in a row are the shard's."""
    return range((shard.number - 1) * count // shard.parts, shard.number * count // shard.parts)


def _groups(
    items: Iterable[Item], most: int, path: Callable[[Item], str], size: Callable[[Item], int]
) -> Iterator[list[Item]]:
    """Yield runs of items of one folder, of at most `most` bytes unless a single one has more."""
    for _, members in groupby(items, lambda item: path(item).rpartition("/")[0]):
        group: list[Item] = []
        weight = 0
        for item in members:
            if group and weight + size(item) > most:
                yield group
                group, weight = [], 0
            group.append(item)
            weight += size(item)
        yield group

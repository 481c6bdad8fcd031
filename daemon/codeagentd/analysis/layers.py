"""Layers: parts of a program in rows, so that most uses lead from a row to one below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

WEIGHTY: Final = 0.1  # share of the most frequent use of a part, below which a use decides nothing


class Against(NamedTuple):
    """Uses that lead upwards: from a part to one above it, and how many there are."""

    source: int
    target: int
    times: int


class Layers(NamedTuple):
    """The parts in rows, from those that use the others to those that all others use; and the uses against that order,
    the most frequent first.
    """

    rows: list[list[int]]
    against: list[Against]


def layers(count: int, uses: Mapping[tuple[int, int], int]) -> Layers:
    """Return the layers of the parts 0 to `count` - 1. `uses`: how often the first part of a pair uses the second.

    The order is that of Eades, Lin and Smyth (1993), in which few uses lead backwards; a part stands in the row below
    the lowest of those that use it.
    """
    weighty = _weighty(count, uses)
    order = _order(count, weighty)
    place = {part: at for at, part in enumerate(order)}
    level = dict.fromkeys(order, 0)
    for part in order:
        for source, target in weighty:
            if source == part and place[target] > place[part]:
                level[target] = max(level[target], level[part] + 1)
    rows: list[list[int]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for part in sorted(order):
        rows[level[part]].append(part)
    against = [
        Against(source, target, number)
        for (source, target), number in uses.items()
        if source in level and target in level and level[source] > level[target]
    ]
    return Layers(rows, sorted(against, key=lambda use: (-use.times, use.source, use.target)))


def _weighty(count: int, uses: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """The uses that decide: of two parts that use each other the more frequent way, without those that are rare."""
    most: dict[int, int] = {}
    for (source, target), number in uses.items():
        if source < count and target < count:
            most[source] = max(most.get(source, 0), number)
    return {
        (source, target): number
        for (source, target), number in sorted(uses.items())
        if source < count
        and target < count
        and source != target
        and number > uses.get((target, source), 0)
        and number >= WEIGHTY * most[source]
    }


def _order(count: int, uses: Mapping[tuple[int, int], int]) -> list[int]:
    first: list[int] = []
    last: list[int] = []
    left = set(range(count))
    while left:
        outgoing = dict.fromkeys(sorted(left), 0)
        incoming = dict(outgoing)
        for (source, target), number in uses.items():
            if source in left and target in left:
                outgoing[source] += number
                incoming[target] += number
        if sinks := [part for part in outgoing if not outgoing[part]]:
            last += reversed(sinks)
            left.difference_update(sinks)
        elif sources := [part for part in outgoing if not incoming[part]]:
            first += sources
            left.difference_update(sources)
        else:
            chosen = max(outgoing, key=lambda part: (outgoing[part] - incoming[part], -part))
            first.append(chosen)
            left.remove(chosen)
    return [*first, *reversed(last)]

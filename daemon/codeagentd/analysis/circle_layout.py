"""The places of the map: a circle for each community, and the members inside of it.

The same graph gets the same places. Nothing is random, nothing is timed, and coordinates are rounded. Units are pixels
of the map at its natural size.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

SPACING: Final = 12.0  # between two members of a community, about
RIM: Final = 8.0  # between the outermost members and the circle
GAP: Final = 24.0  # between two communities
MOST_PACKED: Final = 260  # communities that are placed by their edges: the work grows with the square of their number
ALWAYS_PACKED: Final = 20  # the largest, also without edges to others
LEAST_PACKED: Final = 3  # members of such a community; smaller ones stand around the others
DIRECTIONS: Final = 16  # in which a free place is looked for
ROUNDS: Final = 2  # in which each is placed again
ALONE: Final = 0.2  # how much it counts to be large, next to the edges with communities that are placed already
TIES_EACH: Final = 4  # edges of a community that say where it belongs
DIGITS: Final = 1

_TURN: Final = math.pi * (3 - math.sqrt(5))  # the golden angle: spreads evenly around a centre
_RAY: Final = 2 * math.pi / DIRECTIONS

_TO_MIDDLE: Final = 0.25  # how much the middle of the map pulls, next to all communities with which there are edges

Pair = tuple[int, int]
_Circle = tuple[float, float, float]  # a centre and a radius, or a weight


class Tie(NamedTuple):
    """The edges between two communities, given by their indexes. `strength`: their share of all edges of both."""

    first: int
    second: int
    edges: int
    strength: float


class Circles(NamedTuple):
    """Centres and radii by the index of the community. `order`: without empty ones; first those placed by their edges,
    `packed` in number, then those around them; both from the largest to the smallest. `ties`: the edges that say most,
    the most numerous first.
    """

    x: list[float]
    y: list[float]
    radius: list[float]
    order: list[int]
    packed: int
    ties: list[Tie]

    def columns(self) -> dict[str, Any]:
        """Return the circles as columns for the script that draws them."""
        ties = [[tie.first, tie.second, tie.edges] for tie in self.ties]
        return {
            "x": self.x, "y": self.y, "radius": self.radius, "order": self.order, "packed": self.packed, "ties": ties,
        }  # fmt: skip


class Spots(NamedTuple):
    """The places of members relative to the centre of their community, in the order in which they were given."""

    x: list[float]
    y: list[float]


def radius_of(size: int) -> float:
    """Return the radius of the circle of a community with `size` members."""
    return round(SPACING * 0.62 * math.sqrt(size) + RIM, DIGITS)


def place_communities(sizes: Sequence[int], between: Mapping[Pair, int]) -> Circles:
    """Return a circle for each community with members, none over another. Those with most edges between them are near
    to each other. `between`: the number of edges for a pair of indexes, the lower one first.
    """
    order = sorted((index for index, size in enumerate(sizes) if size), key=lambda index: (-sizes[index], index))
    large = [index for index in order if sizes[index] >= LEAST_PACKED] or order
    packed = order if len(order) <= MOST_PACKED else large[:MOST_PACKED]
    ties = _strongest(between, set(packed))
    tied = {end for tie in ties for end in (tie.first, tie.second)}
    packed = packed[:ALWAYS_PACKED] + [index for index in packed[ALWAYS_PACKED:] if index in tied]
    is_packed = set(packed)
    order = packed + [index for index in order if index not in is_packed]
    x, y, radius = [0.0] * len(sizes), [0.0] * len(sizes), [radius_of(size) if size else 0.0 for size in sizes]
    _pack(packed, ties, x, y, radius)
    edge = max((math.hypot(x[index], y[index]) + radius[index] for index in packed), default=0.0)
    _surround(order[len(packed) :], x, y, radius, edge + GAP)
    ties.sort(key=lambda tie: (-tie.edges, tie.first, tie.second))
    return Circles(x, y, radius, order, len(packed), ties)


def place_members(ranks: Sequence[int], radius: float) -> Spots:
    """Return a place for each member of a community whose circle has this radius. Members are given with the most
    connected first, which are placed in the middle. `ranks`: their order in files and lines; members of one file lie in
    one direction.
    """
    count, rim = len(ranks), radius - RIM
    x, y = [0.0] * count, [0.0] * count
    if count < 2:
        return Spots(x, y)
    start, width = 0, 1
    while start < count:  # a band of places that are about as far from the centre
        end = min(count, start + width)
        turns = sorted(range(start, end), key=lambda place: place * _TURN % (2 * math.pi))
        for place, member in zip(turns, sorted(range(start, end), key=ranks.__getitem__), strict=True):
            far = rim * math.sqrt((place + 0.5) / count)
            x[member] = round(far * math.cos(place * _TURN), DIGITS)
            y[member] = round(far * math.sin(place * _TURN), DIGITS)
        start, width = end, width + 2
    return Spots(x, y)


def _strongest(between: Mapping[Pair, int], chosen: set[int]) -> list[Tie]:
    """The few edges of each community that say most about where it belongs: many, for what both ends have in all."""
    inside = {pair: count for pair, count in between.items() if chosen.issuperset(pair)}
    total: dict[int, int] = defaultdict(int)
    for pair, count in inside.items():
        for end in pair:
            total[end] += count
    ties = [
        Tie(first, second, count, count / math.sqrt(total[first] * total[second]))
        for (first, second), count in inside.items()
    ]
    ties.sort(key=lambda tie: (-tie.strength, tie.first, tie.second))
    uses: dict[int, int] = defaultdict(int)
    strongest = []
    for tie in ties:
        if min(uses[tie.first], uses[tie.second]) < TIES_EACH:
            uses[tie.first] += 1
            uses[tie.second] += 1
            strongest.append(tie)
    return strongest


def _pack(chosen: Sequence[int], ties: Sequence[Tie], x: list[float], y: list[float], radius: list[float]) -> None:
    """Place circles one after another, each at the free place that is nearest to those with which it has edges; then
    each again, now that all others have a place.
    """
    pulls: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for tie in ties:
        pulls[tie.first].append((tie.second, tie.strength))
        pulls[tie.second].append((tie.first, tie.strength))
    placed: dict[int, _Circle] = {}
    for index in _sequence(chosen, pulls, radius) + list(chosen) * ROUNDS:
        placed.pop(index, None)
        near = [(*placed[neighbour][:2], strength) for neighbour, strength in pulls[index] if neighbour in placed]
        placed[index] = (*_free_place(near, [*placed.values()], radius[index] + GAP, index * _TURN), radius[index])
    across, down = (_middle([(circle[axis], circle[2]) for circle in placed.values()]) for axis in (0, 1))
    for index, circle in placed.items():
        x[index], y[index] = round(circle[0] - across, DIGITS), round(circle[1] - down, DIGITS)


def _middle(spans: Sequence[tuple[float, float]]) -> float:
    """The middle of all that circles cover on one axis, given as centre and radius."""
    low = min((centre - radius for centre, radius in spans), default=0.0)
    return round((low + max((centre + radius for centre, radius in spans), default=0.0)) / 2, DIGITS)


def _sequence(chosen: Sequence[int], pulls: Mapping[int, list[tuple[int, float]]], radius: list[float]) -> list[int]:
    """The communities in the order in which they are placed: large ones early, and those with edges to one another
    together.
    """
    drawn, sequence = dict.fromkeys(chosen, ALONE), []
    while drawn:
        following = max(drawn, key=lambda community: (drawn[community] * radius[community], -community))
        del drawn[following]
        sequence.append(following)
        for neighbour, strength in pulls.get(following, ()):
            if neighbour in drawn:
                drawn[neighbour] += strength
    return sequence


def _free_place(near: Sequence[_Circle], placed: Sequence[_Circle], room: float, turn: float) -> tuple[float, float]:
    """The free place near the points `near`, of which each has a weight. `room`: the radius that has to be free;
    `turn`: the angle of the first direction, so that not all communities stand on the same lines.
    """
    weights = sum(weight for _, _, weight in near) or 1.0
    pulls = [(px, py, weight / weights) for px, py, weight in near] + [(0.0, 0.0, _TO_MIDDLE)]
    total = sum(weight for _, _, weight in pulls)
    fx = sum(px * weight for px, _, weight in pulls) / total
    fy = sum(py * weight for _, py, weight in pulls) / total
    best, least = (fx, fy), math.inf
    for ray in range(DIRECTIONS):
        dx, dy = math.cos(turn + ray * _RAY), math.sin(turn + ray * _RAY)
        far = _first_gap(fx, fy, dx, dy, placed, room)
        px, py = round(fx + far * dx, DIGITS), round(fy + far * dy, DIGITS)
        cost = sum(weight * math.hypot(px - ox, py - oy) for ox, oy, weight in pulls)
        if cost < least:
            best, least = (px, py), cost
        if not far:
            break
    return best


def _first_gap(fx: float, fy: float, dx: float, dy: float, placed: Sequence[_Circle], room: float) -> float:
    """How far from a point in a direction the first place is where a circle overlaps none of those placed."""
    blocked = []
    for px, py, radius in placed:
        ahead = (px - fx) * dx + (py - fy) * dy
        aside = (px - fx) * dy - (py - fy) * dx
        square = (radius + room) ** 2 - aside * aside
        if square > 0 and (half := math.sqrt(square)) + ahead > 0:
            blocked.append((ahead - half, ahead + half))
    far = 0.0
    for begin, end in sorted(blocked):
        if begin > far:
            break
        far = max(far, end)
    return far


def _surround(chosen: Sequence[int], x: list[float], y: list[float], radius: list[float], start: float) -> None:
    """Place circles in rings around all others, the largest in the innermost ring; each ring is filled evenly."""
    gap, at = GAP / 4, 0
    far = start
    while at < len(chosen):
        wide = 2 * radius[chosen[at]] + gap  # the largest of the ring, and what it takes of each
        far += wide / 2
        room = max(1, int(math.pi / math.asin(min(1.0, wide / (2 * far)))))
        ring = chosen[at : at + room]
        for number, index in enumerate(ring):
            turn = 2 * math.pi * number / len(ring)
            x[index], y[index] = round(far * math.cos(turn), DIGITS), round(far * math.sin(turn), DIGITS)
        far += wide / 2
        at += len(ring)

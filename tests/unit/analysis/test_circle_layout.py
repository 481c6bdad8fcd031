"""The places of the map as data: the same for the same graph, nothing over another, everything inside, in little time."""

from __future__ import annotations

import itertools
import math
import time

import pytest

from codeagentd.analysis.circle_layout import RIM, Circles, Pair, place_communities, place_members, radius_of

LARGEST_NODE = 5.5  # the radius of the largest member that is drawn
PATIENCE_S = 1.0


def a_repository(count: int) -> tuple[list[int], dict[Pair, int]]:
    """Sizes and edges of `count` communities: some large ones, many small ones, one without members."""
    sizes = [3 + 40_000 // (one + 1) ** 2 if one % 5 else one % 3 for one in range(count)]
    between = {
        (one, other): 1 + one * other % 17
        for one in range(count)
        for other in (one + 1, one * 7 % count)
        if one < other < count
    }
    return sizes, between


def overlapping(circles: Circles) -> list[Pair]:
    """The pairs of circles that overlap, of which none may."""
    return [
        (one, other)
        for one, other in itertools.combinations(circles.order, 2)
        if math.hypot(circles.x[one] - circles.x[other], circles.y[one] - circles.y[other])
        < circles.radius[one] + circles.radius[other]
    ]


@pytest.mark.parametrize("count", [0, 1, 2, 7, 60, 900])
def test_no_circle_overlaps_another(count: int) -> None:
    sizes, between = a_repository(count)
    circles = place_communities(sizes, between)
    assert overlapping(circles) == []
    assert sorted(circles.order) == [one for one, size in enumerate(sizes) if size]


def test_the_same_graph_gets_the_same_places() -> None:
    sizes, between = a_repository(200)
    again = dict(reversed(between.items()))
    assert place_communities(sizes, between) == place_communities(sizes, again)
    assert place_members(range(500), radius_of(500)) == place_members(range(500), radius_of(500))


def test_communities_with_edges_between_them_are_near_to_each_other() -> None:
    circles = place_communities([50] * 30, {(0, 29): 40, (1, 28): 40})
    far = sorted(math.hypot(circles.x[0] - circles.x[one], circles.y[0] - circles.y[one]) for one in range(1, 30))
    assert math.hypot(circles.x[0] - circles.x[29], circles.y[0] - circles.y[29]) <= far[5]


@pytest.mark.parametrize("count", [1, 2, 3, 6, 40, 1_000, 3_001])
def test_members_are_inside_of_their_circle_and_apart(count: int) -> None:
    radius = radius_of(count)
    spots = place_members(range(count), radius)
    assert all(math.hypot(x, y) + LARGEST_NODE <= radius for x, y in zip(spots.x, spots.y, strict=True))
    places = sorted(zip(spots.x, spots.y, strict=True))
    for at, (x, y) in enumerate(places):
        for other_x, other_y in itertools.takewhile(lambda other: other[0] - x < 2 * LARGEST_NODE, places[at + 1 :]):  # noqa: B023
            assert math.hypot(x - other_x, y - other_y) >= 2 * LARGEST_NODE


def test_the_most_connected_are_in_the_middle_and_those_of_a_file_in_one_direction() -> None:
    count = 600
    ranks = [member * 7 % count for member in range(count)]  # the order in files has nothing to do with that of degrees
    spots = place_members(ranks, radius_of(count))
    far = [math.hypot(x, y) for x, y in zip(spots.x, spots.y, strict=True)]
    assert max(far[:60]) < min(far[300:])
    file = [member for member in range(count) if ranks[member] < count // 12]
    middle = sum(spots.x[member] for member in file), sum(spots.y[member] for member in file)
    turn = math.atan2(middle[1], middle[0])
    offs = [abs(math.remainder(math.atan2(spots.y[one], spots.x[one]) - turn, 2 * math.pi)) for one in file]
    assert sorted(offs)[len(offs) // 2] < math.pi / 4


def test_a_hundred_thousand_members_take_less_than_a_second() -> None:
    count = 100_000
    begun = time.process_time()
    spots = place_members(range(count), radius_of(count))
    assert time.process_time() - begun < PATIENCE_S
    assert max(map(abs, spots.x)) <= radius_of(count) - RIM


def test_a_hundred_thousand_communities_take_some_seconds_at_most() -> None:
    count = 100_000
    begun = time.process_time()
    circles = place_communities(
        [1 + 5_000 // (one + 1) for one in range(count)], {(one, one + 1): 1 for one in range(count - 1)}
    )
    assert time.process_time() - begun < 5 * PATIENCE_S
    assert len(circles.order) == count

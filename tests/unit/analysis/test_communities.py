"""Communities without chance."""

from __future__ import annotations

import itertools

from codeagentd.analysis.communities import communities, kept_numbers

TRIANGLES = dict.fromkeys([(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)], 1.0)


def test_what_is_joined_closely_belongs_together() -> None:
    member, modularity = communities(6, TRIANGLES)
    assert member == [0, 0, 0, 1, 1, 1]
    assert round(modularity, 4) == round(6 / 7 - 0.5, 4)


def test_nodes_without_edges_stay_alone() -> None:
    assert communities(3, {}) == ([0, 1, 2], 0.0)
    assert communities(0, {}) == ([], 0.0)
    assert communities(4, {(1, 2): 1.0})[0] == [0, 1, 1, 2]


def test_the_order_of_the_edges_does_not_matter() -> None:
    for edges in itertools.islice(itertools.permutations(TRIANGLES, 7), 0, 5000, 50):
        assert communities(6, dict.fromkeys(edges, 1.0))[0] == [0, 0, 0, 1, 1, 1]


def test_a_community_of_more_than_a_quarter_is_split() -> None:
    clique = {pair: 1.0 for first in (0, 8) for pair in itertools.combinations(range(first, first + 8), 2)}
    bridged = clique | {(7, 8): 6.0}
    member, _ = communities(16, bridged)
    assert len(set(member[:7])) == len(set(member[9:])) == 1
    assert member[0] != member[15]


def test_a_community_keeps_the_number_that_most_of_its_members_had() -> None:
    assert kept_numbers([0, 0, 0, 1, 1], [7, 7, 3, 3, None]) == [7, 7, 7, 3, 3]
    assert kept_numbers([0, 0, 1, 1, 1], [None] * 5) == [1, 1, 0, 0, 0]
    assert kept_numbers([0, 0, 1, 1], [5, 5, 5, None]) == [5, 5, 0, 0]

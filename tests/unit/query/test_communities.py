"""Communities without chance."""

from __future__ import annotations

import itertools

from codeagentd.query.communities import communities, modularity

TRIANGLES = dict.fromkeys([(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)], 1.0)


def test_what_is_joined_closely_belongs_together():
    assert communities(6, TRIANGLES) == [0, 0, 0, 1, 1, 1]


def test_nodes_without_edges_stay_alone():
    assert communities(3, {}) == [0, 1, 2]
    assert communities(0, {}) == []
    assert modularity({}, []) == 0.0


def test_the_order_of_the_edges_does_not_matter():
    for edges in itertools.permutations(TRIANGLES, 7):
        if edges[0] == (2, 3):
            assert communities(6, dict.fromkeys(edges, 1.0)) == [0, 0, 0, 1, 1, 1]


def test_communities_of_communities_are_found():
    rings = {(first + at, first + (at + 1) % 4): 3.0 for first in range(0, 32, 4) for at in range(4)}
    bridges = {(first, first + 4): 1.0 for first in range(0, 28, 4)}
    member = communities(32, rings | bridges)
    assert all(len(set(member[first : first + 4])) == 1 for first in range(0, 32, 4))
    assert modularity(rings | bridges, member) > 0.5


def test_modularity_is_what_the_definition_says():
    assert round(modularity(TRIANGLES, [0, 0, 0, 1, 1, 1]), 4) == round(6 / 7 - 0.5, 4)

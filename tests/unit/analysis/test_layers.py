"""Parts of a program in rows: most uses lead downwards, and those that do not are told."""

from __future__ import annotations

import random

from codeagentd.analysis.layers import Against, layers


def test_each_row_uses_those_below_it():
    found = layers(4, {(0, 1): 5, (1, 2): 5, (0, 2): 5, (3, 2): 5})
    assert found.rows == [[0, 3], [1], [2]]
    assert found.against == []


def test_of_parts_that_use_each_other_the_more_frequent_way_decides_and_the_other_is_told():
    found = layers(2, {(0, 1): 3, (1, 0): 10})
    assert found.rows == [[1], [0]]
    assert found.against == [Against(0, 1, 3)]


def test_a_circle_is_broken_where_least_leads_back():
    found = layers(3, {(0, 1): 10, (1, 2): 10, (2, 0): 2})
    assert found.rows == [[0], [1], [2]]
    assert found.against == [Against(2, 0, 2)]


def test_a_rare_use_moves_nothing():
    found = layers(3, {(0, 1): 100, (0, 2): 1, (1, 2): 50})
    assert found.rows == [[0], [1], [2]]
    assert layers(2, {}).rows == [[0, 1]]
    assert layers(0, {}).rows == []


def test_the_same_uses_give_the_same_rows_in_whatever_order_they_come():
    uses = {
        (source, target): 1 + (source * 7 + target * 13) % 40
        for source in range(40)
        for target in range(40)
        if source != target
    }
    pairs = [*uses.items()]
    random.Random(1).shuffle(pairs)
    assert layers(40, dict(pairs)) == layers(40, uses)
    assert sorted(part for row in layers(40, uses).rows for part in row) == list(range(40))

"""The measures of retrieval, and the intervals of their means."""

from __future__ import annotations

import pytest

from tests.eval.metrics import Place, file_rank, function_rank, interval, names_files, ndcg
from tests.eval.questions import Target

HITS = [Place("a.py", 1, 20), Place("b.py", 30, 60), Place("a.py", 40, 50)]


def test_the_best_ranking_of_a_question_has_ndcg_1() -> None:
    assert ndcg([Target("a.py"), Target("b.py")], HITS) == 1.0
    assert ndcg([Target("b.py")], HITS) == pytest.approx(1 / 1.585, abs=1e-3)


def test_a_target_with_lines_is_met_by_a_hit_that_has_one_of_them() -> None:
    assert ndcg([Target("a.py", 45, 90)], HITS) == 0.5
    assert ndcg([Target("a.py", 60, 90)], HITS) == 0.0


def test_two_targets_that_one_hit_meets_gain_once() -> None:
    assert ndcg([Target("a.py", 1, 5), Target("a.py", 6, 9)], HITS) < 1.0


def test_a_function_is_shown_by_half_of_it_or_by_a_hit_within_it() -> None:
    assert function_rank(Place("b.py", 50, 90), HITS) == 0.0
    assert function_rank(Place("b.py", 45, 70), HITS) == 0.5
    assert function_rank(Place("b.py", 1, 200), HITS) == 0.5


def test_a_hit_of_a_whole_file_shows_no_short_function() -> None:
    assert function_rank(Place("a.py", 3, 5), [Place("a.py", 1, 500)]) == 0.0


def test_files_are_counted_once_and_tests_not_at_all() -> None:
    hits = [Place("tests/test_a.py", 1, 2), Place("a.py", 1, 2), Place("a.py", 5, 9), Place("b.py", 1, 2)]
    assert file_rank(["b.py"], hits) == 0.5
    assert file_rank(["c.py"], hits) == 0.0


def test_all_files_of_a_fix_have_to_be_among_the_first() -> None:
    assert names_files(["a.py", "b.py"], HITS, 2) == 1.0
    assert names_files(["a.py", "b.py"], HITS, 1) == 0.0


def test_an_interval_is_around_the_mean_over_repositories() -> None:
    found = interval({"one": [0.0, 1.0] * 20, "two": [1.0]})
    assert found.mean == 0.75
    assert found.low < 0.75 < found.high
    assert str(interval({"one": [0.5]})) == "0.500 [0.500, 0.500]"


def test_nothing_measured_has_no_interval() -> None:
    assert interval({}) == (0.0, 0.0, 0.0)

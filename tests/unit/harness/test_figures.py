"""Figures of the bench: exact verdicts and percentiles."""

from __future__ import annotations

import pytest

from tests.bench.figures import Figure, median, percentile


@pytest.mark.parametrize(("share", "value"), [(0.5, 2), (0.95, 4), (0.0, 1), (1.0, 4)])
def test_percentiles_are_values_that_were_measured(share: float, value: int):
    assert percentile([3, 1, 4, 2], share) == value


def test_the_median_of_three_is_the_middle_one():
    assert median([9.0, 1.0, 5.0]) == 5.0


@pytest.mark.parametrize(("value", "target", "verdict"), [(80, 80, "PASS"), (80.1, 80, "MISS"), (5, None, "")])
def test_a_figure_passes_up_to_its_target(value: float, target: float | None, verdict: str):
    assert Figure("part", "name", value, "ms", target).verdict == verdict


def test_a_row_shows_value_target_and_peer():
    line = Figure("index", "index on disk", 61.234, "MB", 80, "125").line()
    assert line.split() == ["PASS", "index", "on", "disk", "61.23", "MB", "<=", "80", "125"]

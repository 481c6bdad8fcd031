"""The pace of a long task."""

from __future__ import annotations

from codeagentd.model.engine_status import Progress
from codeagentd.pipeline.engine.pace import LATELY_S, Pace


class Ticks:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_rate_is_unknown_at_first_and_then_that_of_the_last_minute() -> None:
    ticks = Ticks()
    pace = Pace(ticks)
    assert pace.with_rate(Progress("extract", 0, 10_000)).rate == 0
    for second in range(1, 300):
        ticks.now = float(second)
        done = second * 100 if second <= 100 else 10_000 + (second - 100) * 10
        rate = pace.with_rate(Progress("extract", done, 20_000)).rate
        if second <= 100:
            assert round(rate) == 100
        if second > 101 + LATELY_S:
            assert round(rate) == 10


def test_another_phase_has_a_rate_of_its_own() -> None:
    ticks = Ticks()
    pace = Pace(ticks)
    pace.with_rate(Progress("extract", 0, 100))
    ticks.now = 10.0
    assert pace.with_rate(Progress("extract", 100, 100)).rate == 10
    assert pace.with_rate(Progress("resolve", 0, 50)).rate == 0
    ticks.now = 15.0
    assert pace.with_rate(Progress("resolve", 10, 50)).rate == 2

"""A small line chart as numbers for an SVG: deterministic, and tested as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH: Final = 600
HEIGHT: Final = 80


class LineChart(NamedTuple):
    """The points of a polyline in a box of WIDTH by HEIGHT, from the left to the right; and what the figures were.
    `points` is '' where there are too few of them.
    """

    points: str = ""
    least: float = 0
    most: float = 0
    last: float = 0
    seconds: float = 0  # from the first to the last value


def line_chart(values: Sequence[tuple[float, float]]) -> LineChart:
    """Return the chart of (time in seconds, value) pairs in the order of their times. The axis begins at 0."""
    if len(values) < 2 or values[-1][0] <= values[0][0]:
        return LineChart(last=values[-1][1] if values else 0)
    begin, span = values[0][0], values[-1][0] - values[0][0]
    figures = [value for _, value in values]
    top = max(*figures, 1e-9)
    points = " ".join(
        f"{WIDTH * (at - begin) / span:.1f},{HEIGHT - HEIGHT * max(0.0, value) / top:.1f}" for at, value in values
    )
    return LineChart(points, min(figures), max(figures), figures[-1], span)

"""The small line chart."""

from __future__ import annotations

from codeagentd.serve.page.chart import HEIGHT, WIDTH, LineChart, line_chart
from codeagentd.serve.page.series import Series


def points(chart: LineChart) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (point.split(",") for point in chart.points.split())]


def test_a_line_goes_from_the_first_to_the_last_value_over_an_axis_from_zero():
    chart = line_chart([(100.0, 50.0), (110.0, 100.0), (140.0, 0.0)])
    assert points(chart) == [(0, HEIGHT / 2), (WIDTH / 4, 0), (WIDTH, HEIGHT)]
    assert (chart.least, chart.most, chart.last, chart.seconds) == (0, 100, 0, 40)


def test_too_few_values_have_no_line():
    assert line_chart([]) == LineChart()
    assert line_chart([(1.0, 5.0)]) == LineChart(last=5.0)
    assert line_chart([(1.0, 5.0), (1.0, 6.0)]).points == ""  # at the same time


def test_values_of_zero_and_below_stay_in_the_box():
    assert points(line_chart([(0.0, 0.0), (1.0, 0.0)])) == [(0, HEIGHT), (WIDTH, HEIGHT)]
    assert all(0 <= y <= HEIGHT for _, y in points(line_chart([(0.0, -5.0), (1.0, 1.0)])))


def test_a_series_keeps_the_last_values():
    series = Series(2)
    for value in (1.0, 2.0, 3.0):
        series.note(value)
    assert [value for _, value in series.values] == [2.0, 3.0]
    assert series.values[0][0] <= series.values[1][0]

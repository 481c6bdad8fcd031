"""The progress bar of commands that wait."""

from __future__ import annotations

import os

import pytest

from codeagentd.cli.rendering import progress_bar
from codeagentd.cli.rendering.progress_bar import ERASE, bar


@pytest.fixture(params=[100, 40, 12])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    columns: int = request.param
    monkeypatch.setattr(progress_bar, "get_terminal_size", lambda: os.terminal_size((columns, 24)))
    return columns


def drawn(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.split(ERASE)[1:]


def test_it_shows_phase_share_count_and_time_and_is_removed(capsys: pytest.CaptureFixture[str]) -> None:
    with bar() as shown:
        shown.update("extract", 1_000, 4_000)
        shown.update("resolve", 4_000, 4_000)
    start, part, whole, end = drawn(capsys)
    assert start.startswith("starting")
    assert start.endswith("0/? 0:00:00")
    assert part.startswith("extract ")
    assert part.endswith(" 1,000/4,000 0:00:00")
    assert part.count("━") * 4 == whole.count("━")
    assert end == "", "the line is empty in the end"


def test_it_shows_the_rate_and_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    with bar() as shown:
        shown.update("extract", 1_000, 40_000, 210.0)
        shown.update("extract", 40_000, 40_000, 0.5)
    _, part, whole, _ = drawn(capsys)
    assert part.endswith(" 1,000/40,000 210/s, 3 min left 0:00:00")
    assert whole.endswith(" 40,000/40,000 0.5/s 0:00:00")


def test_a_line_never_wraps_on_a_narrow_terminal(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    with bar() as shown:
        for done, total in ((0, 0), (0, 78_579), (5, 9), (9, 9), (10, 9)):
            shown.update("a longer phase", done, total, 12.5)
    assert max(map(len, drawn(capsys))) <= max(width, len("78,579/78,579 0:00:00"))


def test_it_is_removed_when_the_work_fails(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        with bar():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert drawn(capsys)[-1] == ""

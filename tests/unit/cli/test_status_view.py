"""The status as people read it, from daemons of any version."""

from __future__ import annotations

from codeagentd.cli.console import Paint
from codeagentd.cli.status import exit_code
from codeagentd.cli.status_view import render, row
from tests.harness.documents import SAMPLE

PLAIN = Paint(on=False)


def shown(**changes: object) -> str:
    return "\n".join(render(SAMPLE | changes, PLAIN, now=1_000_130.0))


def test_a_daemon_that_is_behind_says_how_far_it_is():
    text = shown(caught_up=False, pending_files=120, progress={"phase": "extract", "done": 80, "total": 200})
    assert "behind: 120 files pending; extract 80 of 200" in text


def test_a_degraded_daemon_says_why_and_what_to_do():
    text = shown(state="degraded", reason="disk full", remedy="make room")
    assert "why     disk full" in text
    assert "remedy  make room" in text


def test_failed_files_are_named_up_to_a_few():
    text = shown(failed_files=[f"f{number}.py" for number in range(8)])
    assert "f0.py, f1.py, f2.py, f3.py, f4.py and 3 more" in text


def test_fields_that_an_older_daemon_does_not_tell_are_left_out():
    text = "\n".join(render({"state": "ready", "indexed_files": 3, "repo": "/x"}, PLAIN, now=0.0))
    assert "ready" in text
    assert "language" not in text


def test_without_a_daemon_there_is_one_line():
    assert render({"state": "not_running", "repo": "/x"}, PLAIN, now=0.0) == ["codeagentd: not running  /x"]


def test_a_window_label_cannot_drive_the_terminal():
    assert "\x1b" not in shown(windows=[{"pid": 1, "window": "\x1b[2J", "cwd": "/", "toolsets": ""}])


def test_all_daemons_fit_one_line_each():
    assert row(SAMPLE) == ["4711", "ready", "yes", "1,204", "2", "92.3 MB", "/home/ada/src/shop"]


def test_exit_codes_tell_states_apart():
    states = ("ready", "indexing", "starting", "degraded", "draining", "not_running", "not_answering")
    assert [exit_code({"state": state}) for state in states] == [0, 0, 0, 1, 1, 3, 4]

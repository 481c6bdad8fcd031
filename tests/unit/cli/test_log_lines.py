"""The log as people read it, also while it grows and turns over."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from codeagentd.cli.commands.operations.logs import grown, pretty
from codeagentd.cli.rendering.console import Paint

PLAIN = Paint(on=False)


def test_a_structured_line_reads_as_time_level_place_message_and_fields():
    line = json.dumps(
        {
            "time": "2026-11-21T10:00:00Z",
            "level": "info",
            "logger": "codeagentd.pipeline.run",
            "message": "batch",
            "files": 3,
        }
    )
    assert pretty(line, PLAIN) == "2026-11-21T10:00:00Z INFO    pipeline.run batch files=3"


def test_a_line_that_is_no_json_stays_as_it_is():
    assert pretty("Traceback (most recent call last):", PLAIN) == "Traceback (most recent call last):"
    assert pretty("[1, 2]", PLAIN) == "[1, 2]"


def test_escapes_in_the_log_do_not_reach_the_terminal():
    assert "\x1b" not in pretty(json.dumps({"level": "info", "message": "\x1b[2J"}), PLAIN)


def test_only_the_last_lines_are_printed(tmp_path: Path):
    log = tmp_path / "daemon.log"
    log.write_text("".join(f"line {number}\n" for number in range(10)))
    assert list(grown(str(log), 3, follow=False)) == ["line 7", "line 8", "line 9"]


def test_following_goes_on_in_the_file_that_takes_the_name(tmp_path: Path):
    log = tmp_path / "daemon.log"
    log.write_text("first\n")
    lines = grown(str(log), 10, follow=True)
    assert next(lines) == "first"
    log.rename(tmp_path / "daemon.log.1")
    log.write_text("second\n")
    assert next(lines) == "second"
    threading.Timer(0.05, lambda: log.open("a").write("third\n")).start()
    assert next(lines) == "third"

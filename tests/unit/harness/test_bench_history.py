"""The history of the bench: runs are appended, shown beside the run before, and targets that are lost end with an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench import history
from tests.bench.figures import Figure
from tests.bench.records import ROOT, Record, recorded


def run_of(value: float, commit: str = "abc") -> Record:
    rows = [Figure("index", "cold index, wall", value, "s", 10).as_json(), Figure("idle", "free", 0, "").as_json()]
    return Record("0.1.0", commit, "2026-11-27", "Linux, 2 cores", rows)


def appended(run: Record, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "run.json").write_text(run.as_line())
    command = [sys.executable, "-S", "-m", "tests.bench.history", str(folder / "run.json"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, stdin=subprocess.DEVNULL)


def test_runs_are_kept_and_shown_with_the_change_since_the_last_without_any_package(tmp_path: Path) -> None:
    assert appended(run_of(8.0), tmp_path).returncode == 0
    done = appended(run_of(9.0, "def"), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len((tmp_path / "history.jsonl").read_text().splitlines()) == 2
    assert "| index: cold index, wall, s | 10 | 9 (+12 %) | 8 |" in done.stdout
    assert (tmp_path / "README.md").read_text().strip() == done.stdout.strip()


def test_a_target_that_is_lost_is_an_error_that_names_it_once(tmp_path: Path) -> None:
    appended(run_of(8.0), tmp_path)
    done = appended(run_of(12.0), tmp_path)
    assert done.returncode == 1
    assert "missed now:\n\n- index: cold index, wall" in done.stdout
    assert appended(run_of(12.1), tmp_path).returncode == 0


def test_a_figure_that_was_left_out_meanwhile_is_compared_with_when_it_was_measured() -> None:
    without = Record("0.1.0", "b", "2026-11-28", "", [])
    assert history.lost_targets([run_of(8.0), without], run_of(12.0)) == ["index: cold index, wall"]
    assert history.lost_targets([], run_of(12.0)) == []


def test_only_the_last_runs_are_shown_and_small_changes_are_not_pointed_out() -> None:
    lines = history.table([run_of(5.0 + number / 10, str(number)) for number in range(9)])
    assert lines[0].count("<br>0.1.0") == history.COLUMNS
    assert lines[2] == "| index: cold index, wall, s | 10 | 5.8 | 5.7 | 5.6 | 5.5 | 5.4 | 5.3 |"


def test_a_record_knows_version_commit_day_and_machine() -> None:
    record = recorded([])
    assert Record.read(record.as_line()) == record
    assert record.version.count(".") == 2
    assert "cores of" in record.machine


def test_a_line_of_another_form_is_an_error() -> None:
    with pytest.raises(TypeError):
        Record.read("{}")

"""The figures of releases: page and data are in step, values come from what was measured, and the rest is kept."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench import releases
from tests.bench.figures import Figure
from tests.bench.records import ROOT, Record
from tests.bench.releases import Measured

LAST = next(iter(releases.releases()))


def test_the_newest_data_are_those_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"]
    assert version == ["version"]
    assert f'__version__ = "{LAST}"' in (ROOT / "protocol/codeagent_protocol/version.py").read_text()


def test_every_row_has_a_value_with_its_commit_and_day_and_every_value_a_row() -> None:
    rows = [row.key for row in releases.catalogue()]
    values = releases.releases()[LAST]
    assert rows == list(values)
    for value in values.values():
        assert value.value
        assert re.fullmatch(r"[0-9a-f]{8}\+?", value.commit)
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", value.date)


def test_a_row_of_the_bench_names_a_part_that_there_is_and_the_command_that_runs_it() -> None:
    from tests.bench.__main__ import PARTS

    for row in releases.catalogue():
        if row.bench:
            part, _name = row.bench
            assert part in PARTS
            assert row.command == f"make bench BENCH='--only {part}'"


def test_a_record_of_the_bench_gives_its_rows_with_its_own_commit_and_machine() -> None:
    rows = [
        Figure("index", "index on disk", 80.96, "MB").as_json(),
        Figure("index", "cold index, CPU over bare parse", 7.234, "x").as_json(),
        Figure("index", "something else", 1, "").as_json(),
    ]
    record = Record("0.1.0", "1234abcd", "2026-12-01", "Linux, 2 cores", rows)
    assert dict(releases.of_bench(record)) == {
        "index-disk": Measured("81 MB", "1234abcd", "2026-12-01", "Linux, 2 cores"),
        "index-ratio": Measured("7.23 times", "1234abcd", "2026-12-01", "Linux, 2 cores"),
    }


def test_a_report_of_pytest_counts_the_faults_survived_and_has_the_growth_of_the_day(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        """<testsuites><testsuite>
        <testcase classname="tests.faults.test_day" name="a"><system-out>
        10 min, 1 edits; resident 69.0 -> 69.4 MB (+0.58 %), at most 70.1</system-out></testcase>
        <testcase classname="tests.faults.test_noise" name="b"><failure/></testcase>
        <testcase classname="tests.faults.test_noise" name="c"><skipped/></testcase>
        <testcase classname="tests.properties.test_reading" name="d"/>
        </testsuite></testsuites>"""
    )
    assert dict(releases.of_tests(report)) == {"faults": "1 of 2", "day": "0.58 %"}


def test_a_value_that_is_told_has_a_key_of_the_page() -> None:
    assert dict(releases.told(["agents-right=25"])) == {"agents-right": "25"}
    for wrong in ("agents=25", "agents-right"):
        with pytest.raises(SystemExit, match="the keys are agents-peer"):
            list(releases.told([wrong]))


def test_what_is_not_measured_is_kept_and_a_release_is_a_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(releases, "DATA", tmp_path)
    first = {"pycg": Measured("80 %", "aaaaaaaa", "2026-01-01"), "silent": Measured("1", "aaaaaaaa", "2026-01-01")}
    releases.write(tmp_path / "0.9.0.json", first)
    releases.write(tmp_path / "0.10.0.json", first | {"pycg": replace(first["pycg"], value="90 %", commit="bbbbbbbb")})
    assert list(releases.releases()) == ["0.10.0", "0.9.0"]
    assert json.loads((tmp_path / "0.10.0.json").read_text())["silent"] == {
        "value": "1", "commit": "aaaaaaaa", "date": "2026-01-01", "machine": "",
    }  # fmt: skip
    row = next(line for line in releases.page().splitlines() if "PyCG" in line)
    assert row.endswith("| 90 % | 80 % | bbbbbbbb, 2026-01-01 |")


def test_the_command_lists_every_key_with_what_prints_it() -> None:
    command = [sys.executable, "-m", "tests.bench.releases", "--list"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, stdin=subprocess.DEVNULL)
    assert [line.split()[0] for line in done.stdout.splitlines()] == [row.key for row in releases.catalogue()]

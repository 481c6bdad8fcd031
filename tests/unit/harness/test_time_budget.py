"""What the pytest plugin of `make check` runs, and what it says of the rest."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RUNNER = """
import sys, pytest
from tests.harness import time_budget
time_budget.LEAST_S = 0
sys.exit(pytest.main(sys.argv[1:], plugins=[time_budget]))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path, text in {
        "pytest.ini": "[pytest]\n",
        "test_far.py": "def test_far(): pass\n",
        "test_near.py": "import pytest\n@pytest.mark.parametrize('case', ['go/calls', 'lua/calls'])\ndef test_case(case): pass\n",
    }.items():
        (tmp_path / path).write_text(text)
    return tmp_path


def run(project: Path, *options: str) -> str:
    """What pytest prints of the two files, the near one first."""
    command = [sys.executable, "-c", RUNNER, "-p", "no:cacheprovider", f"--rootdir={project}", *options]
    done = subprocess.run(
        [*command, "test_near.py", "test_far.py"],
        cwd=project,
        env={"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_files_run_in_the_order_of_the_command_line_and_preferred_tests_first(project: Path) -> None:
    shown = run(project, "-v", "--prefer", "lua", "--until", str(time.time() + 60))
    assert re.findall(r"::(\S+) PASSED", shown) == ["test_case[lua/calls]", "test_case[go/calls]", "test_far"]


def test_what_time_leaves_out_is_named(project: Path) -> None:
    shown = run(project, "-q", "--until", str(time.time() - 1))
    assert "left out for lack of time, make test runs them: test_near.py (2), test_far.py (1)\n" in shown
    assert "no tests ran" in shown


def test_a_run_without_a_limit_leaves_nothing_out(project: Path) -> None:
    assert "left out" not in run(project, "-q")

"""A command that says much becomes a few lines that say what it does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "harness" / "progress.py"


def watched(program: str) -> subprocess.CompletedProcess[str]:
    """Run a Python program under watch, with a line every tenth of a second."""
    command = [sys.executable, str(PROGRAM), "0.1", sys.executable, "-uc", program]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_a_long_command_says_what_it_does_while_it_does_it():
    done = watched("import time\nfor n in range(500): print('Collecting', n)\ntime.sleep(1)")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert any(line.endswith(" s  Collecting 499") for line in lines)
    assert lines[-1].startswith("  done in ")
    assert len(lines) < 50


def test_a_command_that_fails_ends_with_its_code_and_its_error():
    done = watched("import sys; print('half'); sys.exit('no space left')")
    assert (done.returncode, done.stderr) == (1, "no space left\n")
    assert done.stdout.splitlines()[-1].startswith("  failed after ")

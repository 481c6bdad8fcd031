"""The Homebrew formula: what it does to install and to test itself, done without Homebrew."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.long, pytest.mark.limit(600)]

RUNNER = Path(__file__).with_name("formula.rb")


def test_the_formula_installs_programs_that_answer(release: Path, tmp_path: Path):
    ruby, uv = shutil.which("ruby"), shutil.which("uv", path=str(Path(sys.executable).parent))
    if not ruby or not uv:
        pytest.skip("ruby or uv is not installed")
    formula = release / "codeagentd.rb"
    python = Path(sys.executable).resolve()
    done = subprocess.run(
        [ruby, RUNNER, formula, release, tmp_path / "keg", python, uv],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"VIRTUAL_ENV": ""},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("installed and tested\n")
    programs = {path.name for path in (tmp_path / "keg/bin").iterdir()}
    assert programs == {"codeagentd", "codeagent-mcp", "codeagent-lsp"}
    assert (tmp_path / "keg/share/man/man1/codeagentd.1").exists()

"""The layers of docs/architecture.md hold: every contract of import-linter is kept."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def lint_imports() -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)


def test_every_import_contract_is_kept():
    done = lint_imports()
    counted = re.search(r"Contracts: (\d+) kept, (\d+) broken", done.stdout)
    assert counted, done.stdout + done.stderr
    assert int(counted[1]) >= 9
    assert int(counted[2]) == 0, done.stdout

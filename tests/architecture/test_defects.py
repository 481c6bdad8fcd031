"""The table of defects of other programs names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/decisions/0024-defects-of-others.md").read_text()
ROWS = re.findall(r"^\| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)[1:]
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE)
}


def test_every_class_of_defects_has_a_test_that_exists() -> None:
    assert len(ROWS) == 28
    for defect, tests in ROWS:
        named = set(re.findall(r"`(test_\w+)`", tests))
        assert named, defect
        assert named <= TESTS, (defect, named - TESTS)

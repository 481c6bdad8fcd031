"""The tables of defects of other programs and of findings of audits name tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"0024-defects-of-others.md": 28, "0043-findings-of-audits.md": 37}
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE)
}


def rows_of(page: str) -> list[tuple[str, str]]:
    """The first and the last cell of each row."""
    text = (ROOT / "docs/decisions" / page).read_text()
    cells = [row.strip("| ").split(" | ") for row in re.findall(r"^\|.+\|$", text, re.MULTILINE)]
    return [(row[0], row[-1]) for row in cells if row[0] not in ("defect", "finding") and not row[0].startswith("---")]


@pytest.mark.parametrize("page", PAGES)
def test_every_row_names_a_test_that_exists(page: str) -> None:
    rows = rows_of(page)
    assert len(rows) == PAGES[page]
    for defect, tests in rows:
        named = set(re.findall(r"`(test_\w+)`", tests))
        assert named, defect
        assert named <= TESTS, (defect, named - TESTS)

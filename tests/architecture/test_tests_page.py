"""The page about tests names folders, files and fixtures that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
PAGE = (TESTS / "README.md").read_text()
PATHS = sorted(
    set(re.findall(r"`((?:harness|unit|languages|e2e|faults|properties|architecture)(?:/[\w./-]+)?)`", PAGE))
)
FIXTURES = sorted(
    {name for names in re.findall(r"fixtures? ((?:`\w+`(?:, )?)+)", PAGE) for name in re.findall(r"`(\w+)`", names)}
)


@pytest.mark.parametrize("path", PATHS)
def test_every_folder_and_file_exists(path: str) -> None:
    assert (TESTS / path).exists()


@pytest.mark.parametrize("name", FIXTURES)
def test_every_fixture_exists(name: str) -> None:
    assert any(
        re.search(rf"^(?:async )?def {name}\(", conftest.read_text(), re.MULTILINE)
        for conftest in TESTS.rglob("conftest.py")
    )

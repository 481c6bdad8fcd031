"""Snapshots: what clients see, kept in files. `pytest tests/snapshots --update` writes them again; say why in the commit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --update; it is known only when this folder is named on the command line."""
    parser.addoption("--update", action="store_true", help="write the snapshots anew instead of comparing")


@pytest.fixture
def matches_snapshot(request: pytest.FixtureRequest) -> Callable[[Path, Any], bool]:
    """Compare a JSON value with a file; a missing file does not match."""
    update = request.config.getoption("--update", default=False)

    def matches(path: Path, value: Any) -> bool:
        text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
        if update:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return path.is_file() and path.read_text(encoding="utf-8") == text

    return matches

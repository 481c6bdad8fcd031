"""The repository that tests of git begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.git_repositories import repository


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")

"""What the property tests share."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine


@pytest.fixture
def engines() -> Iterator[list[IndexingEngine]]:
    started: list[IndexingEngine] = []
    yield started
    for engine in started:
        engine.close(10)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """An empty repository."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(tmp_path / "repo")], check=True)
    return tmp_path / "repo"

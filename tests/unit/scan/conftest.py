"""Repositories for the watcher's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.scan.mirror import Mirror, run_git


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A directory without git."""
    root = tmp_path / "plain"
    for path in ("a.py", "src/b.py", "src/deep/c.py", "lib/d.py"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    return root


@pytest.fixture
def repo(plain: Path) -> Path:
    """The same as a git repository with one commit; node_modules and *.log are ignored."""
    (plain / ".gitignore").write_text("node_modules/\n*.log\n")
    run_git(plain, "init", "-q", "-b", "main")
    run_git(plain, "add", "-A")
    run_git(plain, "commit", "-qm", "first")
    return plain


@pytest.fixture
def mirror(repo: Path) -> Iterator[Mirror]:
    """A mirror of `repo`, watched in the best way."""
    with Mirror(repo) as mirror:
        yield mirror

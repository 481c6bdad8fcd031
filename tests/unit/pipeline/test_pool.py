"""Requests and answers between the daemon and its workers, when both have much to say at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codeagentd.pipeline import pool

from .conftest import PATIENCE_S, Bench

PROJECTS = 300
CALLS = 60
FULL = 4096  # bytes: the least that a pipe can hold


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipes that are full soon, as they are between one large repository and a busy writer."""
    monkeypatch.setattr(pool, "PIPE_BYTES", FULL)


def test_many_projects_and_many_answers_do_not_wait_for_each_other(narrow: None, tmp_path: Path) -> None:
    root, called = tmp_path / "repo", "".join(f"export function shelf{number}() {{}}\n" for number in range(CALLS))
    for number in range(PROJECTS):
        folder = root / f"packages/{number:04}-{'x' * 200}"
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"name": f"@library/{number:04}-{'y' * 100}"}))
        (folder / "index.ts").write_text(called + "".join(f"shelf{other}()\n" for other in range(CALLS)))
    bench = Bench(root, tmp_path / "place")
    try:
        assert bench.engine.wait_caught_up(PATIENCE_S), bench.engine.progress
    finally:
        bench.engine.close(1)

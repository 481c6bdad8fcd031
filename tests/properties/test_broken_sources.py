"""Code in the middle of typing, in every language: parsing and resolution do not fail, and follow it from one state to the next."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.harness.broken import broken
from tests.harness.marked_source import read_case
from tests.harness.stale import Judge
from tests.properties.test_incremental import begun, catch_up

CASES = Path(__file__).parents[1] / "languages"
LANGUAGES = sorted(folder.name for folder in CASES.iterdir() if [*folder.glob("*.case")])
STATES = int(os.environ.get("BROKEN_STATES", "3"))  # that each repository is seen in
SEED = os.environ.get("BROKEN_SEED", "1")


@pytest.mark.limit(60 + 10 * STATES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_broken_code_is_read_and_followed_without_a_mistake(
    language: str, repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    chance = random.Random(f"{language}{SEED}")
    files = {
        repo / case.stem / path: text.encode(errors="replace")
        for case in sorted((CASES / language).glob("*.case"))
        for path, text in read_case(case).files.items()
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    engine = begun(repo, tmp_path / "kept", engines)
    judge = Judge(engine.index_path, engine.index_path.with_name("blobs.db"))
    for _ in range(STATES):
        for path, text in files.items():
            path.write_bytes(broken(text, chance))
        catch_up(engine)
        assert [*judge.stale()] == []

"""After any sequence of edits, what is kept of each node and of all together is what an analysis of the whole graph would find."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.pipeline.graph import analysis_scheduler
from tests.harness.analysed import differences
from tests.harness.programs import PROGRAMS
from tests.properties.test_incremental import PATIENCE_S, begun, catch_up, change, edit


@pytest.fixture(autouse=True)
def _only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_scheduler, "LEAST_CHANGED", 1_000_000)


def is_followed(engine: IndexingEngine) -> bool:
    with engine.readers.read() as db:
        return db.value("analysis.state") is not None and db.row("analysis.state")[1] is not None


@pytest.mark.parametrize("seed", range(3))
def test_figures_follow_random_changes_of_files_in_several_languages(
    seed: int, repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    chance = random.Random(seed)
    for _ in range(12):
        change(chance, repo)
    engine = begun(repo, tmp_path / "kept", engines)
    assert engine.analysed(PATIENCE_S)
    for _ in range(15):
        for _ in range(chance.choice((1, 1, 1, 3))):
            change(chance, repo)
        catch_up(engine)
        assert is_followed(engine)
        assert differences(engine.index_path) == {}


@pytest.mark.parametrize("language", PROGRAMS)
def test_figures_follow_small_edits_of_programs(
    language: str, repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    chance, program = random.Random(language), PROGRAMS[language]
    for _ in range(len(program.paths) * 2):
        edit(chance, repo, program)
    engine = begun(repo, tmp_path / "kept", engines)
    assert engine.analysed(PATIENCE_S)
    for _ in range(5):
        edit(chance, repo, program)
        catch_up(engine)
        assert is_followed(engine)
        assert differences(engine.index_path) == {}

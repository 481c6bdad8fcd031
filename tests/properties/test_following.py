"""After any sequence of edits, what is kept of each node and of all together is what an analysis of the whole graph would find."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from codeagentd.pipeline import analysing
from codeagentd.pipeline.engine import Engine
from tests.harness.analysed import differences
from tests.harness.programs import PROGRAMS
from tests.properties.test_incremental import GIT, PATIENCE_S, ROOT, catch_up, change, edit, engine_for, git


@pytest.fixture(autouse=True)
def _only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "LEAST_CHANGED", 1_000_000)


def is_followed(engine: Engine) -> bool:
    with engine.readers.read() as db:
        return db.value("analysis.state") is not None and db.one("analysis.state")[1] is not None


@pytest.mark.parametrize("seed", range(3))
def test_figures_follow_random_changes_of_files_in_several_languages(seed: int, repo: Path, tmp_path: Path, engines: list[Engine]) -> None:
    chance = random.Random(seed)
    for _ in range(12):
        change(chance, repo)
    engine = engine_for(repo, tmp_path / "kept")
    engines.append(engine)
    assert engine.analysed(PATIENCE_S)
    for _ in range(15):
        for _ in range(chance.choice((1, 1, 1, 3))):
            change(chance, repo)
        catch_up(engine)
        assert is_followed(engine)
        assert differences(engine.index_path) == {}


@pytest.mark.parametrize("language", PROGRAMS)
def test_figures_follow_small_edits_of_programs(language: str, repo: Path, tmp_path: Path, engines: list[Engine]) -> None:
    chance, program = random.Random(language), PROGRAMS[language]
    for _ in range(len(program.paths) * 2):
        edit(chance, repo, program)
    engine = engine_for(repo, tmp_path / "kept")
    engines.append(engine)
    assert engine.analysed(PATIENCE_S)
    for _ in range(5):
        edit(chance, repo, program)
        catch_up(engine)
        assert is_followed(engine)
        assert differences(engine.index_path) == {}


def test_figures_follow_a_real_history(tmp_path: Path, engines: list[Engine]) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: no history to walk through")
    repo = tmp_path / "repo"
    subprocess.run([*GIT, "clone", "-q", "--no-hardlinks", str(ROOT), str(repo)], check=True, capture_output=True)
    commits = git(ROOT, "rev-list", "--first-parent", "--max-count=6", "HEAD").split()[::-1]
    git(repo, "checkout", "-q", commits[0])
    engine = engine_for(repo, tmp_path / "kept")
    engines.append(engine)
    assert engine.analysed(PATIENCE_S)
    for commit in commits[1:]:
        git(repo, "checkout", "-q", commit)
        catch_up(engine)
        if is_followed(engine):
            assert differences(engine.index_path) == {}
        else:  # a merge of a lot
            assert engine.analysed(PATIENCE_S, current=True)

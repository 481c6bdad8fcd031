"""After each of many edits with dependents, every file is resolved as in a new index: none waits for a later edit to reach it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.harness.aimed import Aim
from tests.harness.namesakes import NAMESAKES
from tests.harness.programs import PROGRAMS
from tests.harness.stale import Judge
from tests.properties.test_incremental import begun, catch_up, edit

STEPS = 15


def judge_of(engine: IndexingEngine) -> Judge:
    return Judge(engine.index_path, engine.index_path.with_name("blobs.db"))


@pytest.mark.parametrize("language", NAMESAKES)
def test_no_file_is_left_behind_by_an_edit_of_what_others_use(
    language: str, repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    for path, text in NAMESAKES[language].items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text)
    engine = begun(repo, tmp_path / "kept", engines)
    aim, judge = Aim(repo, random.Random(language)), judge_of(engine)
    for _ in range(STEPS):
        told = aim.edit(engine.index_path)
        catch_up(engine)
        assert [*judge.stale()] == [], told


@pytest.mark.parametrize("language", PROGRAMS)
def test_no_file_is_left_behind_by_an_edit_of_an_entangled_program(
    language: str, repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    chance, program = random.Random(language), PROGRAMS[language]
    for _ in range(len(program.paths) * 2):
        edit(chance, repo, program)
    engine = begun(repo, tmp_path / "kept", engines)
    aim, judge = Aim(repo, chance), judge_of(engine)
    for step in range(STEPS):
        told = aim.edit(engine.index_path) if step % 2 else edit(chance, repo, program)
        catch_up(engine)
        assert [*judge.stale()] == [], told

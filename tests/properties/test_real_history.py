"""What holds after each edit of a small program holds over the last commits of this repository too: one index follows them all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.pipeline.graph import analysis_scheduler
from tests.harness.analysed import differences
from tests.properties.test_each_step import judge_of
from tests.properties.test_following import is_followed
from tests.properties.test_incremental import PATIENCE_S, assert_equals_fresh, catch_up, engine_for, git, history

STEPS = int(os.environ.get("HISTORY_STEPS", "2"))  # of one commit each, to the last one; `make faults` takes more
JUMPS = STEPS  # before them, of several commits each
COMMITS = 8 * STEPS


@dataclass
class Walk:
    """An index that followed the commits, and what was wrong with it after each of the last ones."""

    repo: Path
    engine: IndexingEngine
    stale: dict[str, list[str]] = field(default_factory=dict)
    differing: dict[str, dict[str, list[Any]]] = field(default_factory=dict)


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    """An index that was made at the first commit and has followed the others, by jumps and then one by one."""
    place = tmp_path_factory.mktemp("history")
    commits = history(place / "repo", COMMITS)
    before, last = commits[1:-STEPS], commits[1:][-STEPS:]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis_scheduler, "LEAST_CHANGED", 1_000_000)  # only when asked
        walk = Walk(place / "repo", engine_for(place / "repo", place / "kept"))
        judge = judge_of(walk.engine)
        try:
            for commit in before[:: max(1, len(before) // JUMPS)]:
                git(walk.repo, "checkout", "-q", commit)
                catch_up(walk.engine)
            assert walk.engine.analysed(PATIENCE_S, current=True)
            for commit in last:
                git(walk.repo, "checkout", "-q", commit)
                catch_up(walk.engine)
                walk.stale[commit] = [*judge.stale()]
                if is_followed(walk.engine):
                    walk.differing[commit] = differences(walk.engine.index_path)
                else:  # a merge of a lot
                    assert walk.engine.analysed(PATIENCE_S, current=True)
            yield walk
        finally:
            walk.engine.close(10)


def test_no_file_is_left_behind_over_a_real_history(walk: Walk) -> None:
    assert {commit: found for commit, found in walk.stale.items() if found} == {}


def test_figures_follow_a_real_history(walk: Walk) -> None:
    assert {commit: found for commit, found in walk.differing.items() if found} == {}


@pytest.mark.limit(300)  # it indexes this repository
def test_an_incremental_index_equals_a_fresh_one_over_a_real_history(walk: Walk, tmp_path: Path) -> None:
    assert_equals_fresh(walk.engine, walk.repo, tmp_path / "fresh")
    assert walk.engine.status().indexed_files > 0

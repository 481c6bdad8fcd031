"""The engine of one commit: what it waits for while its index is still being made whole."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.model.graph_snapshot import SnapshotRequest
from codeagentd.pipeline.engine import revision_engine
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.pipeline.engine.revision_engine import RevisionEngine

COMMIT = "c" * 40


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[Callable[[], bool]], RevisionEngine]]:
    """Opens the index of one file, which has neither text nor an analysis."""
    tree, index = tmp_path / "shop", tmp_path / "index"
    tree.mkdir()
    (tree / "a.py").write_text("def total():\n    return 1\n")
    writer = IndexingEngine(tree, index, tmp_path / "blobs", use_watcher=False)
    writer.start()
    assert writer.wait_caught_up(30)
    writer.close(10)
    engines = []

    def open_index(is_building: Callable[[], bool]) -> RevisionEngine:
        paths = (str(tree), str(index / "index.db"), str(tmp_path / "blobs" / "blobs.db"), "")
        engines.append(
            RevisionEngine(
                SnapshotRequest(*paths, 1_000_000, 1, (), ()), COMMIT, "team/shop", lambda: None, is_building
            )
        )
        return engines[-1]

    yield open_index
    for engine in engines:
        engine.close(1)


def test_answers_are_of_the_commit_and_never_behind(opened: Callable[[Callable[[], bool]], RevisionEngine]) -> None:
    engine = opened(lambda: False)
    (engine.root / "a.py").write_text("def changed():\n    return 1\n")
    mark = engine.sync()
    assert (mark.head, mark.caught_up, mark.repository, mark.dirty) == (COMMIT, True, "team/shop", False)
    assert engine.status().state == "ready"


def test_an_analysis_is_waited_for_only_while_it_may_come(
    opened: Callable[[Callable[[], bool]], RevisionEngine],
) -> None:
    began = time.monotonic()
    with pytest.raises(EngineUnavailable, match="has not been analysed"):
        opened(lambda: False).analysed(60.0)
    assert time.monotonic() - began < 30
    assert not opened(lambda: True).analysed(0.2)


def test_few_calls_wait_at_once(
    opened: Callable[[Callable[[], bool]], RevisionEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revision_engine, "_waiting", threading.Semaphore(0))
    began = time.monotonic()
    assert not opened(lambda: True).analysed(60.0)
    assert time.monotonic() - began < 30

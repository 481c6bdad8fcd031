"""The open indexes of a server: few, and none longer than it is used."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, cast

import pytest

from codeagentd.pipeline.revisions.layout import Layout
from codeagentd.pipeline.revisions.revision_indexes import RevisionIndexes
from codeagentd.serve.repositories import open_indexes
from codeagentd.serve.repositories.open_indexes import IDLE_S, OpenIndexes

ROOT = Path("/nowhere")


class AllBuilt:
    """Indexes that are there."""

    def obtain(self, name: str, commit: str, root: Path, patience_s: float) -> Layout:
        return Layout(Path("/c") / commit, name, commit)

    def blobs_of(self, name: str) -> Path:
        return Path("/c/blobs")


class StubEngine:
    """An engine that says when it was closed."""

    def __init__(self, closed: list[str], commit: str) -> None:
        self._closed, self._commit = closed, commit

    def close(self, deadline_s: float) -> None:
        self._closed.append(self._commit)


@pytest.fixture
def closed() -> list[str]:
    return []


@pytest.fixture
def opened(closed: list[str]) -> OpenIndexes:
    def open_index(layout: Layout, blobs: Path, name: str, damaged: Any) -> Any:
        return StubEngine(closed, layout.commit), f"calls of {layout.commit}"

    return OpenIndexes(cast(RevisionIndexes, AllBuilt()), open_index)


def test_an_index_stays_open_while_it_is_lent_and_some_time_longer(
    opened: OpenIndexes, closed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    with opened.lent("shop", "c1", ROOT, 0) as calls:
        assert cast(Any, calls) == "calls of c1"
        monkeypatch.setattr(open_indexes.time, "monotonic", lambda: now + 2 * IDLE_S)
        opened.close_idle()
        assert opened.is_open("shop", "c1")
    opened.close_idle()
    assert (opened.count, closed) == (1, [])
    monkeypatch.setattr(open_indexes.time, "monotonic", lambda: now + 4 * IDLE_S)
    opened.close_idle()
    assert (opened.count, closed) == (0, ["c1"])


def test_the_one_of_the_longest_time_ago_is_closed_beyond_the_most(
    opened: OpenIndexes, closed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_indexes, "MAX_OPEN", 2)
    for commit in ("c1", "c2", "c1", "c3"):
        with opened.lent("shop", commit, ROOT, 0):
            pass
    assert closed == ["c2"]
    opened.close()
    assert sorted(closed) == ["c1", "c2", "c3"]

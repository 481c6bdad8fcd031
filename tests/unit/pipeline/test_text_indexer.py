"""How long a question waits for the text index."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from codeagentd.pipeline.background import text_indexer
from codeagentd.pipeline.background.governor import Governor
from codeagentd.pipeline.background.text_indexer import LEAST_S, TextWriter
from codeagentd.pipeline.workers.pool import Pool


@pytest.fixture
def writer(tmp_path: Path) -> TextWriter:
    pool = Pool(tmp_path, tmp_path / "index.db", tmp_path / "blobs.db")
    return TextWriter(tmp_path, pool, Governor(tmp_path / "index.db", None, 1 << 30))


def waited_s(writer: TextWriter, patience_s: float) -> float:
    began = time.monotonic()
    assert not writer.wait(patience_s)
    return time.monotonic() - began


def test_each_question_waits_a_moment_for_what_was_just_saved(writer: TextWriter) -> None:
    assert writer.request()
    assert waited_s(writer, LEAST_S) >= LEAST_S
    assert waited_s(writer, LEAST_S) >= LEAST_S


def test_no_question_waits_for_text_that_has_been_behind_for_long(
    writer: TextWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert writer.request()
    assert waited_s(writer, LEAST_S) >= LEAST_S
    monkeypatch.setattr(text_indexer, "LONG_S", LEAST_S)
    assert waited_s(writer, LEAST_S) < LEAST_S


def test_nobody_waits_once_it_is_there(writer: TextWriter) -> None:
    writer.done.set()
    assert not writer.request()
    assert writer.wait(60.0)

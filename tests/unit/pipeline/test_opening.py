"""What is asked of an index while it is being opened for the first time."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base.paths import Jail
from codeagentd.pipeline.engine import index_databases
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.toolkit.context import Context
from tests.unit.pipeline.conftest import PATIENCE_S


@contextlib.contextmanager
def slow_to_open(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Context, threading.Event]]:
    """A new engine whose index is opened when the event is set."""
    (place / "repo").mkdir()
    (place / "repo" / "a.py").write_text("def lend(): pass\n")
    may_open, opens = threading.Event(), index_databases.open_disposable
    monkeypatch.setattr(index_databases, "open_disposable", lambda path, kind: may_open.wait(20) and opens(path, kind))
    engine = IndexingEngine(place / "repo", place / "index", place / "blobs", use_watcher=False)
    engine.start()
    try:
        yield Context(engine.root, engine.readers, engine, Jail(engine.root), engine.ignored), may_open
    finally:
        may_open.set()
        engine.close(10)


def test_the_first_question_waits_until_there_is_something_to_read(tmp_path, monkeypatch):
    with slow_to_open(tmp_path, monkeypatch) as (ctx, may_open):
        threading.Timer(0.5, may_open.set).start()
        with ctx.read() as db:
            assert db.value("world.file_by_path", ("nowhere.py",), 0) == 0


def test_one_that_takes_long_to_open_is_to_be_asked_again(tmp_path, monkeypatch):
    monkeypatch.setattr("codeagentd.pipeline.engine.engine.OPENING_S", 0.2)
    with (
        slow_to_open(tmp_path, monkeypatch) as (ctx, _),
        pytest.raises(EngineUnavailable, match="not open yet"),
        ctx.read(),
    ):
        pass


def test_nobody_waits_for_one_that_cannot_be_opened(tmp_path, monkeypatch):
    (tmp_path / "index").write_text("no folder")
    with slow_to_open(tmp_path, monkeypatch) as (ctx, may_open):
        may_open.set()
        began = time.monotonic()
        with pytest.raises(EngineUnavailable, match="cannot be read"), ctx.read():
            pass
        assert time.monotonic() - began < 5


def test_an_index_that_rots_between_its_opening_and_the_first_read_is_made_again(make_bench, monkeypatch):
    bench = make_bench({"a.py": "def one(): pass\n"})
    bench.engine.close(PATIENCE_S)
    mark_stale, rotten = index_databases.mark_stale, []

    def rots(database, index, start):
        if not rotten:
            rotten.append(index)
            with index.open("r+b") as file:
                file.seek(8_192)
                file.write(b"\xaa" * (index.stat().st_size - 8_192))
            raise apsw.CorruptError("rotten")
        mark_stale(database, index, start)

    monkeypatch.setattr(index_databases, "mark_stale", rots)
    bench.start()
    bench.catch_up()
    assert rotten
    assert bench.stored.count_symbols("one") == 1

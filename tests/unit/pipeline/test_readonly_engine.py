"""An index that is only read: the engine follows its writer, states how far it is behind the files, and refuses writes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.model.graph_snapshot import SnapshotRequest
from codeagentd.pipeline.engine import readonly_engine
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.pipeline.engine.readonly_engine import ReadOnlyEngine
from codeagentd.store.connection import Database
from tests.harness.served import served
from tests.harness.stored_rows import stored_rows

FILES = {"shop/cart.py": "def total(items):\n    return sum(items)\n", "notes.txt": "words\n"}
WHY = "local sockets are refused"


@pytest.fixture
def written(tmp_path: Path) -> Iterator[IndexingEngine]:
    """The engine that writes it."""
    with served(tmp_path, FILES) as engine:
        yield engine


def reading(place: Path, revisions: str = "") -> ReadOnlyEngine:
    request = SnapshotRequest(
        str(place / "repo"),
        str(place / "index" / "index.db"),
        str(place / "blobs" / "blobs.db"),
        revisions,
        4_000_000,
        1,
        (),
        (),
    )
    return ReadOnlyEngine(request, WHY)


def names(engine: ReadOnlyEngine) -> set[str]:
    with engine.readers.read() as db:
        return {symbol.qualified_name for symbol in stored_rows(db).symbols(external=True)}


def test_it_has_what_the_writer_has_and_what_it_writes_next(written: IndexingEngine, tmp_path: Path):
    engine = reading(tmp_path)
    before = engine.sync()
    assert (before.generation, before.caught_up, before.pending_files) == (written.watermark().generation, True, 0)
    (tmp_path / "repo" / "shop" / "till.py").write_text("def pay():\n    return 1\n")
    watermark = engine.sync()
    assert (watermark.caught_up, watermark.pending_files) == (False, 1)
    written.request_scan()
    assert written.wait_caught_up(30)
    now = engine.sync()
    assert now.caught_up
    assert now.generation > before.generation
    assert any(name.endswith("pay") for name in names(engine))


def test_ignore_rules_count_as_they_are_now(written: IndexingEngine, tmp_path: Path):
    engine = reading(tmp_path)
    (tmp_path / "repo" / ".gitignore").write_text("shop/\n")
    assert engine.sync().pending_files == 2  # what is ignored now, and the file that says so


def test_a_repository_that_takes_long_to_compare_is_not_called_fresh(
    written: IndexingEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    engine, compared = reading(tmp_path), []
    monkeypatch.setattr(engine, "_count_differences", lambda: compared.append(1) or 0)
    monkeypatch.setattr(readonly_engine, "COMPARE_S", 0.0)
    assert engine.sync().caught_up  # the first tells how long it takes
    assert not engine.sync().caught_up
    assert len(compared) == 1
    monkeypatch.setattr(readonly_engine, "AGAIN_S", 0.0)
    assert engine.sync().caught_up


def test_without_a_look_it_claims_nothing(written: IndexingEngine, tmp_path: Path):
    engine = reading(tmp_path)
    assert engine.sync().caught_up
    assert not engine.watermark().caught_up


def test_status_says_what_is_there_and_why_it_is_only_read(written: IndexingEngine, tmp_path: Path):
    engine, own = reading(tmp_path), written.status()
    status = engine.status()
    assert (status.state, status.watcher, status.watermark.caught_up) == ("degraded", "off", True)
    assert WHY in status.reason
    assert status.remedy
    counts = (status.indexed_files, status.indexed_symbols, status.languages, status.unknown, status.schema_version)
    assert counts == (own.indexed_files, own.indexed_symbols, own.languages, own.unknown, own.schema_version)


def test_text_that_is_not_indexed_yet_is_known(written: IndexingEngine, tmp_path: Path):
    engine = reading(tmp_path)
    assert engine.text_ready()
    writer = Database(tmp_path / "index" / "index.db", writable=True)
    writer.connection.execute("UPDATE files SET chunked = 0")
    writer.close()
    assert not engine.text_ready()


def test_what_would_have_to_be_written_is_refused(written: IndexingEngine, tmp_path: Path):
    engine = reading(tmp_path)
    with pytest.raises(EngineUnavailable, match=WHY):
        engine.index_files(["shop/cart.py"], b"", 1)
    with pytest.raises(EngineUnavailable, match=WHY):
        engine.snapshots([""])
    with pytest.raises(EngineUnavailable, match="cannot be here"):
        engine.analysed()
    assert not engine.analysed(0.0)
    assert written.analysed(30)
    assert engine.analysed(current=True)


def test_graphs_of_revisions_are_made_where_there_is_a_place_for_them(written: IndexingEngine, tmp_path: Path):
    engine = reading(tmp_path, str(tmp_path / "own" / "revisions"))
    (snapshot,) = engine.snapshots([""])
    assert "shop/cart.py" in snapshot.files
    engine.close(1)


def test_an_index_that_goes_while_it_is_read_is_said_to_be_gone(tmp_path: Path):
    with served(tmp_path, FILES):
        pass
    engine = reading(tmp_path)
    assert engine.sync().caught_up
    shutil.rmtree(tmp_path / "index")
    with pytest.raises(EngineUnavailable, match="the index is absent"):
        engine.sync()


@pytest.mark.parametrize(
    ("statement", "why"),
    [("PRAGMA user_version=999", "newer"), ("REPLACE INTO meta(key, value) VALUES ('bulk', 1)", "building")],
)
def test_an_index_that_cannot_be_read_is_refused_with_the_reason(tmp_path: Path, statement: str, why: str):
    with served(tmp_path, FILES):
        pass
    writer = Database(tmp_path / "index" / "index.db", writable=True)
    writer.connection.execute(statement)
    writer.close()
    with pytest.raises(EngineUnavailable, match=f"the index is {why}"):
        reading(tmp_path)

"""A second worktree begins with a copy of the first one's index, a branch switch parses only new content, and an
upgrade only what has changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.pipeline.engine.index_startup import Start
from codeagentd.store.connection import Database
from codeagentd.store.opening import open_disposable
from tests.harness.past import committed, run, write
from tests.harness.stored_rows import rows_of_engine
from tests.harness.waiting import comes

PATIENCE_S = 30.0
FILES: dict[str, str | None] = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "from shop.item import Item\n\n\ndef total(items):\n    return sum(Item(one).price() for one in items)\n"
    ),
    "shop/item.py": (
        "class Item:\n    def __init__(self, name):\n        self.name = name\n\n    def price(self):\n"
        "        return len(self.name)\n"
    ),
    "web/app.js": "export function show(text) { return text }\n",
    "notes.unknown": "words\n",
}
PLAIN = Start()


@contextmanager
def indexed(root: Path, place: Path, blobs: Path, start: Start = PLAIN) -> Iterator[IndexingEngine]:
    """The engine of a worktree that has caught up."""
    engine = IndexingEngine(root, place, blobs, use_watcher=False, start=start)
    engine.start()
    try:
        engine.request_scan()
        assert engine.wait_caught_up(PATIENCE_S)
        assert engine.text_ready(PATIENCE_S)
        yield engine
    finally:
        engine.close(10)


def content(engine: IndexingEngine) -> list[list[Any]]:
    """What an index says, without the numbers that it gives."""
    rows = rows_of_engine(engine)
    references = [
        (one.path, one.line, one.col, one.kind, one.confidence, one.origin, one.source_uid, one.target_uid or b"")
        for one in rows.references()
    ]
    symbols = [
        (one.uid, one.path, one.qualified_name, one.line_start, one.line_end) for one in rows.symbols(external=True)
    ]
    files = [(one.path, one.status, one.reason, one.size) for one in rows.files(external=True)]
    return [sorted(symbols), sorted(references), rows.chunks(), files]


def facts(blobs: Path) -> set[tuple[bytes, str]]:
    """What was ever extracted: (digest, language)."""
    database = Database(blobs / "blobs.db")
    known = {(digest, language) for digest, language, *_ in database.all("garbage.facts")}
    database.close()
    return known


class Pair:
    """A repository with an index, and a second worktree without."""

    def __init__(self, base: Path) -> None:
        self.first, self.second, self.blobs = base / "first", base / "second", base / "blobs"
        self.index, self.copy = base / "index-first", base / "index-second"
        committed(self.first, FILES)
        run(self.first, "worktree", "add", "-q", "-b", "other", str(self.second))

    @property
    def start(self) -> Start:
        return Start((self.index / "index.db",))


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


def test_a_second_worktree_starts_from_a_copy_and_reads_only_what_differs(pair: Pair, tmp_path: Path) -> None:
    with indexed(pair.first, pair.index, pair.blobs):
        before = facts(pair.blobs)
        write(
            pair.second,
            {
                "shop/item.py": "class Item:\n    def cost(self):\n        return 1\n",
                "shop/new.py": "def fresh():\n    pass\n",
                "web/app.js": None,
            },
        )
        with indexed(pair.second, pair.copy, pair.blobs, pair.start) as second:
            assert len(facts(pair.blobs) - before) == 2
            copied = content(second)
            assert second.watermark().generation > 1  # it went on from the copy's
        with indexed(pair.second, tmp_path / "anew", tmp_path / "other-blobs") as fresh:
            assert copied == content(fresh)


def test_the_copy_of_an_unchanged_worktree_needs_no_batch_of_files(pair: Pair) -> None:
    with indexed(pair.first, pair.index, pair.blobs) as first:
        before = content(first)
    with indexed(pair.second, pair.copy, pair.blobs, pair.start) as second:
        assert content(second) == before
        assert second.status().last_batch_files == 0


def test_a_copy_is_made_of_an_index_that_is_being_written(pair: Pair) -> None:
    with indexed(pair.first, pair.index, pair.blobs) as first:
        for number in range(20):
            write(pair.first, {f"shop/more{number}.py": f"def more{number}():\n    return {number}\n"})
            first.request_scan()
            place = pair.copy.with_name(f"copy{number}")
            engine = IndexingEngine(pair.second, place, pair.blobs, use_watcher=False, start=pair.start)
            engine.start()
            assert engine.wait_caught_up(PATIENCE_S)
            engine.close(10)
            database = Database(place / "index.db")
            assert database.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            database.close()


def test_an_index_that_parts_knows_the_projects_of_its_files_as_before(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for root in (pair.first, pair.second):
        write(root, {"pyproject.toml": '[project]\nname = "shop"\n'})
    with indexed(pair.first, pair.index, pair.blobs):
        pass
    with indexed(pair.second, pair.copy, pair.blobs, pair.start) as second:
        assert (pair.copy / "index.db").samefile(pair.index / "index.db")
        monkeypatch.setattr("codeagentd.pipeline.engine.index_maintenance.WAL_LIMIT_BYTES", 0)
        assert comes(lambda: not (pair.copy / "index.db").samefile(pair.index / "index.db"))
        write(
            pair.second, {"shop/late.py": "from shop.item import Item\n\n\ndef late():\n    return Item('x').price()\n"}
        )
        assert second.index_files(["shop/late.py"], b"s" * 16, 1)["indexed"] == 1
        with indexed(pair.second, tmp_path / "anew", tmp_path / "other-blobs") as fresh:
            assert content(second) == content(fresh)


@pytest.mark.parametrize("damage", ["missing", "empty", "foreign", "older", "unfinished"])
def test_an_index_that_cannot_be_copied_is_no_trouble(pair: Pair, damage: str) -> None:
    source = pair.index / "index.db"
    pair.index.mkdir()
    if damage == "empty":
        source.touch()
    elif damage == "foreign":
        source.write_bytes(b"nothing that SQLite knows" * 1_000)
    elif damage != "missing":
        database, _ = open_disposable(source, "index")
        if damage == "older":
            database.connection.execute("PRAGMA user_version=1")
        database.close()
    with indexed(pair.second, pair.copy, pair.blobs, pair.start) as second:
        assert rows_of_engine(second).count_symbols("total") == 1
    assert not list(pair.copy.glob("*.unfinished*"))


def test_a_worktree_that_was_made_anew_is_compared_by_content(pair: Pair) -> None:
    with indexed(pair.first, pair.index, pair.blobs):
        pass
    place = pair.first / "web/app.js"
    status = place.stat()
    text = place.read_text()
    place.write_text(text.replace("show", "hide"))
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    with indexed(pair.first, pair.index, pair.blobs, Start(is_new=True)) as again:
        assert [symbol.name for symbol in rows_of_engine(again).symbols("show", "hide")] == ["hide"]


def test_a_branch_switch_parses_only_contents_that_nobody_has_seen(pair: Pair) -> None:
    with indexed(pair.first, pair.index, pair.blobs) as first:
        run(pair.first, "switch", "-q", "-c", "work")
        write(pair.first, {"shop/cart.py": "def total(items):\n    return 0\n"})
        run(pair.first, "commit", "-q", "-am", "step")
        before = facts(pair.blobs)
        first.request_scan()
        assert first.wait_caught_up(PATIENCE_S)
        assert len(facts(pair.blobs) - before) == 1
        known = facts(pair.blobs)
        for branch in ("main", "work", "main"):
            run(pair.first, "switch", "-q", branch)
            first.request_scan()
            assert first.wait_caught_up(PATIENCE_S)
            assert facts(pair.blobs) == known
        assert rows_of_engine(first).targets("Item")


def test_an_upgrade_of_one_language_reads_its_files_again_and_no_others(pair: Pair) -> None:
    with indexed(pair.first, pair.index, pair.blobs) as first:
        before = content(first)
    database = Database(pair.index / "index.db", writable=True)
    database.connection.execute(
        "UPDATE meta SET value = CAST(json_set(CAST(value AS TEXT), '$.python', 1) AS BLOB) WHERE key = 'extractors'"
    )
    database.close()
    blobs = Database(pair.blobs / "blobs.db", writable=True)
    blobs.connection.execute("DELETE FROM facts")  # whatever comes back was extracted now
    blobs.close()
    with indexed(pair.first, pair.index, pair.blobs) as first:
        assert {language for _, language in facts(pair.blobs)} == {"python"}
        assert content(first) == before


@pytest.mark.parametrize("before", ["language = NULL, digest = NULL, status = 'skipped'", "language = 'other'"])
def test_a_language_that_is_new_gets_the_files_that_nobody_claimed(pair: Pair, before: str) -> None:
    with indexed(pair.first, pair.index, pair.blobs):
        pass
    database = Database(pair.index / "index.db", writable=True)
    database.connection.execute(
        "UPDATE meta SET value = CAST(json_remove(CAST(value AS TEXT), '$.javascript') AS BLOB) WHERE key = "
        "'extractors'"
    )
    database.connection.execute(f"UPDATE files SET {before} WHERE path = 'web/app.js'")
    database.close()
    with indexed(pair.first, pair.index, pair.blobs) as first:
        file = rows_of_engine(first).file("web/app.js")
        assert file
        assert (file.language, file.status) == ("javascript", "full")


def test_an_index_has_not_caught_up_before_it_was_compared_with_the_disk(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    with indexed(pair.first, pair.index, pair.blobs):
        pass
    engine = IndexingEngine(pair.second, pair.copy, pair.blobs, use_watcher=False, start=pair.start)
    caught_up: list[bool] = []
    monkeypatch.setattr(
        "codeagentd.pipeline.engine.index_databases.mark_stale",
        lambda database, index, start: caught_up.append(engine.watermark().caught_up),
    )
    engine.start()
    assert engine.wait_caught_up(PATIENCE_S)
    engine.close(10)
    assert caught_up == [False]


def test_a_full_disk_leaves_no_half_copy(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    with indexed(pair.first, pair.index, pair.blobs):
        pass
    monkeypatch.setattr("codeagentd.store.seeding._copy_file", _full)
    with indexed(pair.second, pair.copy, pair.blobs, pair.start) as second:
        assert rows_of_engine(second).count_symbols("total") == 1
    assert not list(pair.copy.glob("*.unfinished*"))


def _full(source: Path, target: Path) -> None:
    raise apsw.FullError("no space left")

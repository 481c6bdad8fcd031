"""An index of an older build, which knew fewer keys, is cleaned: nothing of them is left in its files."""

from __future__ import annotations

import contextlib
from pathlib import Path

import apsw

from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.store.connection import Database
from codeagentd.store.opening import open_disposable
from tests.harness.planted import Forge
from tests.harness.stored_rows import stored_rows
from tests.unit.pipeline.conftest import PATIENCE_S

MANY = 30  # files, so that one of them is a small part of its pages


def opened(place: Path) -> None:
    """Bring the index up to date, and close it."""
    engine = IndexingEngine(place / "repo", place / "index", place / "blobs", use_watcher=False)
    engine.start()
    try:
        assert engine.wait_caught_up(PATIENCE_S)
        assert engine.text_ready(PATIENCE_S)
    finally:
        engine.close(10)


def test_what_an_older_build_kept_is_read_again_and_leaves_no_trace(tmp_path: Path) -> None:
    key = Forge().stripe_key()
    (tmp_path / "repo").mkdir()
    for number in range(MANY):
        (tmp_path / "repo" / f"pay{number}.py").write_text(f'def charge(key="{key}"):\n    return key\n')
    opened(tmp_path)
    index = tmp_path / "index" / "index.db"
    assert not contains(tmp_path / "index", key)
    with contextlib.closing(apsw.Connection(str(index))) as connection:
        connection.execute("UPDATE symbols SET signature = ? WHERE signature IS NOT NULL", (f'(key="{key}")',))
        connection.execute("INSERT INTO names(key, name) VALUES (7, ?)", (f"#{key}",))
        connection.execute("""UPDATE meta SET value = '{"python": 1}' WHERE key = 'extractors'""")
    assert contains(tmp_path / "index", key)
    opened(tmp_path)
    with contextlib.closing(Database(index)) as database:
        signatures = [symbol.signature for symbol in stored_rows(database).symbols() if symbol.signature is not None]
    assert len(signatures) == MANY
    assert not contains(tmp_path / "index", key)


def test_facts_of_older_builds_are_gone_from_what_the_worktrees_share(tmp_path: Path) -> None:
    key, path = Forge().stripe_key(), tmp_path / "blobs.db"
    with contextlib.closing(open_disposable(path, "blobs")[0]) as database:
        for number in range(MANY):
            database.run("blobs.put_facts", (number.to_bytes(16), "python", 1, f"facts with {key}".encode() * 50))
        database.connection.pragma("user_version", 4)
    assert contains(tmp_path, key)
    open_disposable(path, "blobs")[0].close()
    assert not contains(tmp_path, key)


def contains(folder: Path, key: str) -> bool:
    """Whether any file below a folder holds the key."""
    return any(key.lower().encode() in file.read_bytes().lower() for file in folder.rglob("*") if file.is_file())

"""A database that was opened can be used, whatever version wrote it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from codeagentd.store import migrations as schema
from codeagentd.store.migrations import migrations
from codeagentd.store.opening import open_disposable, own


@pytest.fixture
def with_migration(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """One migration of index.db more."""

    def add(script: str) -> None:
        known = migrations("index")
        monkeypatch.setattr(schema, "migrations", lambda kind: [*known, script])

    return add


def written(path: Path) -> None:
    """An index with one file."""
    database, note = open_disposable(path, "index")
    assert not note
    database.connection.execute("INSERT INTO meta(key, value) VALUES ('mark', 1)")
    database.close()


def test_a_migration_keeps_what_is_there(tmp_path: Path, with_migration: Callable[[str], None]) -> None:
    written(tmp_path / "index.db")
    with_migration("CREATE TABLE novelty(id INTEGER PRIMARY KEY);")
    database, note = open_disposable(tmp_path / "index.db", "index")
    assert (note, database.value("writer.meta", ("mark",))) == ("", 1)
    assert database.connection.pragma("user_version") == len(migrations("index")) + 1
    database.close()


def test_a_database_of_a_newer_build_is_let_alone(tmp_path: Path, with_migration: Callable[[str], None]) -> None:
    path = tmp_path / "index.db"
    assert own(path, "index") == path, "there is none"
    written(path)
    assert own(path, "index") == path
    with contextlib.closing(apsw.Connection(str(path))) as newer:
        newer.pragma("user_version", len(migrations("index")) + 1)
        assert own(path, "index") == tmp_path / f"index.v{len(migrations('index'))}.db", (
            "also while it is only in the log"
        )
    with_migration("CREATE TABLE novelty(id INTEGER PRIMARY KEY);")
    assert own(path, "index") == path


FAULTS = [
    "INSERT INTO meta(key, value) SELECT key, 2 FROM meta WHERE key = 'mark';",  # a row twice
    "CREATE TABLE twice(a); INSERT INTO meta(key, value) VALUES ('again', 1); SELECT json(key) FROM meta WHERE key = 'mark';",  # a value of no use
]


@pytest.mark.parametrize("script", FAULTS)
def test_a_database_to_which_a_migration_cannot_be_applied_is_begun_anew(
    tmp_path: Path, with_migration: Callable[[str], None], script: str
) -> None:
    written(tmp_path / "index.db")
    with_migration(script)
    database, note = open_disposable(tmp_path / "index.db", "index")
    assert "could not be brought up to date" in note
    assert database.value("writer.meta", ("mark",)) is None
    assert database.connection.pragma("user_version") == len(migrations("index")) + 1
    database.close()

"""Databases are brought up to date once, however many processes begin to do so."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from codeagentd.store import migrations
from codeagentd.store.connection import Database


def test_two_that_begin_one_new_database_at_once_both_get_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts, has_looked, results = migrations.migrations("blobs"), threading.Event(), []

    def other() -> None:
        database = Database(tmp_path / "blobs.db", writable=True)
        results.append(migrations.migrate(database, "blobs"))
        database.close()

    def listed(kind: str) -> list[str]:
        """The scripts; whoever asks for them has looked at the database's version."""
        if threading.current_thread() is thread:
            has_looked.set()
        return scripts

    def between(name: str) -> None:
        if not has_looked.is_set():
            thread.start()
            assert has_looked.wait(10)

    thread = threading.Thread(target=other)
    monkeypatch.setattr(migrations, "migrations", listed)
    monkeypatch.setattr(migrations.failpoints, "point", between)
    database = Database(tmp_path / "blobs.db", writable=True)
    assert migrations.migrate(database, "blobs")
    thread.join(10)
    assert results == [True]
    assert int(database.connection.pragma("user_version")) == len(scripts)
    database.close()

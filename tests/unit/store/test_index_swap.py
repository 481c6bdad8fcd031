"""An index made beside another takes its place whole, with what windows were told about the other."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from codeagentd.store.connection import Database
from codeagentd.store.index_swap import copy, is_outdated, replace
from codeagentd.store.migrations import schema_version
from codeagentd.store.opening import open_disposable

SESSION = b"s" * 16


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """An index of an earlier schema: that of now with the number of the last."""
    path = tmp_path / "index.db"
    database, _ = open_disposable(path, "index")
    database.run("writer.put_meta", ("generation", 4))
    database.connection.pragma("user_version", schema_version("index") - 1)
    database.close()
    return path


@pytest.fixture
def made(older: Path) -> Path:
    """The next one beside it."""
    path = older.parent / "next" / "index.db"
    path.parent.mkdir()
    copy(older, path)
    database = Database(path, writable=True)
    database.connection.pragma("user_version", schema_version("index"))
    database.close()
    return path


def value(path: Path, key: str) -> object:
    database = Database(path)
    found: object = database.value("writer.meta", (key,))
    database.close()
    return found


def test_an_index_of_an_earlier_schema_is_outdated_and_no_other(older: Path) -> None:
    assert is_outdated(older, "index")
    assert not is_outdated(older.parent / "missing.db", "index")
    for change in (
        f"PRAGMA user_version={schema_version('index')}",
        f"PRAGMA user_version={schema_version('index') + 1}",
        "PRAGMA user_version=0",
    ):
        connection = apsw.Connection(str(older))
        connection.execute(change)
        connection.close()
        assert not is_outdated(older, "index"), change
    older.write_bytes(b"garbage" * 1_000)
    assert not is_outdated(older, "index")


def test_a_first_index_that_was_not_finished_is_nothing_to_keep(older: Path) -> None:
    database = Database(older, writable=True)
    database.run("writer.put_meta", ("bulk", 1))
    database.close()
    assert not is_outdated(older, "index")


def test_the_next_index_takes_the_place_and_the_generation_goes_on(older: Path, made: Path) -> None:
    database = Database(older, writable=True)
    database.run("writer.put_meta", ("generation", 9))  # since the copy was made
    database.run("writer.put_write", (SESSION, 3, b"told", 1))
    assert replace(older, made)
    assert not any(Path(f"{older}{part}").exists() for part in ("-wal", "-shm"))
    assert value(older, "generation") == 10
    now = Database(older)
    assert now.connection.pragma("user_version") == schema_version("index")
    assert now.value("writer.written", (SESSION, 3)) == b"told"
    now.close()
    assert not made.exists()
    database.close()


def test_an_index_that_somebody_has_migrated_meanwhile_stays(older: Path, made: Path) -> None:
    database = Database(older, writable=True)
    database.connection.pragma("user_version", schema_version("index"))
    database.close()
    assert not replace(older, made)
    assert value(older, "generation") == 4
    assert made.exists()


def test_while_somebody_reads_what_is_only_in_the_log_the_older_index_stays(
    older: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeagentd.store.index_swap.PATIENCE_MS", 10)
    writer, reader = Database(older, writable=True), Database(older)
    with reader.transaction("DEFERRED"):
        assert reader.value("writer.meta", ("generation",)) == 4
        writer.run("writer.put_meta", ("generation", 5))
        assert not replace(older, made)
    assert value(older, "generation") == 5
    writer.close()
    reader.close()
    assert replace(older, made)


def test_a_database_that_cannot_be_copied_says_so(tmp_path: Path) -> None:
    (tmp_path / "index.db").write_bytes(b"garbage" * 1_000)
    with pytest.raises(OSError, match="cannot be copied"):
        copy(tmp_path / "index.db", tmp_path / "copy.db")

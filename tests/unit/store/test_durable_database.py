"""A database that nothing can rebuild: opened by many, migrated once, never lost, put back while daemons run."""

from __future__ import annotations

import concurrent.futures
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from codeagent_protocol.errors import StoreFailed
from codeagentd.store import backups, durable_database, migrations
from codeagentd.store.backups import backup, backups_of, is_sound, restore
from codeagentd.store.durable_database import DurableStore

WRITER = """
import sys
from pathlib import Path
from codeagentd.store.durable_database import DurableStore
store = DurableStore(Path(sys.argv[1]), "memory")
for number in range(20):
    with store.write() as db:
        db.value("tasks.next_number", ("CA", "task"))
"""


@pytest.fixture
def store(tmp_path: Path) -> DurableStore:
    return DurableStore(tmp_path / "data" / "memory.db", "memory")


def counted(store: DurableStore) -> int:
    with store.read() as db:
        row = db.connection.execute("SELECT max(last) FROM counters").fetchone()
    return int(row[0] or 0) if row else 0


def count(store: DurableStore) -> int:
    with store.write() as db:
        return int(db.value("tasks.next_number", ("CA", "task")))


def spoil(path: Path) -> None:
    for part in ("-wal", "-shm"):
        Path(f"{path}{part}").unlink(missing_ok=True)
    path.write_bytes(b"this is no database " * 4096)


def test_it_is_private_and_synchronous(store: DurableStore) -> None:
    with store.write() as db:
        assert db.connection.pragma("synchronous") == 2
        assert db.connection.pragma("journal_mode") == "wal"
    assert store.path.stat().st_mode & 0o777 == 0o600
    assert store.path.parent.stat().st_mode & 0o777 == 0o700


def test_who_gives_memory_back_does_not_wait_for_a_write(store: DurableStore) -> None:
    count(store)
    with store.write(), concurrent.futures.ThreadPoolExecutor(1) as others:
        others.submit(store.shrink).result(5)
    assert count(store) == 2


def test_several_processes_make_it_and_write_it_at_once(store: DurableStore) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(store.path)]) for _ in range(4)]
    assert [writer.wait(50) for writer in writers] == [0, 0, 0, 0]
    assert counted(store) == 80


def test_what_a_failing_block_did_is_undone(store: DurableStore) -> None:
    count(store)
    with pytest.raises(apsw.SQLError), store.write() as db:
        db.connection.execute("UPDATE counters SET last = 7; SELECT no_such_function()")
    assert count(store) == 2


def test_vectors_of_the_first_version_are_found_by_number_after_it(
    store: DurableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = migrations.migrations("memory")[:1]
    monkeypatch.setattr(durable_database, "migrations", lambda kind: first)
    with store.write() as db:
        db.connection.execute(
            "INSERT INTO memories(number, id, type, content, digest, created_at, updated_at) VALUES (7, 'a', 'episode', 'x', x'aa', 1, 1)"
        )
        db.connection.execute("INSERT INTO memory_vectors VALUES (x'bb', 1, x'00000000'), (x'aa', 1, x'0000803f')")
        db.connection.execute("INSERT INTO memory_bits VALUES (7, 1, 'episode', '', x'01')")
    store.close()
    monkeypatch.undo()
    with store.write() as db:
        assert db.all("recall.cosines", {"numbers": "[7]", "model": 1, "vector": b"\0\0\x80\x3f"}) == [(7, 1.0)]


def test_a_migration_keeps_what_was_there_before(store: DurableStore, monkeypatch: pytest.MonkeyPatch) -> None:
    count(store)
    store.close()
    scripts = [*migrations.migrations("memory"), "ALTER TABLE counters ADD COLUMN note TEXT NOT NULL DEFAULT 'new'"]
    monkeypatch.setattr(durable_database, "migrations", lambda kind: scripts)
    with store.write() as db:
        assert db.connection.execute("SELECT note FROM counters").fetchall() == [("new",)]
    (kept,) = backups_of(store.path)
    before = len(scripts) - 1
    assert kept.stem.endswith(f"-v{before}")
    assert is_sound(kept)
    with apsw.Connection(str(kept)) as old:
        assert old.pragma("user_version") == before


def test_a_migration_that_fails_leaves_everything_as_it_was(
    store: DurableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    count(store)
    store.close()
    monkeypatch.setattr(
        durable_database,
        "migrations",
        lambda kind: [*migrations.migrations("memory"), "DELETE FROM counters; SELECT no_such_function()"],
    )
    with pytest.raises(apsw.SQLError), store.write():
        pass
    monkeypatch.undo()
    assert count(store) == 2


def test_a_newer_database_is_left_alone(store: DurableStore) -> None:
    count(store)
    store.close()
    with apsw.Connection(str(store.path)) as connection:
        connection.execute("PRAGMA user_version=99")
    with pytest.raises(StoreFailed, match="newer"):
        count(store)


def test_a_damaged_database_is_neither_written_nor_removed(store: DurableStore) -> None:
    count(store)
    store.close()
    spoil(store.path)
    spoiled = store.path.read_bytes()
    for attempt in (count, count, counted):
        with pytest.raises(StoreFailed, match="damaged") as caught:
            attempt(store)
        assert "memory restore" in caught.value.remedy
    assert store.path.read_bytes() == spoiled


def test_what_is_left_of_a_damaged_database_is_read(store: DurableStore) -> None:
    count(store)
    with store.write() as db:
        for number in range(500):
            db.run("memory.note", (0.0, "x", str(number), b"", "null", "null" * 50))
    store.close()
    with apsw.Connection(str(store.path)) as connection:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'audit'").fetchone()
        size = connection.pragma("page_size")
    with store.path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    with pytest.raises(StoreFailed), store.write() as db:
        db.run("memory.note", (0.0, "x", "y", b"", "null", "null"))
    with pytest.raises(StoreFailed, match="nothing is written"):
        count(store)
    assert counted(store) == 1


def test_a_copy_is_put_back_under_a_store_that_is_in_use(store: DurableStore) -> None:
    count(store)
    kept = backup(store.path)
    count(store)
    aside = restore(store.path, kept)
    assert counted(store) == 1
    assert count(store) == 2
    assert aside is not None
    assert counted(DurableStore(aside, "memory")) == 2


def test_a_damaged_database_is_replaced_and_kept(store: DurableStore) -> None:
    count(store)
    kept = backup(store.path)
    store.close()
    spoil(store.path)
    with pytest.raises(StoreFailed):
        count(store)
    aside = restore(store.path, kept)
    assert count(store) == 2
    assert aside is not None
    assert aside.read_bytes().startswith(b"this is no database")


def test_what_is_being_written_is_not_replaced(store: DurableStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "PATIENCE_MS", 50)
    count(store)
    kept = backup(store.path)
    with store.write(), pytest.raises(StoreFailed, match="written by another process"):
        restore(store.path, kept)
    assert count(store) == 2
    assert [file.name for file in store.path.parent.iterdir() if file.name.startswith(".")] == []


def test_a_copy_that_cannot_be_made_names_its_place(store: DurableStore, tmp_path: Path) -> None:
    count(store)
    (tmp_path / "file").write_text("")
    for place in (Path("/proc/copy.db"), tmp_path / "file" / "copy.db", tmp_path):
        with pytest.raises(StoreFailed, match=f"{place} cannot be written"):
            backup(store.path, target=place)


def test_a_copy_is_never_put_over_its_database(store: DurableStore) -> None:
    count(store)
    before = store.inode
    with pytest.raises(StoreFailed, match="the database itself"):
        backup(store.path, target=store.path)
    assert (store.inode, count(store)) == (before, 2)


def test_only_a_sound_copy_is_put_back(store: DurableStore, tmp_path: Path) -> None:
    count(store)
    for name, content in (("text", b"hello"), ("empty", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(StoreFailed):
            restore(store.path, tmp_path / name)
    with pytest.raises(StoreFailed):
        restore(store.path, tmp_path / "missing")
    assert count(store) == 2


def test_copies_are_whole_and_the_newest_comes_first(store: DurableStore) -> None:
    for number in range(3):
        count(store)
        backup(store.path, f"n{number}")
    kept = backups_of(store.path)
    assert [file.stem[-2:] for file in kept] == ["n2", "n1", "n0"]
    assert all(is_sound(file) and file.stat().st_mode & 0o777 == 0o600 for file in kept)
    assert not [file for file in kept[0].parent.iterdir() if file not in kept]


def test_a_place_that_cannot_be_written_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreFailed) as caught:
        count(DurableStore(tmp_path / "file" / "memory.db", "memory"))
    assert caught.value.remedy


def test_nobody_who_reads_waits_for_a_write(store: DurableStore) -> None:
    count(store)
    with store.write() as db:
        db.value("tasks.next_number", ("CA", "task"))
        assert counted(store) == 1


def test_one_that_is_only_read_follows_its_writers_and_refuses_writes(store: DurableStore) -> None:
    assert count(store) == 1
    reader = DurableStore(store.path, "memory", "no place to write")
    assert counted(reader) == 1
    assert count(store) == 2
    assert counted(reader) == 2
    with pytest.raises(StoreFailed, match=r"memory\.db is only read: no place to write"):
        count(reader)


def test_one_that_is_only_read_is_not_made_and_not_brought_up_to_date(store: DurableStore) -> None:
    reader = DurableStore(store.path, "memory", "no place to write")
    with pytest.raises(StoreFailed, match="cannot be used"):
        counted(reader)
    assert not store.path.exists()
    count(store)
    with store.write() as db:
        db.connection.execute("PRAGMA user_version=1")
    with pytest.raises(StoreFailed, match="another version"):
        counted(reader)

"""Two indexes that begin as one file each contain what was written to them, whichever of them checkpoints, closes or ends; where a file has no second name the index is a copy."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from codeagentd.store import connection, shared_files
from codeagentd.store.connection import Database
from codeagentd.store.foreign_index import BUSY, ForeignIndex, Unreadable
from codeagentd.store.opening import open_disposable
from codeagentd.store.seeding import adopt_location, detach_file, seed, unlink_shared
from codeagentd.store.shared_files import File

OWNER = """
import sys
from pathlib import Path
from codeagentd.store.connection import Database
database = Database(Path(sys.argv[1]), writable=True)
for number in range(1, 1_000_000):
    with database.transaction():
        for key in range(40):
            database.run("writer.put_meta", (f"key{key}", f"{number:08}" * 200))
        database.run("writer.put_meta", ("generation", number))
    if number % 7 == 0:
        database.fold(truncate=number % 2 == 0)
    if number == 3:
        print("begun", flush=True)
"""

WRITER = """
import sys
from pathlib import Path
from codeagentd.store.connection import Database
database = Database(Path(sys.argv[1]), writable=True)
database.run("writer.put_meta", ("word", "one"))
database.fold(truncate=True)
database.close()
"""


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A finished index."""
    path = tmp_path / "first" / "index.db"
    database, _ = open_disposable(path, "index")
    database.run("writer.put_meta", ("generation", 1))
    adopt_location(database, path)
    database.close()
    return path


@pytest.fixture
def second(first: Path, tmp_path: Path) -> Path:
    """Another one that began as it."""
    path = tmp_path / "second" / "index.db"
    assert seed(path, [first])
    return path


def digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def say(path: Path, word: str) -> None:
    with closing(Database(path, writable=True)) as database:
        database.run("writer.put_meta", ("word", word))
        database.fold(truncate=True)


def said(path: Path) -> object:
    with closing(Database(path)) as database:
        assert database.connection.pragma("integrity_check") == "ok"
        return database.value("writer.meta", ("word",))


def test_a_second_index_is_the_same_file(first: Path, second: Path) -> None:
    assert second.samefile(first)
    assert os.listdir(second.parent) == ["index.db"]


def test_what_is_written_to_one_is_not_in_the_other_and_the_file_stays_as_it_was(first: Path, second: Path) -> None:
    before = digest(first)
    for turn in range(3):
        say(first, f"one {turn}")
        say(second, f"other {turn}")
        assert (said(first), said(second)) == (f"one {turn}", f"other {turn}")
    assert digest(first) == before
    assert second.samefile(first)


def test_a_third_begins_as_the_file_says_and_goes_its_own_way(first: Path, second: Path, tmp_path: Path) -> None:
    say(first, "one")
    third = tmp_path / "third" / "index.db"
    assert seed(third, [first])
    assert said(third) is None
    say(third, "third")
    assert (said(first), said(second), said(third)) == ("one", None, "third")


def test_a_log_that_is_long_stays_a_log_while_the_file_is_shared(
    first: Path, second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "WAL_LIMIT_BYTES", 1)
    before = digest(first)
    say(second, "other")
    assert digest(first) == before
    second.unlink()
    say(first, "one")
    assert digest(first) != before
    assert not Path(f"{first}-wal").exists()


def test_an_index_that_parts_says_the_same_as_before_and_the_other_is_untouched(first: Path, second: Path) -> None:
    before = digest(first)
    say(second, "other")
    with closing(Database(second)) as reader, reader.transaction("DEFERRED"):
        assert reader.value("writer.meta", ("word",)) == "other"
        detach_file(Database(second, writable=True), second)
        say(second, "alone")
        assert reader.value("writer.meta", ("word",)) == "other"  # as it was when it began to read
        subprocess.run([sys.executable, "-c", WRITER, str(first)], check=True)
        assert digest(first) == before  # another process may read it by the remaining name
    assert not second.samefile(first)
    unlink_shared(second)
    say(first, "only")
    assert (said(first), said(second)) == ("only", "alone")
    assert {one.name for one in second.parent.iterdir()} <= {"index.db", "index.db-wal", "index.db-shm"}


def test_a_disk_that_is_full_leaves_the_index_shared(
    first: Path, second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("codeagentd.store.seeding._reach_disk", full)
    say(second, "other")
    with closing(Database(second, writable=True)) as database, pytest.raises(OSError, match="space"):
        detach_file(database, second)
    assert second.samefile(first)
    assert said(second) == "other"
    assert {one.name for one in second.parent.iterdir()} <= {"index.db", "index.db-wal", "index.db-shm"}


def test_one_process_does_not_open_a_file_by_two_names(first: Path, second: Path) -> None:
    """SQLite would use one log for both."""
    with closing(Database(second, writable=True)) as database:
        with pytest.raises(Unreadable) as refused:
            ForeignIndex(first)
        assert refused.value.why == BUSY
        assert database.blocks_second_name
        detach_file(database, second)
    with closing(Database(second, writable=True)) as database:
        ForeignIndex(first).close()
        assert not database.blocks_second_name


def test_an_index_that_this_process_has_open_is_copied(first: Path, tmp_path: Path) -> None:
    path = tmp_path / "copy" / "index.db"
    with closing(Database(first, writable=True)) as database:
        database.run("writer.put_meta", ("word", "in the log"))
        assert seed(path, [first])
    assert not path.samefile(first)
    assert said(path) == "in the log"


@pytest.mark.parametrize("trouble", ["link", "lock"])
def test_where_files_have_no_second_names_or_folders_no_locks_an_index_is_copied(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("not here")

    monkeypatch.setattr("os.link" if trouble == "link" else "fcntl.flock", refuse)
    path = tmp_path / "copy" / "index.db"
    assert seed(path, [first])
    assert not path.samefile(first)
    assert said(path) is None


def test_a_log_without_a_file_is_not_read_into_an_index_that_begins(first: Path, second: Path, tmp_path: Path) -> None:
    with closing(Database(second, writable=True)) as database:
        database.run("writer.put_meta", ("word", "other"))
        left = Path(f"{second}-wal").read_bytes()
    third = tmp_path / "third" / "index.db"
    third.parent.mkdir()
    Path(f"{third}-wal").write_bytes(left)
    assert seed(third, [first])
    assert said(third) is None


def test_a_file_that_has_lost_its_name_is_nobodys_to_fold_into(first: Path, tmp_path: Path) -> None:
    database = Database(first, writable=True)
    database.run("writer.put_meta", ("word", "one"))
    first.rename(tmp_path / "aside")
    (tmp_path / "first" / "index.db").write_bytes(b"")
    before = digest(tmp_path / "aside")
    assert database.is_shared
    database.close()
    assert digest(tmp_path / "aside") == before


@pytest.fixture
def owner(first: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that writes the first index, and folds its log, all the time."""
    with subprocess.Popen([sys.executable, "-c", OWNER, str(first)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        yield process
        process.kill()


def test_whatever_another_process_is_doing_a_second_index_is_one_of_its_states_and_stays_it(
    first: Path, owner: object, tmp_path: Path
) -> None:
    found: dict[Path, object] = {}
    shared = 0
    deadline = time.monotonic() + 4
    while time.monotonic() < deadline:
        path = tmp_path / f"other{len(found)}" / "index.db"
        assert seed(path, [first])
        found[path] = state(path)
        shared += path.samefile(first)
        if len(found) % 3 == 0:
            for other in found:
                other.unlink(missing_ok=True)  # so that the owner folds again
            found = {path: was for path, was in found.items() if path.exists()}
        for other, was in found.items():
            assert state(other) == was
    assert shared
    assert state(first)


def state(path: Path) -> int:
    """The number that was written everywhere in one transaction."""
    with closing(Database(path)) as database, database.transaction("DEFERRED"):
        assert database.connection.pragma("quick_check") == "ok"
        generation = int(database.value("writer.meta", ("generation",)))
        assert {database.value("writer.meta", (f"key{key}",)) for key in range(40)} == {f"{generation:08}" * 200}
        return generation


def test_nobody_folds_while_another_names_and_nobody_waits_for_ever(
    first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_files, "PATIENCE_S", 0.05)
    before = digest(first)
    database = Database(first, writable=True)
    database.run("writer.put_meta", ("word", "one"))
    with File(first).undisturbed() as quiet:
        assert quiet.may_name
        assert not database.fold()
        assert not database.share(first.with_name("again.db"))
        database.close()
        assert digest(first) == before
    assert said(first) == "one"

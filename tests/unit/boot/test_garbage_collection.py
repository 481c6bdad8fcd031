"""Only files without an owner are removed: real worktrees that come and go, real locks, and worktrees that may only be unmounted."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.locks import FileLock
from codeagentd.boot.garbage_collection import AWAY_S, RECENT_S, Collection, Garbage
from codeagentd.boot.gc_schedule import collect_if_due
from codeagentd.boot.index_ownership import blobs_of, claim, recorded, write
from codeagentd.cli.main import main
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.store.blob_gc import UNUSED_S
from codeagentd.store.connection import Database
from codeagentd.store.migrations import schema_version
from tests.harness.past import committed, run
from tests.harness.world import surrounded

PATIENCE_S = 30.0
DAY_S = 24 * 3600.0


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Path]:
    """A place with directories of our own and a repository with two worktrees."""
    committed(tmp_path / "main", {"a.py": "def a():\n    pass\n"})
    run(tmp_path / "main", "worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    with surrounded(str(tmp_path)):
        yield tmp_path


def used(root: Path) -> Endpoint:
    """The endpoint of a worktree that a daemon has indexed and left."""
    endpoint = endpoint_of(root)
    claim(endpoint)
    engine = IndexingEngine(root, endpoint.index, blobs_of(endpoint), use_watcher=False)
    engine.start()
    assert engine.wait_caught_up(PATIENCE_S)
    engine.close(10)
    return endpoint


def collected(*, days: float = 0.0, dry_run: bool = False, careful: bool = False) -> list[Garbage]:
    return Collection(dry_run=dry_run, careful=careful, now=time.time() + days * DAY_S).run()


def kinds(found: list[Garbage]) -> list[str]:
    return [one.kind for one in found]


def test_databases_of_another_version_go_when_nobody_has_used_them_for_a_month(base: Path) -> None:
    endpoint = used(base / "main")
    databases = [endpoint.index / "index.v1.db", blobs_of(endpoint) / "blobs.v1.db"]
    for path in databases:
        path.write_bytes(b"x" * 1_000)
        path.with_name(f"{path.name}-wal").write_bytes(b"")
    assert collected(days=29) == []
    held = FileLock(endpoint.life_lock)
    assert held.try_take()
    assert collected(days=31) == [], "its daemon may be of that version"
    held.release()
    assert [(one.kind, one.path) for one in collected(days=31)] == [("older version", str(path)) for path in databases]
    assert [path.name for place in (endpoint.index, blobs_of(endpoint)) for path in place.glob("*.v1.db*")] == []
    assert (endpoint.index / "index.db").is_file()


def test_a_worktree_that_was_made_anew_has_no_index_of_another_version(base: Path) -> None:
    endpoint = used(base / "main")
    owner = recorded(endpoint.index)
    assert owner is not None
    (endpoint.index / "index.v1.db").write_bytes(b"x")
    claim(endpoint)
    assert (endpoint.index / "index.v1.db").exists()
    write(endpoint.index, msgspec.structs.replace(owner, inode=owner.inode + 1))
    claim(endpoint)
    assert list(endpoint.index.glob("index*.db*")) == []


def test_the_index_of_a_removed_worktree_goes_and_that_of_its_sibling_stays(base: Path) -> None:
    kept, gone = used(base / "main"), used(base / "other")
    assert collected() == []
    run(base / "main", "worktree", "remove", "--force", str(base / "other"))
    (one,) = collected(dry_run=True)
    assert (one.kind, one.root, one.reason) == ("index", str(base / "other"), "its worktree is gone")
    assert one.bytes > 100_000
    assert gone.index.is_dir()
    assert collected() == [one]
    assert not gone.index.exists()
    assert kept.index.is_dir()
    assert blobs_of(kept).is_dir()
    assert collected() == []


def test_the_facts_of_a_removed_repository_go_when_no_worktree_is_left(base: Path) -> None:
    endpoint = used(base / "main")
    blobs = blobs_of(endpoint)
    shutil.rmtree(base / "main")
    assert kinds(collected()) == ["index"]  # a daemon may have facts before it has an index
    assert kinds(collected(days=1)) == ["facts"]
    assert not blobs.exists()


def test_nothing_of_a_daemon_that_lives_is_touched(base: Path) -> None:
    endpoint = used(base / "other")
    lock = FileLock(endpoint.life_lock)
    assert lock.try_take()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(endpoint.socket)
        shutil.rmtree(base / "other")
        assert collected(days=100) == []
        lock.release()
        assert kinds(collected()) == ["index"]  # a service manager may listen for a daemon that is not there yet
    assert kinds(collected()) == ["socket"]
    assert not os.path.exists(endpoint.socket)


def test_what_a_dead_daemon_told_of_its_ports_goes_and_what_a_living_one_tells_stays(base: Path) -> None:
    endpoint = used(base / "other")
    lock = FileLock(endpoint.life_lock)
    assert lock.try_take()
    Path(endpoint.ports).write_text("ports and keys")
    assert kinds(collected()) == []
    lock.release()
    assert kinds(collected()) == ["socket"]
    assert not os.path.exists(endpoint.ports)


def test_a_daemon_with_another_runtime_directory_lives_too(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = used(base / "other")
    lock = FileLock(endpoint.life_lock)
    assert lock.try_take()
    shutil.rmtree(base / "other")
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", f"{os.environ['CODEAGENT_RUNTIME_DIR']}/elsewhere")
    assert collected() == []
    lock.release()


def test_a_worktree_on_a_mount_that_is_away_is_kept_for_a_month(base: Path) -> None:
    endpoint = used(base / "other")
    shutil.rmtree(base / "other")
    owner = recorded(endpoint.index)
    assert owner is not None
    write(endpoint.index, msgspec.structs.replace(owner, mount=str(base / "usb-stick")))
    assert collected(days=29) == []
    one, _ = collected(days=31)
    assert one.reason == f"{base / 'usb-stick'} has not been mounted for a month"


def test_an_index_without_a_record_is_kept_for_a_month(base: Path) -> None:
    endpoint = used(base / "main")
    (endpoint.index / "worktree.json").write_text("{")
    assert collected(days=29) == []  # nor are its facts, which may be anybody's
    assert kinds(collected(days=31)) == ["index", "facts"]
    assert AWAY_S == 30 * DAY_S


def test_a_daemon_that_nobody_has_asked_has_a_week_of_patience(base: Path) -> None:
    used(base / "other")
    shutil.rmtree(base / "other")
    assert collected(days=6, careful=True) == []
    assert kinds(collected(days=8, careful=True)) == ["index", "facts"]
    assert RECENT_S == 7 * DAY_S


def test_daemons_collect_once_a_day_between_them(base: Path) -> None:
    endpoint = used(base / "other")
    shutil.rmtree(base / "other")
    owner = recorded(endpoint.index)
    assert owner is not None
    write(endpoint.index, msgspec.structs.replace(owner, seen=1.0))
    assert collect_if_due()
    assert not endpoint.index.exists()
    assert not collect_if_due()
    os.utime(dirs.cache_dir() / "collected", (1, 1))
    assert collect_if_due()


def test_contents_that_no_index_has_go_after_two_weeks(base: Path) -> None:
    endpoint = used(base / "main")
    (base / "main/a.py").write_text("def another():\n    return 1\n")
    used(base / "main")
    assert collected() == []  # seen unused for the first time
    assert collected(days=13) == []
    (one,) = collected(days=15)
    assert (one.kind, UNUSED_S) == ("unused facts", 14 * DAY_S)
    database = Database(blobs_of(endpoint) / "blobs.db")
    assert len(database.all("garbage.facts")) == 1
    database.close()


def test_contents_that_an_index_has_again_stay(base: Path) -> None:
    used(base / "main")
    before = (base / "main/a.py").read_text()
    (base / "main/a.py").write_text("def another():\n    return 1\n")
    used(base / "main")
    assert collected() == []
    (base / "main/a.py").write_text(before)
    used(base / "main")
    assert collected(days=10) == []
    (base / "main/a.py").write_text("def another():\n    return 1\n")
    used(base / "main")
    assert collected(days=20) == []


@pytest.mark.parametrize("damage", [b"", b"nothing that SQLite knows" * 500])
def test_an_index_that_cannot_be_read_keeps_all_contents(base: Path, damage: bytes) -> None:
    endpoint = used(base / "main")
    used(base / "other")
    (endpoint.index / "index.db").write_bytes(damage)
    (base / "other/a.py").write_text("x = 1\n")
    used(base / "other")
    assert collected() == collected(days=15) == []


def test_old_logs_and_compiled_rules_of_earlier_releases_go(base: Path) -> None:
    endpoint = used(base / "main")
    state, rules = dirs.state_dir(), dirs.cache_dir() / "detectors"
    for place in (state, rules):
        place.mkdir(parents=True, exist_ok=True)
    for name in (
        f"{endpoint.name}.log",
        "aaaaaaaaaaaaaaaa.log",
        "aaaaaaaaaaaaaaaa.log.1",
        "aaaaaaaaaaaaaaaa.start.log",
    ):
        (state / name).write_text("{}\n")
    for number, name in enumerate(("old.vscdb", "new.vscdb")):
        (rules / name).write_bytes(b"x")
        os.utime(rules / name, (number, number))
    assert kinds(collected(days=31)) == ["log", "log", "log", "rules"]
    assert sorted(path.name for path in (*state.glob("*.log*"), *rules.iterdir())) == sorted(
        [f"{endpoint.name}.log", "new.vscdb"]
    )


def test_memories_are_never_touched(base: Path) -> None:
    used(base / "main")
    data = dirs.data_dir()
    data.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(data / "memory.db") as database:
        database.execute("CREATE TABLE kept(x)")
    shutil.rmtree(base / "main")
    shutil.rmtree(base / "other")
    collected(days=400)
    assert (data / "memory.db").is_file()


def test_what_was_half_removed_is_removed_the_next_time(base: Path) -> None:
    endpoint = used(base / "main")
    endpoint.index.rename(endpoint.index.with_name(f".gone-{endpoint.name}"))
    assert [one.reason for one in collected()] == ["half removed"]
    assert list(endpoint.index.parent.iterdir()) == []


def test_links_among_the_folders_are_left_alone(base: Path) -> None:
    endpoint = used(base / "main")
    (base / "precious").mkdir()
    (base / "precious/file").touch()
    (endpoint.index.parent / "aaaaaaaaaaaaaaaa").symlink_to(base / "precious")
    collected(days=400)
    assert (base / "precious/file").exists()


def test_another_repository_in_the_same_place_begins_anew(base: Path) -> None:
    endpoint = used(base / "main")
    inode = os.stat(endpoint.index / "index.db").st_ino
    assert not claim(endpoint).is_new
    assert os.stat(endpoint.index / "index.db").st_ino == inode
    shutil.rmtree(base / "main")
    committed(base / "main", {"b.py": "def b():\n    pass\n"})
    claim(endpoint)
    assert not (endpoint.index / "index.db").exists()


def test_a_worktree_that_is_made_again_keeps_its_index_and_trusts_no_times(base: Path) -> None:
    endpoint = used(base / "other")
    (base / "other").rename(base / "aside")  # so that its inode is not given again
    run(base / "main", "worktree", "prune")
    run(base / "main", "worktree", "add", "-q", "-f", str(base / "other"), "other")
    assert claim(endpoint).is_new
    assert (endpoint.index / "index.db").is_file()


def test_worktrees_of_one_repository_know_each_other_and_nobody_else(base: Path) -> None:
    first, second = used(base / "main"), endpoint_of(base / "other")
    committed(base / "stranger", {"a.py": "def a():\n    pass\n"})
    used(base / "stranger")
    assert claim(second).siblings == (first.index / "index.db",)
    assert claim(endpoint_of(base / "stranger")).siblings == ()
    own = first.index / f"index.v{schema_version('index')}.db"
    shutil.copy(first.index / "index.db", own)
    with contextlib.closing(sqlite3.connect(first.index / "index.db")) as newer:
        newer.execute("PRAGMA user_version=999")
    assert claim(second).siblings == (own,), "none of a newer version"


def test_the_command_says_what_goes_and_how_much(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    used(base / "other")
    assert main(["gc"]) == 0
    assert capsys.readouterr().out == "nothing to remove\n"
    shutil.rmtree(base / "other")
    assert main(["gc", "--dry-run", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["kind"], one["root"], one["bytes"] > 0) == ("index", str(base / "other"), True)
    assert main(["gc"]) == 0
    out = capsys.readouterr().out
    assert "its worktree is gone" in out
    assert "removed 1 thing, " in out

"""Damage to the daemon's files is reported and repaired where possible, and never leads to wrong answers."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.endpoint import Endpoint
from tests.harness.other_users import give, only_root
from tests.harness.waiting import comes, eventually
from tests.harness.world import World

PAGE = 4_096
FILES = {"shop.py": "def open_shop():\n    return 1\n"}


@pytest.fixture
def repo(world: World) -> Path:
    repo = world.repository("shop", FILES)
    world.index(repo)
    return repo


def endpoint(world: World, repo: Path) -> Endpoint:
    """The places of the daemon in that world, as doctor would look for them."""
    runtime = world.environment["CODEAGENT_RUNTIME_DIR"]
    (life,) = Path(runtime).glob("*.life")
    return Endpoint(str(repo), life.stem, runtime)


def found(world: World, repo: Path) -> list[str]:
    window = world.connect(repo)
    return [item["file_path"] for item in window.must("search_symbols", {"query": "open_shop"}).items]


def test_a_corrupt_index_is_rebuilt(world: World, repo: Path):
    world.codeagentd("stop", "--repo", str(repo))
    (database,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).rglob("index.db")
    content = bytearray(database.read_bytes())
    content[100 : len(content) // 2] = b"\xaa" * (len(content) // 2 - 100)
    database.write_bytes(content)
    world.index(repo)
    assert found(world, repo) == ["shop.py"]


def test_a_socket_file_in_the_way_does_not_stop_the_next_daemon(world: World, repo: Path):
    places = endpoint(world, repo)
    world.codeagentd("stop", "--repo", str(repo))
    for path in (places.socket, places.control):
        left = socket.socket(socket.AF_UNIX)
        left.bind(path)
        left.close()
    assert found(world, repo) == ["shop.py"]
    assert world.codeagentd("status", "--repo", str(repo)).code == 0


def test_a_deleted_cache_is_made_again(world: World, repo: Path):
    world.codeagentd("stop", "--repo", str(repo))
    for path in sorted(Path(world.environment["CODEAGENT_CACHE_DIR"]).rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    world.index(repo)
    assert found(world, repo) == ["shop.py"]


@pytest.mark.parametrize("what", ["everything", "index.db", "blobs.db"])
def test_what_is_removed_of_the_cache_under_a_running_daemon_is_made_again(world: World, repo: Path, what: str):
    window, pid, cache = (
        world.connect(repo, "--toolsets", "all"),
        world.daemon(repo),
        Path(world.environment["CODEAGENT_CACHE_DIR"]),
    )
    window.must("store", {"type": "decision", "content": "the shop opens at nine"})
    removed = (
        [cache]
        if what == "everything"
        else [path for part in ("", "-wal", "-shm") for path in cache.rglob(f"{what}{part}")]
    )
    for path in removed:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (repo / "late.py").write_text("def open_late():\n    return open_shop()\n")
    first = window.call("search_symbols", {"query": "open_late"})
    assert first.items or not first.watermark["caught_up"]
    assert comes(lambda: window.finds("open_late"))
    assert comes(lambda: world.status(repo)["caught_up"])
    status = world.status(repo)
    assert (status["pid"], status["state"]) == (pid, "ready")
    assert "removed while it was in use" in status["reason"]
    assert {"index.db", "blobs.db"} <= {path.name for path in cache.rglob("*.db")}
    assert {
        stat.S_IMODE(path.stat().st_mode) for path in (cache, *cache.glob("worktrees/*"), *cache.glob("repositories/*"))
    } == {0o700}
    (repo / "later.py").write_text("def open_later(): ...\n")
    assert comes(lambda: window.finds("open_later"))
    assert window.finds("open_shop")
    assert "nine" in str(window.must("search", {"query": "shop opens"}).data)


def many(count: int, first: int = 0) -> dict[str, str]:
    """Modules with functions of names of their own, which call one another."""
    return {
        f"pkg/mod{n}.py": "".join(f"def step{n}x{at}(value):\n    return step{n}x{at - 1}(value)\n\n\n" for at in range(1, 40))
        for n in range(first, first + count)
    }  # fmt: skip


@pytest.mark.long
@pytest.mark.limit(120)
def test_a_cache_that_is_removed_while_many_files_are_read_is_made_again(world: World) -> None:
    repo, cache = world.repository("shop", FILES | many(10)), Path(world.environment["CODEAGENT_CACHE_DIR"])
    world.index(repo)
    window = world.connect(repo, "--toolsets", "all")
    window.must("store", {"type": "decision", "content": "the shop opens at nine"})
    for path, text in many(400, first=10).items():
        (repo / path).write_text(text)
    eventually(lambda: world.status(repo)["pending_files"])
    shutil.rmtree(cache)
    answer = window.call("search_symbols", {"query": "step409x7"}, 60)
    assert answer.items or answer.error_code or not answer.watermark["caught_up"]
    eventually(lambda: world.status(repo)["caught_up"], 60, explain=lambda: world.status(repo))
    assert all(window.finds(f"step{number}x7") for number in range(0, 410, 40))
    assert "removed while it was in use" in world.status(repo)["reason"]
    assert "nine" in str(window.must("search", {"query": "shop opens"}).data)


@pytest.mark.long
@pytest.mark.limit(240)
@pytest.mark.parametrize("is_running", [False, True])
def test_garbage_in_a_large_index_gives_no_wrong_answer_and_the_index_is_made_again(
    world: World, is_running: bool
) -> None:
    repo = world.repository("shop", FILES | many(400))
    world.index(repo)
    window = world.connect(repo, "--toolsets", "all")
    window.must("store", {"type": "decision", "content": "the shop opens at nine"})
    window.close()
    assert world.codeagentd("stop", "--repo", str(repo)).code == 0  # everything is in the file now, nothing in its log
    (index,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).rglob("index.db")
    if is_running:
        world.connect(repo).must("search_symbols", {"query": "open_shop"})
    chance, size = random.Random(3), index.stat().st_size
    assert size > 5_000_000
    with index.open("r+b") as file:
        for page in chance.sample(range(2, size // PAGE), size // PAGE // 3):
            file.seek(page * PAGE)
            file.write(chance.randbytes(PAGE))
    window = world.connect(repo, "--toolsets", "all")
    for number in range(0, 400, 20):
        answer = window.call("search_symbols", {"query": f"step{number}x7"}, 60)
        names = {item["name"] for item in answer.items} if not answer.failed else set()
        assert answer.error_code or not answer.watermark["caught_up"] or f"step{number}x7" in names, answer.message
        callers = window.call("get_callers", {"node_id": f"step{number}x7"}, 60)
        if not callers.failed:
            assert {item["name"] for item in callers.items} <= {f"step{number}x8"}
    eventually(lambda: world.status(repo)["caught_up"], 90, explain=lambda: world.status(repo))
    assert eventually(lambda: all(window.finds(f"step{number}x7") for number in range(400)), 60)
    assert "nine" in str(window.must("search", {"query": "shop opens"}).data)
    assert "was corrupt; it was set aside" in world.status(repo)["reason"]


@pytest.mark.parametrize("kind", ["CACHE", "DATA"])
def test_no_daemon_starts_on_places_that_somebody_else_could_exchange(world: World, repo: Path, kind: str):
    world.codeagentd("stop", "--repo", str(repo))
    (repo.parent / "open").mkdir()
    (repo.parent / "open").chmod(0o777)
    place = {f"CODEAGENT_{kind}_DIR": str(repo.parent / "open" / "place")}
    refused = world.codeagentd("start", "--repo", str(repo), HOME="/nowhere", **place)
    assert refused.code != 0
    assert f"{repo.parent}/open can be written by other users (mode 0777)" in refused.err
    assert f"set CODEAGENT_{kind}_DIR to a directory of your own" in refused.err
    assert not (repo.parent / "open" / "place").exists()


@only_root
@pytest.mark.parametrize(
    "given", ["cache", "cache/worktrees", "cache/repositories", "cache/worktrees/*/index.db", "data"]
)
def test_no_daemon_starts_on_what_belongs_to_another_user(world: World, repo: Path, given: str):
    world.codeagentd("stop", "--repo", str(repo))
    (world.base / "data").mkdir(mode=0o700, exist_ok=True)
    (place,) = world.base.glob(given)
    give(place)
    refused = world.codeagentd("start", "--repo", str(repo), HOME="/nowhere")
    assert refused.code != 0
    assert f"{place} belongs to another user (uid 4001)" in refused.err
    give(place, 0)
    assert world.codeagentd("start", "--repo", str(repo), HOME="/nowhere").code == 0


@only_root
def test_a_link_of_another_user_to_an_index_is_not_followed(world: World, repo: Path):
    world.codeagentd("stop", "--repo", str(repo))
    place = Path(world.environment["CODEAGENT_CACHE_DIR"]) / "worktrees"
    place.rename(world.base / "elsewhere")
    place.symlink_to(world.base / "elsewhere")
    give(place)
    before = sorted((world.base / "elsewhere").rglob("*"))
    refused = world.codeagentd("start", "--repo", str(repo))
    assert refused.code != 0
    assert f"{place} belongs to another user (uid 4001)" in refused.err
    assert sorted((world.base / "elsewhere").rglob("*")) == before


def test_two_daemons_never_write_one_index(world: World, repo: Path):
    (repo.parent / "elsewhere").mkdir(mode=0o700)
    other = {"CODEAGENT_RUNTIME_DIR": str(repo.parent / "elsewhere")}

    def status() -> dict[str, Any]:
        return world.codeagentd("status", "--repo", str(repo), "--json", **other).json

    first = world.daemon(repo)
    try:
        world.codeagentd("start", "--repo", str(repo), **other)
        assert comes(lambda: status()["state"] == "degraded")
        assert f"process {first} writes it" in status()["reason"]
        asked = world.codeagentd("call", "search_symbols", "query=open_shop", "--repo", str(repo), **other)
        assert "shop.py" in asked.out  # it reads what the first one writes
        assert not status()["caught_up"]
        world.codeagentd("stop", "--repo", str(repo))
        assert comes(lambda: (status()["state"], status()["caught_up"]) == ("ready", True))
    finally:
        world.codeagentd("stop", "--repo", str(repo), **other)


def test_a_stopped_daemon_is_called_silent_not_missing(world: World, repo: Path):
    pid = world.daemon(repo)
    long_ago = time.time() - 60
    os.utime(endpoint(world, repo).life_lock, (long_ago, long_ago))
    os.kill(pid, signal.SIGSTOP)
    try:
        silent = world.codeagentd("status", "--repo", str(repo), "--json")
    finally:
        os.kill(pid, signal.SIGCONT)
    assert silent.code == 4
    assert silent.json["state"] == "not_answering"
    assert silent.json["pid"] == pid
    assert world.codeagentd("status", "--repo", str(repo)).code == 0


def test_a_daemon_that_has_just_begun_may_be_silent_for_a_moment(world: World, repo: Path):
    pid = world.daemon(repo)
    os.kill(pid, signal.SIGSTOP)
    os.utime(endpoint(world, repo).life_lock)  # a busy machine may have taken long until here
    try:
        silent = world.codeagentd("status", "--repo", str(repo), "--json")
    finally:
        os.kill(pid, signal.SIGCONT)
    assert (silent.code, silent.json["state"], silent.json["pid"]) == (0, "starting", pid)


def test_a_daemon_that_ignores_everything_is_ended_by_stop(world: World, repo: Path):
    os.kill(world.daemon(repo), signal.SIGSTOP)
    done = world.codeagentd("stop", "--repo", str(repo))
    assert done.code == 0
    assert world.codeagentd("status", "--repo", str(repo)).code == 3

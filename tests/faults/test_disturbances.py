"""What happens to a daemon that runs: pages rot, clocks jump, processes stop, others take its socket or its number, trees change by the thousand."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from codeagentd.serve.thread_pool import MAX_THREADS
from tests.harness.waiting import eventually
from tests.harness.world import World

YEAR_S = 31_536_000
WINDOWS = 200
KEPT_BYTES = 25_000_000  # that 200 windows may leave behind in the daemon's heap
POOLED = 20  # descriptors of connections to databases, which stay in their pools
WORKER = "codeagentd.pipeline.workers.worker"
FLOOD = 5_000
FILES = {f"pkg/mod{number}.py": f"def step{number}(value):\n    return value\n" for number in range(20)}


@pytest.fixture
def repo(world: World) -> Path:
    repo = world.repository("repo", FILES)
    world.index(repo)
    return repo


class Held(NamedTuple):
    """What a daemon holds. Bytes of memory are compared by themselves."""

    descriptors: int
    threads: int
    children: int
    memory: int

    def __le__(self, other: Held) -> bool:  # type: ignore[override]  # each number by itself
        return all(mine <= theirs for mine, theirs in zip(self[:3], other[:3], strict=True))


def held(pid: int) -> Held:
    """What it holds now, without its workers: they stay for 15 minutes after a save, each with two pipes."""
    daemon = psutil.Process(pid)
    children = [child for child in daemon.children() if WORKER not in child.cmdline()]
    workers = len(daemon.children()) - len(children)
    return Held(daemon.num_fds() - 2 * workers, daemon.num_threads(), len(children), daemon.memory_info().rss)


def rot(database: Path) -> None:
    """Overwrite every page but the first while the database is open; the pages in the log are lost too."""
    size = database.stat().st_size
    with database.open("r+b") as file:
        file.seek(8_192)
        file.write(b"\xaa" * (size - 8_192))


@pytest.mark.parametrize("name", ["index.db", "blobs.db"])
def test_pages_that_rot_under_a_daemon_cost_no_answer_for_long(world: World, repo: Path, name: str) -> None:
    world.codeagentd("restart", "--repo", str(repo))  # its log is folded into the file when it leaves
    window = world.connect(repo)
    assert window.finds("step7")
    (database,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).rglob(name)
    rot(database)
    for number in range(20):
        (repo / f"pkg/mod{number}.py").write_text(
            f"def step{number}(value):\n    return value\n\n\ndef next{number}(value):\n    return step{number}(value)\n"
        )
    eventually(lambda: all(window.finds(f"next{number}") and window.finds(f"step{number}") for number in range(20)))
    assert world.status(repo)["caught_up"] is True


def test_an_answer_from_a_rotten_page_is_an_error_with_a_code_and_the_index_is_made_again(
    world: World, repo: Path
) -> None:
    world.codeagentd("restart", "--repo", str(repo))
    window = world.connect(repo)
    (database,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).rglob("index.db")
    rot(database)
    codes = {window.call("search_symbols", {"query": f"step{number}"}).error_code for number in range(20)}
    assert codes <= {"", "engine_unavailable"}
    eventually(lambda: all(window.finds(f"step{number}") for number in range(20)))


def test_a_number_that_another_process_has_now_is_neither_taken_for_the_daemon_nor_ended(
    world: World, repo: Path
) -> None:
    world.codeagentd("stop", "--repo", str(repo))
    stranger = subprocess.Popen(["sleep", "60"])
    try:
        (life,) = Path(world.environment["CODEAGENT_RUNTIME_DIR"]).glob("*.life")
        life.write_text(f"{stranger.pid} 0.1.0\n")
        assert world.status(repo)["state"] == "not_running"
        assert world.codeagentd("stop", "--repo", str(repo)).out.startswith("not running")
        assert world.connect(repo).finds("step7")
        assert world.daemon(repo) != stranger.pid
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.long
def test_a_socket_that_somebody_took_harms_no_open_window_and_a_restart_takes_it_back(world: World, repo: Path) -> None:
    window = world.connect(repo)
    assert window.finds("step7")
    (taken,) = Path(world.environment["CODEAGENT_RUNTIME_DIR"]).glob("*.sock")
    taken.unlink()
    with socket.socket(socket.AF_UNIX) as thief:
        thief.bind(str(taken))
        thief.listen()
        assert window.finds("step8")
        assert world.codeagentd("restart", "--repo", str(repo)).code == 0
        assert world.connect(repo).finds("step9")
        assert window.finds("step9")


@pytest.mark.long
def test_workers_that_stop_are_replaced_and_the_index_is_finished(world: World) -> None:
    repo = world.repository(
        "large", {f"pkg/mod{number}.py": f"def step{number}(value):\n    return value\n" * 40 for number in range(600)}
    )
    assert world.codeagentd("start", "--repo", str(repo), CODEAGENT_EXTRACT_DEADLINE_S="2").code == 0
    stopped = stop_workers(world.daemon(repo))
    assert stopped
    world.index(repo)
    told = world.status(repo)
    assert (told["caught_up"], told["state"]) == (True, "ready")
    assert len(told["failed_files"]) <= len(stopped)


def stop_workers(daemon: int) -> set[int]:
    """Those that are there first."""
    deadline = time.monotonic() + 10
    while not (workers := {child.pid for child in psutil.Process(daemon).children() if WORKER in child.cmdline()}):
        assert time.monotonic() < deadline
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    return workers


@pytest.mark.parametrize("jump_s", [YEAR_S, -YEAR_S])
def test_a_clock_that_jumps_a_year_changes_no_answer(world: World, tmp_path: Path, jump_s: int) -> None:
    if not (compiler := shutil.which("cc")):
        pytest.skip("no C compiler")
    library, off = tmp_path / "clock.so", tmp_path / "off"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", library, Path(__file__).with_name("jumping_clock.c"), "-ldl"], check=True
    )
    repo = world.repository("repo", FILES)
    off.write_text("0")
    world.environment |= {"LD_PRELOAD": str(library), "JUMPING_CLOCK": str(off)}
    window = world.connect(repo, "--toolsets", "all")
    pid = world.daemon(repo)
    task = window.must("create_task", {"project": "CA", "name": "tidy up"}).data["task_id"]
    assert window.must("get_next_task", {"project": "CA"}).data
    off.write_text(str(jump_s))
    (repo / "pkg/late.py").write_text("def came_late():\n    return 1\n")
    eventually(lambda: window.finds("came_late"))
    told = world.status(repo)
    assert (told["pid"], told["state"], told["caught_up"]) == (pid, "ready", True)
    assert 0 <= told["uptime_s"] < 600
    held = window.must("get_next_task", {"project": "CA"}).data  # a lease is its window's, whatever the clock says
    assert "task_id" not in held
    assert f"holds {task}" in held["note"]


@pytest.mark.long
@pytest.mark.limit(300)
def test_two_hundred_windows_share_one_daemon_and_leave_nothing(world: World, repo: Path) -> None:
    pid = world.daemon(repo)
    window = world.connect(repo)
    eventually(lambda: window.finds("step7"))
    before, daemon = held(pid), psutil.Process(pid)
    allowed = before._replace(descriptors=before.descriptors + POOLED, threads=before.threads + MAX_THREADS)
    windows = [world.window(repo) for _ in range(WINDOWS)]
    for each in windows:
        each.initialize(120)
    for number in range(5):  # saves go on
        (repo / f"pkg/late{number}.py").write_text(f"def late{number}(value):\n    return value\n")
        asked = [
            (each, each.begin("tools/call", {"name": "search_symbols", "arguments": {"query": "step7"}}))
            for each in windows
        ]
        assert all(each.finish(request, 60).items for each, request in asked)
    eventually(lambda: all(window.finds(f"late{number}") for number in range(5)))
    told = world.status(repo)
    assert (told["pid"], told["clients"]) == (pid, WINDOWS + 1)
    peak = daemon.memory_info().rss
    for each in windows:
        each.close()
    eventually(lambda: world.status(repo)["clients"] == 1)
    eventually(lambda: held(pid) <= allowed, 30, explain=lambda: f"{allowed} allowed, {held(pid)} there")
    grown = daemon.memory_info().rss - before.memory
    print(f"rss {before.memory / 1e6:.1f} MB, peak {peak / 1e6:.1f} MB, after {(before.memory + grown) / 1e6:.1f} MB")
    assert grown < KEPT_BYTES


@pytest.mark.long
@pytest.mark.limit(300)
def test_a_flood_of_checkouts_of_five_thousand_files_ends_in_the_branch_that_is_there(world: World) -> None:
    repo = world.repository("repo", {f"pkg/mod{number}.py": f"def main{number}(): pass\n" for number in range(FLOOD)})
    world.git(repo, "switch", "-q", "-c", "other")
    for number in range(FLOOD):
        (repo / f"pkg/mod{number}.py").write_text(f"def other{number}(): pass\n")
    world.commit(repo)
    world.index(repo)
    window = world.connect(repo)
    for branch in ("main", "other", "main", "other", "main"):
        world.git(repo, "switch", "-q", branch)
        answer = window.must("search_symbols", {"query": "other77"})
        assert not answer.watermark["caught_up"] or bool(answer.items) == (branch == "other")
    world.index(repo)
    assert window.finds("main4999")
    assert not window.finds("other4999")
    assert world.status(repo)["failed_files"] == []


def test_a_worktree_that_is_removed_and_made_again_is_served_as_it_is_now(world: World, repo: Path) -> None:
    tree = world.base / "tree"
    world.git(repo, "worktree", "add", "-q", "-b", "side", str(tree))
    window = world.connect(tree)
    assert window.finds("step7")
    world.git(repo, "worktree", "remove", "--force", str(tree))
    (repo / "pkg/mod7.py").write_text("def made_again(value):\n    return value\n")
    world.commit(repo)
    world.git(repo, "worktree", "add", "-q", "-B", "side", str(tree), "main")
    eventually(lambda: window.finds("made_again") and not window.finds("step7"))

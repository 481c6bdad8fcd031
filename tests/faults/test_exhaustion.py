"""What the daemon needs runs out: room on the disk, descriptors, watches, the right to write. It says so, goes on, and recovers by itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.harness.disks import fill, small_disk
from tests.harness.waiting import eventually
from tests.harness.world import World

DESCRIPTORS = 48
INSTANCES = "/proc/sys/user/max_inotify_instances"
FILES = {f"pkg/mod{number}.py": f"def step{number}(value):\n    return value\n" for number in range(20)}


@pytest.fixture
def disk(world: World) -> Iterator[Path]:
    with small_disk(world) as place:
        yield place
        world.codeagentd("stop", "--repo", str(world.base / "repo"))


def test_on_a_full_disk_questions_are_answered_and_what_was_saved_is_indexed_once_there_is_room(
    world: World, disk: Path
) -> None:
    repo = world.repository("repo", FILES)
    world.index(repo)
    window = world.connect(repo)
    assert window.finds("step7")
    ballast = fill(disk)
    for number in range(200):
        (repo / f"pkg/late{number}.py").write_text(
            f"def late{number}(value):\n    return '{number * 7919}' * 50\n" * 30
        )
    eventually(lambda: world.status(repo)["state"] == "degraded")
    told = world.status(repo)
    assert "cannot be written" in told["reason"]
    assert "room" in told["remedy"]
    assert window.finds("step7")
    assert window.must("search_symbols", {"query": "step7"}).watermark["caught_up"] is False
    ballast.unlink()
    eventually(lambda: window.finds("late199"))
    eventually(lambda: world.status(repo)["state"] == "ready")


@pytest.mark.long
def test_a_cold_index_on_a_full_disk_waits_for_room(world: World, disk: Path) -> None:
    repo = world.repository("repo", FILES)
    ballast = fill(disk)
    window = world.connect(repo)
    answer = window.call("search_symbols", {"query": "step7"})
    assert answer.failed or answer.watermark["caught_up"] is False
    told = world.status(repo)
    assert (told["state"], "room" in told["remedy"]) == ("degraded", True), told
    ballast.unlink()
    eventually(lambda: window.finds("step7"))


@pytest.mark.long
def test_where_the_index_may_not_be_written_status_says_so_and_it_is_read(world: World, disk: Path) -> None:
    repo = world.repository("repo", FILES)
    world.index(repo)
    world.codeagentd("stop", "--repo", str(repo))
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    window = world.connect(repo)
    told = world.status(repo)
    assert told["state"] == "degraded"
    assert told["remedy"]
    answer = window.call("search_symbols", {"query": "step7"})
    assert answer.error_code == "engine_unavailable" or answer.watermark["caught_up"] is False
    assert answer.message["result"]


def foreground(world: World, repo: Path, *before: str) -> subprocess.Popen[bytes]:
    """A daemon behind words that begin its command line."""
    argv = [*before, sys.executable, "-m", "codeagentd.boot.daemon", "--repo", str(repo), "--foreground"]
    with world.errors.open("ab") as errors:
        return subprocess.Popen(argv, env=world.environment, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)


@pytest.mark.long
@pytest.mark.limit(120)
def test_there_may_be_more_windows_than_a_process_usually_has_descriptors(world: World) -> None:
    repo = world.repository("repo", FILES)
    daemon = foreground(world, repo, "sh", "-c", f'ulimit -S -n {DESCRIPTORS} && exec "$@"', "sh")
    eventually(lambda: world.codeagentd("status", "--repo", str(repo)).code == 0)
    world.index(repo)
    first = world.connect(repo)
    assert first.finds("step7")
    many = [world.window(repo) for _ in range(DESCRIPTORS)]
    for window in many:
        window.initialize()
    assert psutil.Process(daemon.pid).num_fds() > DESCRIPTORS
    assert all(window.finds("step7") for window in (first, *many))
    for window in many:
        window.close()
    eventually(lambda: psutil.Process(daemon.pid).num_fds() < DESCRIPTORS)
    world.codeagentd("stop", "--repo", str(repo))
    daemon.wait(20)


@pytest.mark.long
def test_without_inotify_the_daemon_polls_and_says_so(world: World) -> None:
    alone = (
        "unshare",
        "--map-root-user",
        "sh",
        "-c",
        f'echo 0 > {INSTANCES} && exec "$@"',
        "sh",
    )  # a limit of its own: other processes keep theirs
    if subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("this user may not have a name space of its own")
    repo = world.repository("repo", FILES)
    daemon = foreground(world, repo, *alone)
    eventually(lambda: world.codeagentd("status", "--repo", str(repo)).code == 0)
    window = world.connect(repo)
    eventually(lambda: window.finds("step7"))
    told = world.status(repo)
    assert told["watcher"] == "polling", told
    assert "max_user_instances" in told["watcher_reason"], told
    (repo / "pkg/late.py").write_text("def came_late():\n    return 1\n")
    answer = window.must("search_symbols", {"query": "came_late"})
    assert answer.items or answer.watermark["caught_up"] is False
    eventually(lambda: window.finds("came_late"))
    world.codeagentd("stop", "--repo", str(repo))
    daemon.wait(20)

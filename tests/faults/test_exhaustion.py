"""What the daemon needs runs out: room on the disk, descriptors, watches, the right to write. It says so, goes on, and recovers by itself."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.harness.disks import fill, small_disk
from tests.harness.waiting import eventually
from tests.harness.window import Window
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


def read_only(disk: Path) -> Callable[[], object]:
    """Let nothing be written; returns how to allow it again."""
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    return lambda: subprocess.run(["mount", "-o", "remount,rw", disk], check=True)


def full(disk: Path) -> Callable[[], object]:
    """Leave no room; returns how to make some."""
    return fill(disk).unlink


@pytest.mark.long
@pytest.mark.limit(120)
@pytest.mark.parametrize("point", ["write.recorded", "write.unanswered"])
@pytest.mark.parametrize("spoil", [full, read_only])
def test_a_write_that_is_sent_again_to_a_disk_that_takes_nothing_is_kept_once_or_refused(
    world: World, spoil: Callable[[Path], Callable[[], object]], point: str
) -> None:
    repo = world.repository("repo", FILES)
    with small_disk(world, "DATA") as disk:
        world.connect(repo, "--toolsets", "memory").must("store", {"type": "knowledge", "content": "kept before"})
        assert world.codeagentd("stop", "--repo", str(repo)).code == 0
        doomed = foreground(world, repo, "env", f"CODEAGENT_FAULT={point}")
        eventually(lambda: not world.codeagentd("status", "--repo", str(repo)).code)
        window = world.connect(repo, "--toolsets", "memory")
        memory = {"type": "knowledge", "content": "sent again"}
        sent = window.begin("tools/call", {"name": "store", "arguments": memory})
        assert doomed.wait(60) == -signal.SIGKILL
        undo = spoil(disk)
        answer = window.finish(sent, 60)
        undo()
        if point == "write.recorded" or answer.failed:
            assert (answer.data["code"], str(disk) in answer.data["error"]) == ("DB_ERROR", True), answer.message
        window.must("store", {"type": "knowledge", "content": "kept after"})
        contents = Counter(one["content"] for one in contents_of(window))
        wanted = {"kept before": 1, "kept after": 1} | ({} if point == "write.recorded" else {"sent again": 1})
        assert contents == wanted
        assert window.surplus == 0
        window.close()
        world.codeagentd("stop", "--repo", str(repo))


def contents_of(window: Window) -> list[dict[str, Any]]:
    """Every memory."""
    found = window.must("search", {"query": "kept OR sent again", "limit": 20}).data["index"]
    return [window.must("read", {"id": one["id"]}).data for one in found]


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

"""The daemon is killed; a client with a request notices only a pause."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from tests.bench.kills import Busy, copies, kill_once, outlines, settle
from tests.harness.upgrade import Upgrade
from tests.harness.waiting import eventually, let_pass
from tests.harness.world import World

WINDOWS = 3
KILLS = 2
ROUNDS = 12
FILES = {f"pkg/mod{number}.py": f"def step{number}x3(value):\n    return value\n" for number in range(120)}


@pytest.fixture
def repo(world: World) -> Path:
    return world.repository("busy", FILES | {"written/__init__.py": ""})


@pytest.mark.limit(180)
def test_busy_windows_get_one_answer_each_and_lose_no_write(world: World, repo: Path):
    stopping, choice, pid = threading.Event(), random.Random(5), 0
    workers = [Busy(world.connect(repo, "--toolsets", "all"), repo, number, stopping) for number in range(WINDOWS)]
    for worker in workers:
        worker.start()
    try:
        for _ in range(KILLS):
            pid = kill_once(world, repo, pid, choice)
    finally:
        stopping.set()
        for worker in workers:
            worker.join()
    for worker in workers:
        worker.window.drain(0.2)
        assert not worker.broken
        assert not worker.errors
        assert worker.window.surplus == 0
    settle(world, repo)
    window = world.connect(repo, "--toolsets", "all")
    assert {name: copies(window, name) for worker in workers for name in worker.written} == {
        name: 1 for worker in workers for name in worker.written
    }


def daemons(world: World) -> list[int]:
    """The daemons of the world, also those that are about to take over."""
    found = []
    for pid in world.processes():
        with contextlib.suppress(psutil.Error):
            if "codeagentd.boot.daemon" in psutil.Process(pid).cmdline():
                found.append(pid)
    return sorted(found)


@pytest.mark.long
@pytest.mark.limit(300)
def test_restarts_and_upgrades_that_are_killed_anywhere_lose_nothing_and_leave_one_daemon(world: World, repo: Path):
    upgrade, stopping, choice = Upgrade(world, repo), threading.Event(), random.Random(7)
    world.index(repo)
    workers = [Busy(world.connect(repo, "--toolsets", "all"), repo, number, stopping) for number in range(WINDOWS)]
    for worker in workers:
        worker.start()
    try:
        for number in range(ROUNDS):
            newer = {"PYTHONPATH": upgrade.path} if number % 2 else {}
            verb = ("upgrade", "--daemons") if number % 2 else ("restart", "--repo", str(repo))
            command = subprocess.Popen(
                [sys.executable, "-P", "-m", "codeagentd", *verb], env=world.environment | newer,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            let_pass(choice.uniform(0.2, 3.0), "the kill comes anywhere in what the command has begun")
            for pid in choice.sample([command.pid, *daemons(world)], k=1 + number % 2):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            command.wait(60)
    finally:
        stopping.set()
        for worker in workers:
            worker.join()
    for worker in workers:
        worker.window.drain(0.2)
        assert not worker.broken
        assert not worker.errors
        assert worker.window.surplus == 0
        assert worker.written
    settle(world, repo)
    window = world.connect(repo, "--toolsets", "all")
    assert {name: copies(window, name) for worker in workers for name in worker.written} == {
        name: 1 for worker in workers for name in worker.written
    }
    eventually(lambda: daemons(world) == [world.daemon(repo)], explain=lambda: daemons(world))
    assert world.codeagentd("restart", "--repo", str(repo)).code == 0
    eventually(lambda: not upgrade.beside.exists(), explain=lambda: "what a killed successor has left is still there")
    for open_window in (window, *(worker.window for worker in workers)):
        open_window.close()
    assert world.codeagentd("stop", "--repo", str(repo)).code == 0
    eventually(lambda: not daemons(world), explain=lambda: daemons(world))


@pytest.mark.limit(120)
def test_an_index_killed_while_it_is_made_equals_one_that_was_not(world: World, repo: Path):
    window = world.connect(repo, "--toolsets", "all")
    os.kill(world.daemon(repo), signal.SIGKILL)
    window.must("get_status")
    settle(world, repo)
    survived = outlines(window, repo)
    world.codeagentd("stop", "--repo", str(repo))
    with World() as other:
        other.index(repo)
        fresh = outlines(other.connect(repo), repo)
    assert len(fresh) >= len(FILES)
    assert survived == fresh

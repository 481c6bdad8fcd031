"""The daemon is killed; a client with a request notices only a pause."""

from __future__ import annotations

import os
import random
import signal
import threading
from pathlib import Path

import pytest

from tests.bench.kills import Busy, copies, kill_once, outlines, settle
from tests.harness.world import World

WINDOWS = 3
KILLS = 2
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

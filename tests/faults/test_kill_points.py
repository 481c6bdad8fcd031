"""The daemon dies at each of the points that the code names; the next one says what one that never died would say, and nothing acknowledged is lost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.base import failpoints
from tests.harness.contents import content
from tests.harness.staging import index_state
from tests.harness.upgrade import Upgrade
from tests.harness.waiting import eventually
from tests.harness.world import World

MODULES = 260  # more than one transaction of a first index, and more than one process resolves
DAEMON = Path(failpoints.__file__).parents[1]
INDEXING = (
    "begun",
    "written",
    "facts_committed",
    "committed",
    "parts_merged",
    "indexes_built",
    "resolved",
    "done",
    "text",
)
STARTING = ("start.locked", "start.bound", "start.ready", "migrate.step")
STOPPING = ("stop.parted", "stop.finished", "stop.checkpoint", "stop.closed")
SUCCEEDING = ("copied", "ready", "alone", "replacing", "replaced")
WRITING = ("migrate.memory", "write.recorded", "write.unanswered")
PARTING = ("part.copied", "part.replaced")
SHORT = {"index.facts_committed", "index.resolved", "succeed.replacing", "part.replaced"}  # the others in `make faults`


def module(number: int) -> str:
    other = (number + 1) % MODULES
    return f"from pkg.mod{other} import Step{other}\n\n\nclass Step{number}:\n    def go(self):\n        return Step{other}().go()\n"


def long_ones(points: tuple[str, ...]) -> list[Any]:
    return [pytest.param(point, marks=() if point in SHORT else pytest.mark.long) for point in points]


@pytest.fixture(scope="module")
def home() -> Iterator[World]:
    """A copy of the repository, with an index that was built without interruption."""
    with World() as world:
        repo = world.repository("busy", {f"pkg/mod{number}.py": module(number) for number in range(MODULES)})
        world.index(repo)
        yield world


def doomed(world: World, repo: Path, point: str) -> subprocess.Popen[bytes]:
    """A daemon that dies at a point."""
    argv = [sys.executable, "-m", "codeagentd.boot.daemon", "--repo", str(repo), "--foreground"]
    with world.errors.open("ab") as errors:
        return subprocess.Popen(
            argv,
            env=world.environment | {"CODEAGENT_FAULT": point},
            stdin=subprocess.DEVNULL,
            stdout=errors,
            stderr=errors,
        )


def died(daemon: subprocess.Popen[bytes]) -> bool:
    return daemon.wait(60) == -signal.SIGKILL


def wait_up(world: World, repo: Path) -> None:
    eventually(lambda: not world.codeagentd("status", "--repo", str(repo)).code)


def wait_alone(world: World) -> None:
    """Until what the dead daemon had started has noticed."""
    eventually(lambda: not world.processes(), 15, explain=world.processes)


def said(world: World) -> dict[str, list[tuple[object, ...]]]:
    (index,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).glob("worktrees/*/index.db")
    return content(index)


def test_every_point_is_tried() -> None:
    named = {
        name
        for path in DAEMON.rglob("*.py")
        for name in re.findall(r'failpoints\.point\("([a-z_.]+)"\)', path.read_text())
        # of no daemon: tests/e2e/test_serve_changes.py, tests/e2e/test_setup.py
        if not name.startswith(("serve.", "setup.", "install."))
    }
    assert named == {
        *(f"index.{name}" for name in INDEXING), *STARTING, *STOPPING, *PARTING, *WRITING, "write.indexed", *(f"succeed.{name}" for name in SUCCEEDING),
    }  # fmt: skip


def test_nobody_but_a_test_can_have_a_daemon_die(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: killed.append(number))
    failpoints.arm({"CODEAGENT_FAULT": "here"})
    failpoints.point("here")
    assert killed == []
    failpoints.arm({"CODEAGENT_FAULT": "here", "PYTEST_CURRENT_TEST": "this one"})
    failpoints.point("there")
    assert killed == []
    failpoints.point("here")
    assert killed == [signal.SIGKILL]
    failpoints.arm({})


@pytest.mark.limit(120)
@pytest.mark.parametrize("point", long_ones((*(f"index.{name}" for name in INDEXING), *STARTING)))
def test_killed_while_it_starts_or_indexes_the_next_one_has_the_whole_index(
    home: World, world: World, point: str
) -> None:
    repo = home.base / "busy"
    assert died(doomed(world, repo, point))
    wait_alone(world)
    before = index_state(world)
    world.index(repo)
    expected, found = said(home), said(world)
    for part, rows in expected.items():
        assert found[part] == rows, part
    if before.get("generation"):
        assert index_state(world)["born"] == before["born"], "the index went on; it was not begun again"


@pytest.mark.limit(120)
@pytest.mark.parametrize("point", long_ones(PARTING))
def test_killed_while_it_leaves_the_file_that_two_worktrees_share_both_have_their_index(
    home: World, world: World, point: str
) -> None:
    first = world.repository(
        "first", {f"pkg/mod{number}.py": module(number).replace("go", "run") for number in range(MODULES)}
    )
    world.index(first)
    (own,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).glob("worktrees/*/index.db")
    before = content(own)
    second = world.base / "second"
    world.git(first, "worktree", "add", "-q", "-b", "second", str(second))
    for number in range(MODULES):  # more than a log should hold
        (second / f"pkg/mod{number}.py").write_text(module(number))
    assert died(doomed(world, second, point))
    world.index(second)
    (other,) = set(Path(world.environment["CODEAGENT_CACHE_DIR"]).glob("worktrees/*/index.db")) - {own}
    assert not own.samefile(other)
    world.codeagentd("stop", "--repo", str(second))
    world.index(second)
    assert (own.stat().st_nlink, other.stat().st_nlink) == (1, 1)
    assert {one.suffix for one in other.parent.glob("index*")} <= {".db", ".db-wal", ".db-shm", ".lock"}
    assert content(own) == before
    expected, found = said(home), content(other)
    for part, rows in expected.items():
        assert found[part] == rows, part


@pytest.mark.long
@pytest.mark.limit(120)
@pytest.mark.parametrize("point", STOPPING)
def test_killed_while_it_leaves_the_next_one_answers_at_once(world: World, point: str) -> None:
    repo = world.repository("small", {"a.py": "def found():\n    return 1\n"})
    daemon = doomed(world, repo, point)
    wait_up(world, repo)
    world.index(repo)
    window = world.connect(repo)
    (repo / "a.py").write_text("def found():\n    return 1\n\n\ndef saved_last():\n    return 2\n")
    assert window.must("search_symbols", {"query": "saved_last"}).items
    world.codeagentd("stop", "--repo", str(repo))
    assert died(daemon)
    assert [item["name"] for item in window.must("search_symbols", {"query": "saved_last"}).items] == ["saved_last"]


@pytest.mark.limit(120)
@pytest.mark.parametrize("point", long_ones((*(f"succeed.{name}" for name in SUCCEEDING), "migrate.step")))
def test_killed_while_it_takes_over_the_index_is_the_old_one_or_the_new_and_windows_are_answered(
    world: World, point: str
) -> None:
    upgrade = Upgrade(world, world.repository("small", {f"pkg/mod{number}.py": module(number) for number in range(9)}))
    world.index(upgrade.repo)
    expected = said(world)
    assert died(upgrade.successor(point))
    assert said(world) == expected
    assert upgrade.is_migrated == (point == "succeed.replaced")
    windows = [world.connect(upgrade.repo), upgrade.window()]
    upgrade.wait_taken_over()
    for window in windows:
        assert window.must("search_symbols", {"query": "Step7"}).items[0]["name"] == "Step7"
        assert window.surplus == 0
    assert upgrade.is_migrated
    assert not upgrade.beside.exists()
    assert said(world) == expected


@pytest.mark.long
@pytest.mark.limit(120)
@pytest.mark.parametrize("point", WRITING)
def test_killed_under_a_write_the_window_gets_one_answer_and_the_memory_is_kept_once(world: World, point: str) -> None:
    repo = world.repository("small", {"a.py": "x = 1\n"})
    daemon = doomed(world, repo, point)
    wait_up(world, repo)
    window = world.connect(repo, "--toolsets", "memory")
    memory = window.must("store", {"type": "knowledge", "content": "worth keeping", "title": "kept"}).data["id"]
    assert died(daemon)
    assert window.must("stats").data["total"] == 1
    assert window.must("read", {"id": memory}).data["content"] == "worth keeping"
    assert window.surplus == 0


@pytest.mark.long
@pytest.mark.limit(120)
def test_killed_before_a_file_is_acknowledged_it_is_in_the_index_once(world: World) -> None:
    repo = world.repository("small", {"a.py": "x = 1\n"})
    daemon = doomed(world, repo, "write.indexed")
    wait_up(world, repo)
    window = world.connect(repo, "--toolsets", "all")
    (repo / "b.py").write_text("def only_one():\n    return 1\n")
    assert window.must("index_files", {"paths": ["b.py"]}).data == {"indexed": 1, "errors": []}
    assert died(daemon)
    assert len(window.must("search_symbols", {"query": "only_one"}).items) == 1
    assert window.surplus == 0

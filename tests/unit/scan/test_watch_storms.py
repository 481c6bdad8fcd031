"""The watcher under load: thousands of files, lost events, and random histories after which nothing may be stale."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.scan.ignore import IgnoreRules
from codeagentd.scan.watching.events import Change
from codeagentd.scan.watching.watcher import AUTO, POLLING, Watcher
from tests.unit.scan.mirror import Mirror, run_git

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")

STORM = """
import os
for number in range({count}):
    folder = f"storm/d{{number // 50}}"
    if number % 50 == 0:
        os.makedirs(folder, exist_ok=True)
    with open(f"{{folder}}/f{{number}}.py", "w") as file:
        file.write(f"x = {{number}}\\n")
"""
NAMES = ["a", "b", "c", "d.py", "e.py", "f.log", "ignored", "lib"]


def storm(root: Path, count: int) -> subprocess.Popen[bytes]:
    """Another process that writes `count` files."""
    return subprocess.Popen([sys.executable, "-c", STORM.format(count=count)], cwd=root)


def test_five_thousand_files_come_change_and_go(mirror: Mirror) -> None:
    for _ in range(2):  # new, then rewritten
        with storm(mirror.root, 5_000):
            pass
        mirror.settle()
        assert sum(path.startswith("storm/") for path in mirror.files) == 5_000
        assert not mirror.stale()
    shutil.rmtree(mirror.root / "storm")
    mirror.settle()
    assert not [path for path in mirror.files if path.startswith("storm/")]


def test_a_checkout_of_five_thousand_files_is_complete(mirror: Mirror) -> None:
    with storm(mirror.root, 5_000):
        pass
    run_git(mirror.root, "checkout", "-qb", "big")
    run_git(mirror.root, "add", "-A")
    run_git(mirror.root, "commit", "-qm", "big")
    mirror.settle()
    for branch, count in (("main", 0), ("big", 5_000)):
        run_git(mirror.root, "checkout", "-q", branch)
        assert mirror.settle().head
        assert sum(path.startswith("storm/") for path in mirror.files) == count
        assert not mirror.stale()


def test_syncs_are_answered_during_a_storm(mirror: Mirror) -> None:
    with storm(mirror.root, 3_000) as writer:
        number = 0
        while writer.poll() is None:
            number += 1
            (mirror.root / f"mine{number}.py").write_text("")
            assert f"mine{number}.py" in mirror.settle().paths
    assert number
    mirror.settle()
    assert not mirror.stale()


def test_lost_events_lead_to_a_rescan(repo: Path) -> None:
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 40_000:
        pytest.skip("the queue is too long to be filled in a test")
    stuck, release, told = threading.Event(), threading.Event(), list[Change]()

    def on_change(change: Change) -> None:
        told.append(change)
        stuck.set()
        release.wait(30.0)

    watcher = Watcher(repo, on_change, rules=IgnoreRules(repo))
    watcher.start()
    try:
        (repo / "a.py").write_text("first")
        assert stuck.wait(10.0)
        for number in range(limit // 2 + 1_000):  # two events each, no two neighbours alike
            os.utime(repo / ("a.py" if number % 2 else "lib/d.py"))
            os.utime(repo / "src" / "b.py")
        (repo / "after" / "the" / "flood").mkdir(parents=True)
        release.set()
        assert watcher.sync(20.0)
        assert any(change.overflow for change in told)
        del told[:]
        (repo / "after" / "the" / "flood" / "n.py").write_text("")
        assert watcher.sync(20.0)
        assert Change(paths=frozenset({"after/the/flood/n.py"})) in told, (
            "a directory whose creation was lost is watched"
        )
    finally:
        release.set()
        watcher.stop(5.0)


def test_directories_that_move_while_they_are_being_watched_are_found(mirror: Mirror) -> None:
    moves = """
import os, random
rnd = random.Random(7)
for turn in range(400):
    name = f"m{turn % 7}"
    if os.path.isdir(name):
        os.rename(name, f"m{rnd.randrange(7)}x{turn}")
    os.makedirs(f"{name}/in/ner", exist_ok=True)
    open(f"{name}/in/ner/f{turn}.py", "w").close()
"""
    with subprocess.Popen([sys.executable, "-c", moves], cwd=mirror.root) as mover:
        while mover.poll() is None:
            mirror.settle()
    mirror.settle()
    assert len([path for path in mirror.files if path.endswith(".py")]) > 300
    assert not mirror.stale()


class History:
    """Random operations on one tree and on a directory outside that things are moved to and from."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.outside = root, root.parent / "outside"
        self.outside.mkdir()
        self.random = random.Random(seed)
        self.operations: list[Callable[[Path, Path], object]] = [
            lambda folder, _: (folder / self.name()).write_text(str(self.random.random())),
            lambda folder, _: (folder / self.name()).write_text(str(self.random.random())),
            lambda _, file: file.write_text("e" * self.random.randrange(100)),
            lambda _, file: file.unlink(),
            lambda folder, file: file.rename(folder / self.name()),
            lambda folder, file: (shutil.copy(file, folder / ".t"), (folder / ".t").replace(file)),
            self.make,
            lambda folder, _: shutil.rmtree(self.proper(folder)),
            lambda folder, _: self.proper(folder).rename(self.some(folders=True) / self.name()),
            lambda folder, _: self.proper(folder).rename(self.some(folders=True) / self.name()),
            self.trade,
            lambda folder, _: self.proper(folder).rename(self.outside / str(self.random.random())),
            lambda folder, _: self.random.choice(sorted(self.outside.iterdir())).rename(folder / self.name()),
            lambda folder, _: (
                shutil.rmtree(self.proper(folder)),
                folder.mkdir(),
                (folder / "e.py").write_text("again"),
            ),
            lambda folder, _: (folder / self.name()).symlink_to(
                self.random.choice(["d.py", "no/such", str(self.outside)])
            ),
            self.ignore,
            lambda _, file: run_git(self.root, "add", "-f", str(file)),
            lambda *_: (run_git(self.root, "add", "-A"), run_git(self.root, "commit", "-qm", "more")),
            lambda *_: (
                run_git(self.root, "branch", "other"),
                run_git(self.root, "checkout", "-qf", self.random.choice(["main", "other"])),
            ),
            lambda folder, _: (folder / "lib").exists() or run_git(folder, "init", "-q", "lib"),
        ]

    def step(self) -> None:
        """One operation; impossible ones count as none."""
        try:
            self.random.choice(self.operations)(self.some(folders=True), self.some(folders=False))
        except (OSError, shutil.Error, IndexError):
            return

    def name(self) -> str:
        return self.random.choice(NAMES)

    def some(self, *, folders: bool) -> Path:
        """A real directory (maybe the root) or a file of the tree."""
        found = [self.root] * 3 if folders else []
        for at, names, files in os.walk(self.root):
            names[:] = [name for name in names if name != ".git"]
            found += [Path(at, name) for name in (names if folders else files) if not Path(at, name).is_symlink()]
        return self.random.choice(sorted(found))

    def proper(self, folder: Path) -> Path:
        if folder == self.root:
            raise OSError
        return folder

    def make(self, folder: Path, _: Path) -> None:
        inner = folder / self.name()
        if not inner.exists():
            (inner / self.name() / "deep").mkdir(parents=True)
            (inner / "x.py").write_text("")
            next(inner.glob("*/deep")).joinpath("y.py").write_text("")

    def trade(self, folder: Path, _: Path) -> None:
        other = self.proper(self.some(folders=True))
        if folder not in (self.root, other) and folder not in other.parents and other not in folder.parents:
            folder.rename(self.root / ".swap")
            other.rename(folder)
            (self.root / ".swap").rename(other)

    def ignore(self, folder: Path, _: Path) -> None:
        lines = self.random.choice(["ignored\n", "*.log\n", "", "lib/\n!lib\n", "/a\n", "*\n!*.py\n!*/\n"])
        (folder / self.random.choice([".gitignore", ".codeagentignore"])).write_text(lines)


@pytest.mark.parametrize(
    ("seed", "way"), [*((seed, AUTO) for seed in range(16)), *((seed, POLLING) for seed in range(16, 20))]
)
def test_after_any_history_nothing_is_stale(tmp_path: Path, seed: int, way: str) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    (root / "e.py").write_text("")
    if seed % 4:
        run_git(root, "init", "-q", "-b", "main")
    history = History(root, seed)
    with Mirror(root, way) as mirror:
        for _ in range(12):
            for _ in range(history.random.randint(1, 12)):
                history.step()
            mirror.settle()
            assert not mirror.stale(), mirror.last

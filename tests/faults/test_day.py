"""A day of work in ten minutes (DAY_MINUTES): edits, checkouts, memories, windows that come and go. What the daemon holds at its end it held in the morning."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import statistics
import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

from tests.harness.waiting import let_pass
from tests.harness.window import Window
from tests.harness.world import World

MINUTES = float(os.environ.get("DAY_MINUTES", "10"))
MODULES = 300
LOOK_S = 0.5
EDITIONS = 3  # of a module, in turn: a day of work has its own words, and no end of new ones
KEPT = 30  # memories
PIPES = 2  # to a worker and from it, which comes when there is work
SPARE = 1  # descriptors of a database that SQLite could not close while other connections had it locked, and keeps for the next one
RUSHES = 40  # of the morning
BREAK_S = 8.0  # in which the daemon keeps house: 5 seconds without work
BREAKS = 10
MOST_WAL_BYTES = 64 * 1024 * 1024  # four times what a checkpoint leaves
MOST_GROWTH = (
    0.01 if MINUTES >= 10 else 0.05
)  # of resident memory, from the second quarter to the last: fewer looks say less

_Look = TypeVar("_Look")


def module(number: int, edition: int) -> str:
    calls = f"def edition{number}x{edition}(value):\n    return go(value)\n"
    return f"from pkg.mod{(number + 1) % MODULES} import go\n\n\ndef go(value):\n    return value\n\n\n{calls}"


class Day:
    """One repository, its daemon, and what is done to both; `look` measures."""

    def __init__(self, world: World, repo: Path) -> None:
        self.world, self.repo, self.random = world, repo, random.Random(11)
        self.windows: list[Window] = [world.connect(repo, "--toolsets", "all")]
        self.process = psutil.Process(world.daemon(repo))
        self.edits, self.wrong, self.asked = 0, 0, 0
        self.edition: Counter[int] = Counter()
        self.memories: deque[str] = deque()
        self.resident: list[int] = []
        self.descriptors: list[tuple[int, Counter[str]]] = []  # with so many windows
        self.logs: list[int] = []

    def look(self) -> None:
        self.resident.append(self.process.memory_info().rss)
        self.descriptors.append((len(self.windows), descriptors(self.process)))
        self.logs.append(
            sum(path.stat().st_size for path in Path(self.world.environment["CODEAGENT_CACHE_DIR"]).rglob("*.db-wal"))
        )

    def edit(self) -> None:
        number = self.random.randrange(MODULES)
        self.edits += 1
        self.edition[number] += 1
        edition = self.edition[number] % EDITIONS
        (self.repo / f"pkg/mod{number}.py").write_text(module(number, edition))
        answer = self.random.choice(self.windows).must("search_symbols", {"query": f"edition{number}x{edition}"})
        self.asked += 1
        self.wrong += bool(not answer.items and answer.watermark["caught_up"])

    def ask(self) -> None:
        window, number = self.random.choice(self.windows), self.random.randrange(MODULES)
        window.must("get_file_outline", {"path": f"pkg/mod{number}.py"})
        window.must("search_code", {"query": f"edition{number}", "limit": 5})
        self.asked += 2

    def remember(self) -> None:
        window, fact = self.random.choice(self.windows), f"module {self.random.randrange(MODULES)} works"
        stored = window.must(
            "store",
            {"type": "knowledge", "title": fact, "content": f"{fact}: pkg/mod{self.random.randrange(MODULES)}.py"},
        )
        self.memories.append(stored.data["id"])
        if len(self.memories) > KEPT:
            window.must("delete", {"id": self.memories.popleft()})
        window.must("search", {"query": fact, "max_results": 3})
        self.asked += 3

    def rush(self) -> None:
        """Everybody asks at once."""
        number = self.random.randrange(MODULES)
        calls = [
            {"name": "search_code", "arguments": {"query": f"edition{number}"}},
            {"name": "search", "arguments": {"query": f"module {number}"}},
        ]
        asked = [(window, window.begin("tools/call", call)) for window in self.windows for call in calls * 2]
        assert not [answer for window, request in asked if (answer := window.finish(request)).failed]
        self.asked += len(asked)

    def gather(self) -> None:
        """The morning: windows come, and all ask at once, so that what is opened for many is open."""
        while len(self.windows) <= 4:
            self.come_or_go()
        for _ in range(RUSHES):
            self.rush()

    def check_out(self) -> None:
        self.world.commit(self.repo, "work")
        self.world.git(self.repo, "switch", "-q", "other" if self.random.random() < 0.5 else "main")

    def come_or_go(self) -> None:
        if len(self.windows) > 4:
            self.windows.pop(self.random.randrange(1, len(self.windows))).close()
        else:
            self.windows.append(self.world.connect(self.repo, "--toolsets", "all"))

    def work(self, minutes: float) -> None:
        """So long, with breaks."""
        for _ in range(BREAKS):
            began = time.monotonic()
            self.work_until(began + minutes * 60 / BREAKS - BREAK_S)
            while time.monotonic() < began + minutes * 60 / BREAKS:
                let_pass(LOOK_S, "people have breaks")
                self.look()

    def work_until(self, until: float) -> None:
        acts: list[Callable[[], None]] = (
            [self.edit] * 12 + [self.ask] * 12 + [self.remember, self.rush, self.check_out, self.come_or_go]
        )
        looked = 0.0
        while time.monotonic() < until:
            self.random.choice(acts)()
            if time.monotonic() - looked > LOOK_S:
                looked = time.monotonic()
                self.look()


def descriptors(process: psutil.Process) -> Counter[str]:
    """How many it has of each kind, of files by their names; but for those of workers."""
    found: Counter[str] = Counter({"pipe": -PIPES * len(process.children())})
    for entry in os.scandir(f"/proc/{process.pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            kind = os.readlink(entry.path)
            found[Path(kind).name if kind.startswith("/") else kind.partition(":")[0]] += 1
    return found


def always(looks: list[Counter[str]]) -> Counter[str]:
    """What all of them have: files are open for a moment now and then."""
    return functools.reduce(Counter.__and__, looks)


def quarters(looks: list[_Look]) -> tuple[list[_Look], list[_Look]]:
    """The second quarter and the last: the first is for warming up."""
    size = len(looks) // 4
    return looks[size : 2 * size], looks[3 * size :]


def with_usual_windows(looks: list[tuple[int, Counter[str]]]) -> list[Counter[str]]:
    """Descriptors while there were as many windows as most of the time: each has some."""
    usual = statistics.mode(windows for windows, _ in looks)
    return [found for windows, found in looks if windows == usual]


@pytest.mark.long
@pytest.mark.limit(MINUTES * 60 + 120)
def test_a_day_of_work_leaves_nothing_behind() -> None:
    with World() as world:
        repo = world.repository("repo", {f"pkg/mod{number}.py": module(number, 0) for number in range(MODULES)})
        world.git(repo, "branch", "other")
        world.index(repo)
        day = Day(world, repo)
        pid = day.process.pid
        day.gather()
        day.work(MINUTES)
        before, after = map(statistics.median, quarters(day.resident))
        few, many = map(always, quarters(with_usual_windows(day.descriptors)))
        spare = Counter({name: SPARE for name in many if name.endswith(".db")})
        print(
            f"\n{MINUTES:g} min, {day.edits} edits, {day.asked} questions, {day.wrong} wrong; resident {before / 1e6:.1f} -> {after / 1e6:.1f} MB"
            f" ({(after / before - 1) * 100:+.2f} %), at most {max(day.resident) / 1e6:.1f};"
            f" descriptors {few.total()} -> {many.total()} (new: {dict(many - few)}); logs at most {max(day.logs) / 1e6:.1f} MB"
        )
        assert world.daemon(repo) == pid
        assert day.wrong == 0
        assert after <= before * (1 + MOST_GROWTH)
        assert not many - few - spare
        assert max(day.logs) <= MOST_WAL_BYTES

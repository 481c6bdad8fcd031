"""A day of work in ten minutes (DAY_MINUTES): edits, checkouts, memories, windows that come and go. What the daemon holds at its end it held in the morning."""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.harness.window import Window
from tests.harness.world import World

MINUTES = float(os.environ.get("DAY_MINUTES", "10"))
MODULES = 300
LOOK_S = 0.5
MOST_WAL_BYTES = 64 * 1024 * 1024  # four times what a checkpoint leaves
MOST_GROWTH = 0.01 if MINUTES >= 10 else 0.05  # of resident memory, from the second quarter to the last: fewer looks say less


def module(number: int, edition: int) -> str:
    calls = f"def edition{number}x{edition}(value):\n    return go(value)\n"
    return f"from pkg.mod{(number + 1) % MODULES} import go\n\n\ndef go(value):\n    return value\n\n\n{calls}"


class Day:
    """One repository, its daemon, and what is done to both; `look` measures."""

    def __init__(self, world: World, repo: Path) -> None:
        self.world, self.repo, self.random = world, repo, random.Random(11)
        self.windows: list[Window] = [world.connect(repo, "--toolsets", "all")]
        self.process = psutil.Process(world.daemon(repo))
        self.edition, self.wrong, self.asked = 0, 0, 0
        self.resident: list[int] = []
        self.descriptors: list[tuple[int, int]] = []  # with so many windows
        self.logs: list[int] = []

    def look(self) -> None:
        self.resident.append(self.process.memory_info().rss)
        self.descriptors.append((len(self.windows), self.process.num_fds()))
        self.logs.append(sum(path.stat().st_size for path in Path(self.world.environment["CODEAGENT_CACHE_DIR"]).rglob("*.db-wal")))

    def edit(self) -> None:
        self.edition += 1
        number = self.random.randrange(MODULES)
        (self.repo / f"pkg/mod{number}.py").write_text(module(number, self.edition))
        answer = self.random.choice(self.windows).must("search_symbols", {"query": f"edition{number}x{self.edition}"})
        self.asked += 1
        self.wrong += bool(not answer.items and answer.watermark["caught_up"])

    def ask(self) -> None:
        window, number = self.random.choice(self.windows), self.random.randrange(MODULES)
        window.must("get_file_outline", {"path": f"pkg/mod{number}.py"})
        window.must("search_code", {"query": f"edition{number}", "limit": 5})
        self.asked += 2

    def remember(self) -> None:
        window, fact = self.random.choice(self.windows), f"edition {self.edition} of module {self.random.randrange(MODULES)} works"
        window.must("store", {"type": "knowledge", "title": fact, "content": f"{fact}: pkg/mod{self.random.randrange(MODULES)}.py"})
        window.must("search", {"query": fact, "max_results": 3})
        self.asked += 2

    def check_out(self) -> None:
        self.world.commit(self.repo, "work")
        self.world.git(self.repo, "switch", "-q", "other" if self.random.random() < 0.5 else "main")

    def come_or_go(self) -> None:
        if len(self.windows) > 4:
            self.windows.pop(self.random.randrange(1, len(self.windows))).close()
        else:
            self.windows.append(self.world.connect(self.repo, "--toolsets", "all"))

    def work(self, until: float) -> None:
        acts: list[Callable[[], None]] = [self.edit] * 12 + [self.ask] * 12 + [self.remember, self.check_out, self.come_or_go]
        looked = 0.0
        while time.monotonic() < until:
            self.random.choice(acts)()
            if time.monotonic() - looked > LOOK_S:
                looked = time.monotonic()
                self.look()


def quarters(values: list[int]) -> tuple[float, float]:
    """The median of the second quarter and of the last: the first is for warming up."""
    size = len(values) // 4
    return statistics.median(values[size : 2 * size]), statistics.median(values[3 * size :])


def with_usual_windows(looks: list[tuple[int, int]]) -> list[int]:
    """Descriptors while there were as many windows as most of the time: each has some."""
    usual = statistics.mode(windows for windows, _ in looks)
    return [descriptors for windows, descriptors in looks if windows == usual]


@pytest.mark.long
@pytest.mark.limit(MINUTES * 60 + 120)
def test_a_day_of_work_leaves_nothing_behind() -> None:
    with World() as world:
        repo = world.repository("repo", {f"pkg/mod{number}.py": module(number, 0) for number in range(MODULES)})
        world.git(repo, "branch", "other")
        world.index(repo)
        day = Day(world, repo)
        pid = day.process.pid
        day.work(time.monotonic() + MINUTES * 60)
        (before, after), (few, many) = quarters(day.resident), quarters(with_usual_windows(day.descriptors))
        print(
            f"\n{MINUTES:g} min, {day.edition} edits, {day.asked} questions, {day.wrong} wrong; resident {before / 1e6:.1f} -> {after / 1e6:.1f} MB"
            f" ({(after / before - 1) * 100:+.2f} %), at most {max(day.resident) / 1e6:.1f}; descriptors {few:g} -> {many:g};"
            f" logs at most {max(day.logs) / 1e6:.1f} MB"
        )
        assert world.daemon(repo) == pid
        assert day.wrong == 0
        assert after <= before * (1 + MOST_GROWTH)
        assert many <= few
        assert max(day.logs) <= MOST_WAL_BYTES

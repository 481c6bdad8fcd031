"""What windows cost: starting one, keeping twenty, and thirty at once on a cold repository."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench import corpora
from tests.bench.figures import Figure, percentile
from tests.harness.processes import MEGABYTE, family, pss_bytes, rss_bytes
from tests.harness.waiting import comes
from tests.harness.world import World

STARTS = 20
KEPT = 20
CROWD = 30
ANSWER_S = 15.0


def start_ms(world: World, repo: Path) -> float:
    """One window: spawn to the initialize answer, in ms."""
    started = time.perf_counter()
    window = world.window(repo)
    window.initialize()
    elapsed = (time.perf_counter() - started) * 1000
    window.close()
    world.windows.remove(window)
    return elapsed


def shims(_rounds: int) -> Iterator[Figure]:
    """Warm starts, then twenty windows side by side on Django."""
    with World() as world:
        repo = corpora.repository(world, "django")
        world.index(repo)
        starts = [start_ms(world, repo) for _ in range(STARTS)]
        yield Figure(
            "shims",
            "shim start -> initialize, p50",
            percentile(starts, 0.5),
            "ms",
            80,
            "565",
            f"p95 {percentile(starts, 0.95):.0f} ms",
        )
        windows = [world.connect(repo, "--toolsets", "all") for _ in range(KEPT)]
        for window in windows:
            window.must("get_status")
        rss = [rss_bytes({window.pid}) / MEGABYTE for window in windows]
        pss = [pss_bytes(window.pid) / MEGABYTE for window in windows]
        yield Figure("shims", "shim memory", max(rss), "MB", 20, "68")
        yield Figure(
            "shims", f"share of each of {KEPT} windows", max(pss), "MB", 9, "47", f"together {sum(pss):.0f} MB"
        )
        daemon = rss_bytes(process.pid for process in family(world.daemon(repo))) / MEGABYTE
        yield Figure("shims", "daemon without model, workers included", daemon, "MB", 160, "515")


class Arrival(threading.Thread):
    """One window of the crowd: spawn, initialize, one call."""

    def __init__(self, world: World, repo: Path, gate: threading.Barrier) -> None:
        super().__init__(daemon=True)
        self.world, self.repo, self.gate = world, repo, gate
        self.seconds = float("inf")

    def run(self) -> None:
        """Arrive with the others."""
        self.gate.wait()
        started = time.perf_counter()
        window = self.world.window(self.repo, "--toolsets", "engine")
        window.initialize(ANSWER_S)
        if not window.call("get_status", {}, ANSWER_S).failed:
            self.seconds = time.perf_counter() - started


def daemons(world: World) -> int:
    """Processes that are no window and no worker of another process of the world."""
    others = world.processes() - {window.pid for window in world.windows}
    below = {child.pid for pid in others for child in family(pid)[1:]}
    return len(others - below)


def crowd(_rounds: int) -> Iterator[Figure]:
    """Thirty windows at the same instant on a repository without daemon and index."""
    with World() as world:
        repo = world.repository(
            "small", {f"pkg/mod{at}.py": f"def step{at}():\n    return step{at - 1}()\n" for at in range(20)}
        )
        gate = threading.Barrier(CROWD)
        arrivals = [Arrival(world, repo, gate) for _ in range(CROWD)]
        for arrival in arrivals:
            arrival.start()
        for arrival in arrivals:
            arrival.join(ANSWER_S * 3)
        answered = [arrival.seconds for arrival in arrivals if arrival.seconds < ANSWER_S]
        comes(lambda: daemons(world) == 1, 5)  # the losers of the race need a moment to leave
        yield Figure("crowd", f"daemons after {CROWD} windows at once", daemons(world), "", 1, "several")
        yield Figure(
            "crowd",
            "windows without an answer",
            CROWD - len(answered),
            "",
            0,
            "",
            f"slowest of the others {max(answered, default=0):.1f} s",
        )

"""What fifty daemons cost that have nothing to do: memory, processor, and how soon all of them are told about."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure, percentile
from tests.harness.processes import MEGABYTE, pss_bytes, rss_bytes
from tests.harness.waiting import let_pass
from tests.harness.world import World

DAEMONS = 50
SETTLING_S = 90.0  # workers are ended after a minute, and the house is in order
WATCHED_S = 60.0


def idle(_rounds: int) -> Iterator[Figure]:
    """Fifty small repositories, indexed; then left alone."""
    with World() as world:
        for number in range(DAEMONS):
            files = {f"m{at}.py": f"def step{at}():\n    return step{at - 1 if at else 0}()\n" for at in range(20)}
            world.index(world.repository(f"repo{number}", files))
        let_pass(SETTLING_S, "daemons end their workers")
        pids = [int(fields["pid"]) for fields in world.codeagentd("status", "--all", "--json").json]
        seconds = [asked(world) for _ in range(3)]
        rss, pss = [rss_bytes({pid}) / MEGABYTE for pid in pids], [pss_bytes(pid) / MEGABYTE for pid in pids]
        yield Figure(
            "idle",
            f"memory of the largest of {len(pids)} idle daemons",
            max(rss),
            "MB",
            60,
            "",
            f"own share {percentile(pss, 0.5):.0f} MB",
        )
        let_pass(2, "the questions are over")
        before = [cost(pid) for pid in pids]
        let_pass(WATCHED_S, "what they cost meanwhile is the figure")
        after = [cost(pid) for pid in pids]
        busy_s, wakes = (sum(end[at] - begin[at] for begin, end in zip(before, after, strict=True)) for at in (0, 1))
        share = busy_s / WATCHED_S * 100
        yield Figure(
            "idle",
            "processor, all of them together",
            share,
            "%",
            0.5,
            "",
            f"of one core; {wakes / WATCHED_S / len(pids):.2f} wake-ups a second each",
        )
        yield Figure("idle", "codeagentd status --all", max(seconds), "s", 1)


def asked(world: World) -> float:
    """Seconds of `codeagentd status --all`."""
    started = time.perf_counter()
    world.codeagentd("status", "--all")
    return time.perf_counter() - started


def cost(pid: int) -> tuple[float, int]:
    """(seconds on a processor, times that a thread went to sleep) since the process began; Linux."""
    busy_ns = sleeps = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        place = Path(f"/proc/{pid}/task/{thread}")
        busy_ns += int((place / "schedstat").read_text().split()[0])
        sleeps += sum(
            int(line.split()[1])
            for line in (place / "status").read_text().splitlines()
            if line.startswith("voluntary_ctxt_switches")
        )
    return busy_ns / 1e9, sleeps

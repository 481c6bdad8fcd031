"""What a first index loses when its daemon is killed: one that is killed at random moments, beside one that is not.

python -m tests.bench.interrupted CLONE [--kills 10] [--seed 1] [--patience 3000] [--whole CPU WALL]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.bench.cost import begun, measure
from tests.harness.processes import Meter, Roster
from tests.harness.waiting import let_pass
from tests.harness.world import World

LOOK_S = 0.2


class Interrupted(NamedTuple):
    """One first index: CPU of all daemons and workers, seconds, and how many daemons were killed."""

    cpu_s: float
    wall_s: float
    kills: int


def interrupted(world: World, repo: Path, moments: Iterable[float], patience_s: float) -> Interrupted:
    """Index a repository whose daemon is killed at `moments`, in seconds from the begin."""
    started, kills = time.monotonic(), 0
    left = sorted(moments)
    command = begun(world, repo)
    meter = Meter(Roster(world.environment["CODEAGENT_RUNTIME_DIR"]).present, lambda: {command.pid})
    meter.start()
    while command.poll() != 0:
        assert time.monotonic() - started < patience_s, world.errors.read_text()[-500:]
        if command.poll() is not None:  # it gives up where a daemon dies several times within moments
            command = begun(world, repo)
        if left and time.monotonic() - started > left[0]:
            left.pop(0)
            with contextlib.suppress(ProcessLookupError, KeyError):  # it has not started yet
                os.kill(world.daemon(repo), signal.SIGKILL)
                kills += 1
        let_pass(LOOK_S, "the index grows")
    wall_s = time.monotonic() - started
    return Interrupted(meter.finish(world.daemon(repo)), wall_s, kills)


def main() -> None:
    """Print both figures and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=3_000.0, metavar="SECONDS")
    parser.add_argument(
        "--whole", type=float, nargs=2, metavar=("CPU", "WALL"), help="seconds of one that was not killed, if known"
    )
    options = parser.parse_args()
    cpu_s, wall_s = options.whole or not_killed(options.clone, options.patience)
    print(f"not killed: {cpu_s:.1f} s of CPU, {wall_s:.1f} s", flush=True)
    chosen = random.Random(options.seed)
    with World() as world:
        moments = [chosen.uniform(0.0, wall_s) for _ in range(options.kills)]
        result = interrupted(world, options.clone, moments, options.patience)
        fields = world.status(options.clone)
    print(f"killed {result.kills} times: {result.cpu_s:.1f} s of CPU, {result.wall_s:.1f} s; ", end="")
    print(f"{fields['indexed_files']} files, {fields['indexed_symbols']} symbols, caught up: {fields['caught_up']}")
    print(f"work repeated: {result.cpu_s / cpu_s - 1:.1%} of CPU, at most 5 %")


def not_killed(repo: Path, patience_s: float) -> tuple[float, float]:
    """Return the seconds of CPU and of time that a first index takes."""
    with World() as world:
        whole = measure(world, repo, patience_s=patience_s)
    return whole.cpu_s, whole.wall_s


if __name__ == "__main__":
    main()

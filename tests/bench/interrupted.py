"""What a first index loses when its daemon is killed: one that is killed at random moments, beside one that is not.

python -m tests.bench.interrupted CLONE [--kills 10] [--seed 1] [--patience 3000]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.bench.cost import Cold, measure
from tests.harness.processes import Meter, Roster
from tests.harness.waiting import let_pass
from tests.harness.world import BIN, World

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
            with contextlib.suppress(ProcessLookupError):
                os.kill(world.daemon(repo), signal.SIGKILL)
                kills += 1
        let_pass(LOOK_S, "the index grows")
    wall_s = time.monotonic() - started
    return Interrupted(meter.finish(world.daemon(repo)), wall_s, kills)


def begun(world: World, repo: Path) -> subprocess.Popen[bytes]:
    """Begin to index a repository, or go on with it."""
    argv = [str(BIN / "codeagentd"), "index", "--repo", str(repo), "--wait"]
    with world.errors.open("ab") as log:
        return subprocess.Popen(argv, env=world.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def main() -> None:
    """Print both figures and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=3_000.0, metavar="SECONDS")
    options = parser.parse_args()
    with World() as world:
        whole: Cold = measure(world, options.clone, patience_s=options.patience)
    print(f"not killed: {whole.cpu_s:.1f} s of CPU, {whole.wall_s:.1f} s", flush=True)
    moments = [random.Random(options.seed + at).uniform(0.0, whole.wall_s) for at in range(options.kills)]
    with World() as world:
        result = interrupted(world, options.clone, moments, options.patience)
        fields = world.status(options.clone)
    assert (fields["indexed_files"], fields["indexed_symbols"]) == (whole.files, whole.symbols), fields
    print(f"killed {result.kills} times: {result.cpu_s:.1f} s of CPU, {result.wall_s:.1f} s")
    print(f"work repeated: {result.cpu_s / whole.cpu_s - 1:.1%} of CPU, at most 5 %")


if __name__ == "__main__":
    main()

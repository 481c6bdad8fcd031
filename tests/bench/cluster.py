"""How much sooner do two machines do the tasks of an index than one? `python -m tests.bench.cluster CLONE… [--rounds 3]`

Two hosts of one core each are network namespaces of this machine, with caches of their own; the store is a folder that both see. Dask's scheduler and the
coordinator run on the first. Measured is the wall time of the tasks alone: extraction from nothing, and resolution of the snapshot; what the coordinator writes
between and after them is on one machine in any case. Rounds with one host and with two take turns, and the best of each counts, since others may use the
machine too. Beside the wall time stand the seconds of a core that the tasks have taken on each host, on average, which an idle machine cannot go below. Only for root.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from codeagent_protocol.endpoint import endpoint_of
from codeagentd.base.limits import EXTRACT_DEADLINE_S
from codeagentd.boot.settings import load
from codeagentd.cluster.coordinator import Coordinator, Later
from codeagentd.cluster.dask_engine import DaskEngine
from codeagentd.cluster.engines import ClusterRun
from codeagentd.cluster.file_listing import FileChoice, listed
from codeagentd.cluster.link_shard import units_of
from codeagentd.cluster.link_snapshot import files_to_link
from codeagentd.share.opening import open_store
from codeagentd.store.connection import Database
from tests.harness.namespaces import dask_on, two_hosts, why_impossible
from tests.harness.world import isolated

TARGET = 1.7
WALL = ("extract", "resolve")
PHASES = (*WALL, "extract_cpu", "resolve_cpu")


def busy(pids: list[int]) -> list[float]:
    """The seconds of a core that these processes and those below them have taken."""
    result = []
    for pid in pids:
        process = psutil.Process(pid)
        times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
        result.append(sum(sum(each[:4]) for each in times))  # with those of children that have ended
    return result


def tasks(root: Path, scheduler: str, store_url: str, pids: list[int]) -> dict[str, float]:
    """The seconds of the tasks of one index, by phase: of the clock, and of each host's core."""
    endpoint, store = endpoint_of(str(root)), open_store(store_url)
    settings = load(str(root), os.environ).settings
    choice = FileChoice(settings.ignore, settings.languages, settings.limits.max_file_bytes)
    listing = listed(root, choice)
    engine = DaskEngine(scheduler)
    run = ClusterRun(engine, store_url, str(root), EXTRACT_DEADLINE_S)
    began, used = time.monotonic(), busy(pids)
    portions = [portion for arrived in run.extract(root, choice, listing) for portion in arrived]
    extract_s, extract_cpu = time.monotonic() - began, spent(busy(pids), used)
    merged = Coordinator(endpoint, settings, store, 2).merge([portions], Later())
    index = Database(endpoint.index / "index.db")
    units = units_of(files_to_link(index))
    index.close()
    began, used = time.monotonic(), busy(pids)
    places = list(run.link(merged.snapshot, units))
    link_s, link_cpu = time.monotonic() - began, spent(busy(pids), used)
    engine.close(run.snapshot)
    assert len(places) == len(units)
    return {
        "extract": extract_s, "resolve": link_s, "extract_cpu": extract_cpu, "resolve_cpu": link_cpu,
        "bytes": run.extracted.source_bytes,
    }  # fmt: skip


def spent(after: list[float], before: list[float]) -> float:
    """The difference of each, on average: the faster host takes more tasks where others use the machine too."""
    return (sum(after) - sum(before)) / len(after)


def measured(clone: Path, hosts: int) -> dict[str, float]:
    """The seconds of the tasks with so many hosts, by phase."""
    with tempfile.TemporaryDirectory(prefix="ca-bench-") as folder, two_hosts() as both:
        place = Path(folder)
        environment = isolated(os.environ, folder) | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        with dask_on(both[0], both[:hosts], place / "dask", environment) as (scheduler, running):
            argv = [sys.executable, "-m", "tests.bench.cluster", "--tasks", scheduler]
            argv += ["--store", f"file://{place / 'store'}", "--pids", ",".join(str(one.pid) for one in running[1:])]
            command = ["ip", "netns", "exec", both[0].name, *argv, str(clone)]
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
            result: dict[str, float] = json.loads(done.stdout)
            return result


def compared(clone: Path, rounds: int) -> dict[str, Any]:
    """The best seconds of the tasks with one host and with two."""
    seconds: dict[int, list[dict[str, float]]] = {1: [], 2: []}
    for _ in range(rounds):
        for hosts, results in seconds.items():
            results.append(measured(clone, hosts))
            print(f"  {hosts} host{'s' * (hosts > 1)}: {shown(results[-1])}", file=sys.stderr, flush=True)
    best = {
        hosts: {phase: min(result[phase] for result in results) for phase in PHASES}
        for hosts, results in seconds.items()
    }
    return {"clone": clone.name, "MB": seconds[1][0]["bytes"] / 1e6, "one": best[1], "two": best[2]}


def shown(result: dict[str, float]) -> str:
    """A row for people."""
    return (
        f"extract {result['extract']:.2f} s ({result['extract_cpu']:.2f} of a core), "
        f"resolve {result['resolve']:.2f} s ({result['resolve_cpu']:.2f})"
    )


def main() -> int:
    """Measure the clones, and print a row for each. The exit code is 1 where a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cluster", description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--rounds", type=int, default=3, help="of each number of hosts (default 3)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--tasks", metavar="SCHEDULER", help=argparse.SUPPRESS)  # in the namespace
    parser.add_argument("--store", help=argparse.SUPPRESS)
    parser.add_argument("--pids", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.tasks:
        print(
            json.dumps(
                tasks(chosen.clones[0].resolve(), chosen.tasks, chosen.store, [*map(int, chosen.pids.split(","))])
            )
        )
        return 0
    if why := why_impossible():
        print(f"cannot measure: {why}", file=sys.stderr)
        return 2
    missed = False
    for clone in chosen.clones:
        row = compared(clone.resolve(), chosen.rounds)
        wall, cpu = (
            sum(row["one"][phase] for phase in phases) / sum(row["two"][phase] for phase in phases)
            for phases in (WALL, PHASES[len(WALL) :])
        )
        missed |= wall < TARGET
        if chosen.json:
            print(json.dumps(row | {"ratio": wall, "ratio_cpu": cpu}), flush=True)
        else:
            print(f"{row['clone']}, {row['MB']:.1f} MB: one host {shown(row['one'])}; two {shown(row['two'])}")
            print(f"  {wall:.2f} x by the clock, {cpu:.2f} x by cores (target {TARGET})", flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())

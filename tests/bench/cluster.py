"""How much sooner do two machines do the tasks of an index than one? `python -m tests.bench.cluster CLONE… [--rounds 3] [--nice -10]`

Two hosts of one core each are network namespaces of this machine, with caches of their own; the store is a folder that both see. Dask's scheduler and the
coordinator run on the first. Measured is the wall time of the tasks alone: extraction from nothing, and resolution of the snapshot; what the coordinator writes
between and after them is on one machine in any case. Rounds with one host and with two take turns, and the best of each counts, since others may use the
machine too; `--nice` gives the tasks that priority. Only for root.
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

from codeagent_protocol.endpoint import endpoint_of
from codeagentd.base.limits import EXTRACT_DEADLINE_S
from codeagentd.boot.settings import load
from codeagentd.cluster.coordinator import Coordinator, Later
from codeagentd.cluster.dask_engine import DaskEngine
from codeagentd.cluster.engines import ClusterRun
from codeagentd.cluster.file_listing import FileChoice, listed
from codeagentd.cluster.link_shard import units_of
from codeagentd.cluster.link_snapshot import files_to_link
from codeagentd.cluster.portions import portions_of
from codeagentd.share.opening import open_store
from codeagentd.store.connection import Database
from tests.harness.namespaces import dask_on, two_hosts, why_impossible
from tests.harness.world import isolated

TARGET = 1.7


def tasks(root: Path, scheduler: str, store_url: str) -> dict[str, float]:
    """The seconds of the tasks of one index, by phase."""
    endpoint, store = endpoint_of(str(root)), open_store(store_url)
    settings = load(str(root), os.environ).settings
    choice = FileChoice(settings.ignore, settings.languages, settings.limits.max_file_bytes)
    listing = listed(root, choice)
    portions = portions_of(listing.files)
    engine = DaskEngine(scheduler)
    run = ClusterRun(engine, store, store_url, str(root), EXTRACT_DEADLINE_S, lambda progress: None)
    began = time.monotonic()
    report = run.extract(root, choice, listing, portions)
    extract_s = time.monotonic() - began
    merged = Coordinator(endpoint, settings, store, 2).merge(portions, Later())
    index = Database(endpoint.index / "index.db")
    units = units_of(files_to_link(index))
    index.close()
    began = time.monotonic()
    places = list(run.link(merged.snapshot, units))
    link_s = time.monotonic() - began
    engine.close()
    assert len(places) == len(units)
    return {"extract": extract_s, "resolve": link_s, "bytes": report.source_bytes}


def measured(clone: Path, hosts: int, nice: int) -> dict[str, float]:
    """The seconds of the tasks with so many hosts, by phase."""
    with tempfile.TemporaryDirectory(prefix="ca-bench-") as folder, two_hosts() as both:
        place = Path(folder)
        environment = isolated(os.environ, folder) | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        wrapper = ["nice", "-n", str(nice)] if nice else []
        with dask_on(both[0], both[:hosts], place / "dask", environment, wrapper) as (scheduler, _):
            argv = [
                sys.executable,
                "-m",
                "tests.bench.cluster",
                "--tasks",
                scheduler,
                "--store",
                f"file://{place / 'store'}",
            ]
            command = ["ip", "netns", "exec", both[0].name, *wrapper, *argv, str(clone)]
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
            result: dict[str, float] = json.loads(done.stdout)
            return result


def compared(clone: Path, rounds: int, nice: int) -> dict[str, Any]:
    """The best seconds of the tasks with one host and with two."""
    seconds: dict[int, list[dict[str, float]]] = {1: [], 2: []}
    for _ in range(rounds):
        for hosts, results in seconds.items():
            results.append(measured(clone, hosts, nice))
            print(f"  {hosts} host{'s' * (hosts > 1)}: {shown(results[-1])}", file=sys.stderr, flush=True)
    best = {
        hosts: {phase: min(result[phase] for result in results) for phase in ("extract", "resolve")}
        for hosts, results in seconds.items()
    }
    return {"clone": clone.name, "MB": seconds[1][0]["bytes"] / 1e6, "one": best[1], "two": best[2]}


def shown(result: dict[str, float]) -> str:
    """A row for people."""
    return f"extract {result['extract']:.2f} s, resolve {result['resolve']:.2f} s"


def main() -> int:
    """Measure the clones, and print a row for each. The exit code is 1 where a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cluster", description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--rounds", type=int, default=3, help="of each number of hosts (default 3)")
    parser.add_argument("--nice", type=int, default=0, help="priority of scheduler, workers and coordinator")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--tasks", metavar="SCHEDULER", help=argparse.SUPPRESS)  # in the namespace
    parser.add_argument("--store", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.tasks:
        print(json.dumps(tasks(chosen.clones[0].resolve(), chosen.tasks, chosen.store)))
        return 0
    if why := why_impossible():
        print(f"cannot measure: {why}", file=sys.stderr)
        return 2
    missed = False
    for clone in chosen.clones:
        row = compared(clone.resolve(), chosen.rounds, chosen.nice)
        ratio = sum(row["one"].values()) / sum(row["two"].values())
        missed |= ratio < TARGET
        if chosen.json:
            print(json.dumps(row | {"ratio": ratio}))
        else:
            print(
                f"{row['clone']}, {row['MB']:.1f} MB: one host {shown(row['one'])}; two {shown(row['two'])}: {ratio:.2f} x (target {TARGET})"
            )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())

"""`make bench`: measures every figure that the product promises and prints it beside its target. Misses are shown, not failed."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench import (
    cost,
    editors,
    graphs,
    hostile_sizes,
    idle,
    installation,
    kills,
    memories,
    recall,
    searching,
    served,
    serving,
    sharing,
    upgrades,
    windows,
    worktrees,
)
from tests.bench.corpora import CorpusMissing
from tests.bench.figures import HEADING, Figure
from tests.bench.records import recorded

PARTS: dict[str, Callable[[int], Iterator[Figure]]] = {
    "index": cost.index,
    "latency": serving.latency,
    "graph": graphs.graph,
    "freshness": serving.freshness,
    "shims": windows.shims,
    "crowd": windows.crowd,
    "editors": editors.editors,
    "idle": idle.idle,
    "installation": installation.installation,
    "kills": kills.kills,
    "memory": memories.memory,
    "memory-kills": memories.memory_kills,
    "recall": recall.recall,
    "search": searching.searching,
    "scale": cost.scale,
    "share": sharing.sharing,
    "sizes": hostile_sizes.hostile_sizes,
    "served": served.served,
    "worktrees": worktrees.worktrees,
    "upgrades": upgrades.upgrades,
}


def parser() -> argparse.ArgumentParser:
    """The options of the bench."""
    made = argparse.ArgumentParser(
        prog="make bench", description=__doc__, epilog="example: make bench BENCH='--only index,latency --json'"
    )
    made.add_argument("--only", default=",".join(PARTS), help=f"comma list of {', '.join(PARTS)}")
    made.add_argument("--rounds", type=int, default=3, help="cold indexes to take the median of (default 3)")
    made.add_argument("--json", action="store_true", help="print JSON when everything is measured")
    made.add_argument(
        "--record", type=Path, help="write the figures with version, commit, day and machine to this file"
    )
    return made


def measured(part: str, rounds: int, show: Callable[[str], None]) -> list[Figure]:
    """Every figure of one part, shown as it comes."""
    figures = []
    started = time.perf_counter()
    try:
        for figure in PARTS[part](rounds):
            figures.append(figure)
            show(figure.line())
    except CorpusMissing as error:
        show(f"skip  {part}: {error}")
    show(f"      {part} took {time.perf_counter() - started:.0f} s\n")
    return figures


def main() -> int:
    """Measure the chosen parts; 0 when all of them could be measured."""
    options = parser().parse_args()
    parts = [part.strip() for part in options.only.split(",")]
    if unknown := [part for part in parts if part not in PARTS]:
        print(f"error: there is no part {unknown[0]!r} (parts: {', '.join(PARTS)})", file=sys.stderr)
        return 2

    def show(line: str) -> None:
        print(line, file=sys.stderr if options.json else sys.stdout, flush=True)

    show(f"{platform.system()} {platform.machine()}, Python {platform.python_version()}\n\n{HEADING}")
    figures = [figure for part in parts for figure in measured(part, options.rounds, show)]
    if options.json:
        print(json.dumps([figure.as_json() for figure in figures], indent=1))
    if options.record:
        options.record.write_text(recorded([figure.as_json() for figure in figures]).as_line())
    missed = [figure.name for figure in figures if figure.verdict == "MISS"]
    show(
        f"{sum(figure.verdict == 'PASS' for figure in figures)} reached, {len(missed)} missed{': ' + ', '.join(missed) if missed else ''}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

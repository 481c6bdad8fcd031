"""The history of the bench: `python -m tests.bench.history RECORD FOLDER` appends a run, and compares it with the last.

RECORD is what `make bench BENCH='--record FILE'` wrote. FOLDER gets `history.jsonl`, one run a line, and `README.md`: the
last runs in a table, with the change since the run before. The table is printed as well. The exit code is 1 when a figure
that had reached its target misses it now. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tests.bench.records import Record

COLUMNS = 6  # runs in the table, the newest first
NOTABLE = 0.1  # change of a figure that is pointed out: machines of others differ by less from run to run

Row = dict[str, Any]


def main() -> int:
    """Append the run of the command line, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.history", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("record", type=Path, help="the run")
    parser.add_argument("folder", type=Path, help="the history")
    options = parser.parse_args()
    path = options.folder / "history.jsonl"
    earlier = [Record.read(line) for line in path.read_text().splitlines()] if path.exists() else []
    now = Record.read(options.record.read_text())
    lost = lost_targets(earlier, now)
    page = "\n".join(["# Benchmarks", "", *table([*earlier, now]), "", *told(lost)])
    with path.open("a") as file:
        file.write(now.as_line() + "\n")
    (options.folder / "README.md").write_text(page)
    print(page)
    return int(bool(lost))


def rows(run: Record) -> dict[str, Row]:
    """The figures of a run by their names."""
    return {f"{row['part']}: {row['name']}": row for row in run.figures}


def lost_targets(earlier: list[Record], now: Record) -> list[str]:
    """The figures that reached their target when they were last measured, and miss it now."""
    last: dict[str, Row] = {}
    for run in earlier:
        last |= rows(run)
    return [
        name
        for name, row in rows(now).items()
        if row["verdict"] == "MISS" and name in last and last[name]["verdict"] == "PASS"
    ]


def table(runs: list[Record]) -> list[str]:
    """The last runs as a Markdown table, the newest first, with the change since the one before."""
    shown = runs[-COLUMNS:][::-1]
    heads = [f"{run.date}<br>{run.version} {run.commit[:9]}<br>{run.machine}" for run in shown]
    lines = [f"| figure | target | {' | '.join(heads)} |", f"|---|---:{'|---:' * len(shown)}|"]
    by_run = [rows(run) for run in shown]
    for name in dict.fromkeys(name for found in by_run for name in found):
        row = next(found[name] for found in by_run if name in found)
        target = "" if row["target"] is None else f"{row['target']:g}"
        cells = [
            _cell(found.get(name), before.get(name)) for found, before in zip(by_run, [*by_run[1:], {}], strict=True)
        ]
        unit = f", {row['unit']}" if row["unit"] else ""
        lines.append(f"| {name}{unit} | {target} | {' | '.join(cells)} |")
    return lines


def _cell(row: Row | None, before: Row | None) -> str:
    if row is None:
        return ""
    value = f"{row['value']:.4g}{' **MISS**' * (row['verdict'] == 'MISS')}"
    if not before or not before["value"]:
        return value
    change = row["value"] / before["value"] - 1
    return value if abs(change) < NOTABLE else f"{value} ({change * 100:+.0f} %)"


def told(lost: list[str]) -> list[str]:
    """What is said of figures that have lost their targets."""
    return (
        ["Targets that were reached before, and are missed now:", "", *(f"- {name}" for name in lost)] if lost else []
    )


if __name__ == "__main__":
    sys.exit(main())

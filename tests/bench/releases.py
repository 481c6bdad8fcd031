"""`make figures`: measures the figures of this release, and writes them into docs/figures/VERSION.json, with commit, day and machine.

Measured are those of `make bench` (--bench: from a record that it wrote with --record), of `make faults` and of the day of
work (--faults: the report of `pytest --junitxml`), and those that this program counts itself. What needs repositories or
programs that nobody fetches is told: --set KEY=VALUE, with what its command printed. All others stay as they were measured
last, at the commit that their row names.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from codeagentd.cli.commands.schema import PACKAGE
from codeagentd.cli.commands.tools import totals
from codeagentd.toolkit.toolsets import DEFAULT, load
from tests.bench.records import ROOT, Record, recorded

CATALOGUE: Final = Path(__file__).with_suffix(".toml")
DATA: Final = ROOT / "docs" / "figures"
DAY: Final = re.compile(r"resident \S+ -> \S+ MB \(\+?(-?[\d.]+ %)\)")


@dataclass(frozen=True)
class Published:
    """A row of the page. `bench`: its part and name in a record of the bench."""

    group: str
    key: str
    name: str
    command: str
    bench: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measured:
    """A value as it is shown, and what it was measured on. `commit` is the one whose code was measured."""

    value: str
    commit: str
    date: str
    machine: str = ""


def catalogue() -> list[Published]:
    """Every row of the page, in its order."""
    groups = tomllib.loads(CATALOGUE.read_text())["group"]
    return [
        Published(group["title"], figure["key"], figure["name"], figure["command"], tuple(figure.get("bench", ())))
        for group in groups
        for figure in group["figure"]
    ]


def releases() -> dict[str, dict[str, Measured]]:
    """What each release measured, by key, the newest release first."""
    found = {path.stem: read(path) for path in DATA.glob("*.json")}
    return dict(sorted(found.items(), key=lambda item: [int(part) for part in item[0].split(".")], reverse=True))


def read(path: Path) -> dict[str, Measured]:
    """The values of one file of DATA."""
    return {key: Measured(**value) for key, value in json.loads(path.read_text()).items()}


def write(path: Path, values: dict[str, Measured]) -> None:
    """Write a file of DATA, in the order of the page."""
    ordered = {row.key: asdict(values[row.key]) for row in catalogue() if row.key in values}
    path.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n")


def of_bench(record: Record) -> Iterator[tuple[str, Measured]]:
    """The values of a record of the bench."""
    rows = {(row["part"], row["name"]): row for row in record.figures}
    for published in catalogue():
        if published.bench and (row := rows.get((published.bench[0], published.bench[1]))):
            value = f"{row['value']:.3g} {row['unit'].replace('x', 'times')}".strip()
            yield published.key, Measured(value, record.commit, record.date, record.machine)


def of_tests(report: Path) -> Iterator[tuple[str, str]]:
    """How many tests of tests/faults passed, and how much memory the day of work took, of a report of pytest."""
    cases = [
        case for case in ElementTree.parse(report).iter("testcase") if "tests.faults." in case.get("classname", "")
    ]
    ran = [case for case in cases if case.find("skipped") is None]
    passed = [case for case in ran if case.find("failure") is None and case.find("error") is None]
    if ran:
        yield "faults", f"{len(passed)} of {len(ran)}"
    for case in ran:
        if found := DAY.search(case.findtext("system-out", "")):
            yield "day", found[1]


def counted() -> Iterator[tuple[str, str]]:
    """What is counted here and now."""
    yield "tokens-listed", f"{totals(load(PACKAGE))[DEFAULT]['tokens']:,}"


def benched() -> Record:
    """Run the parts of the bench that the page shows."""
    parts = dict.fromkeys(row.bench[0] for row in catalogue() if row.bench)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [sys.executable, "-m", "tests.bench", "--only", ",".join(parts), "--record", file.name]
        subprocess.run(command, check=True, cwd=ROOT)
        return Record.read(Path(file.name).read_text())


def told(settings: list[str]) -> Iterator[tuple[str, str]]:
    """The values of --set. Errors: SystemExit."""
    keys = {row.key for row in catalogue()}
    for setting in settings:
        key, is_set, value = setting.partition("=")
        if not is_set or key not in keys:
            raise SystemExit(f"--set {setting}: it takes KEY=VALUE, and the keys are {', '.join(sorted(keys))}")
        yield key, value


def page() -> str:
    """The tables of docs/figures.md: one for each group, with a column for each release."""
    found = releases()
    lines = []
    for group in dict.fromkeys(row.group for row in catalogue()):
        lines += [f"## {group}", "", f"| figure | printed by | {' | '.join(found)} | measured on |"]
        lines += [f"|---|---|{'---:|' * len(found)}---|"]
        lines += [_row(row, list(found.values())) for row in catalogue() if row.group == group]
        lines.append("")
    return "\n".join(lines).strip()


def _row(row: Published, found: list[dict[str, Measured]]) -> str:
    values = [values[row.key].value if row.key in values else "" for values in found]
    on = next((values[row.key] for values in found if row.key in values), None)
    how = row.command if row.command.startswith("[") else f"`{row.command.replace('|', chr(92) + '|')}`"
    where = ", ".join(filter(None, (on.commit, on.date, on.machine))) if on else ""
    return f"| {row.name} | {how} | {' | '.join(values)} | {where} |"


def parser() -> argparse.ArgumentParser:
    """The options of `make figures`."""
    made = argparse.ArgumentParser(
        prog="make figures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: make figures FIGURES='--bench record.json --set agents-right=24'",
    )  # fmt: skip
    made.add_argument("--bench", type=Path, help="a record of the bench, in place of a run")
    made.add_argument("--no-bench", action="store_true", help="leave the figures of the bench as they are")
    made.add_argument("--faults", type=Path, help="the report of `make faults FAULTS=--junitxml=FILE`")
    made.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a value that a command printed")
    made.add_argument("--list", action="store_true", help="list the keys with their commands, and measure nothing")
    return made


def main() -> int:
    """Measure, and write the file of this version."""
    options = parser().parse_args()
    if options.list:
        print("\n".join(f"{row.key:<20} {row.command}" for row in catalogue()))
        return 0
    here = recorded([])
    path = DATA / f"{here.version}.json"
    values = read(path) if path.exists() else next(iter(releases().values()), {})
    mine: dict[str, str] = dict(counted()) | dict(told(options.set))
    if options.faults:
        mine |= dict(of_tests(options.faults))
    new = {key: Measured(value, here.commit, here.date, here.machine) for key, value in mine.items()}
    if not options.no_bench:
        new |= dict(of_bench(Record.read(options.bench.read_text()) if options.bench else benched()))
    write(path, values | new)
    for key, value in new.items():
        before = values.get(key, replace(value, value="not measured"))
        print(
            f"{key:<20} {before.value} -> {value.value}" if before.value != value.value else f"{key:<20} {value.value}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

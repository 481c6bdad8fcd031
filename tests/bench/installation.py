"""What an installation weighs, and how long it takes: a wheel of this checkout in fresh environments, by pip, pipx, uv.

`python -m tests.bench.installation PYTHON…` writes the table of docs/dependencies.md, with the totals of each Python.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench.figures import Figure
from tests.harness import dependencies, installed_packages
from tests.harness.dependencies import PROJECT, ROOT
from tests.harness.documents import with_generated_blocks
from tests.harness.installed_packages import Package
from tests.harness.licences import licence_of
from tests.harness.processes import MEGABYTE

PAGE: Final = ROOT / "docs" / "dependencies.md"
OURS: Final = "codeagentd"
NOT_COUNTED: Final = {"pip", "setuptools", "wheel"}  # those of any environment
WARM_S: Final = 20.0
OWN_PURPOSE: Final = "this package; 7 MB are the embedding model"


class Cost(NamedTuple):
    """Seconds by the clock, and of processors."""

    wall_s: float
    cpu_s: float


def built(folder: Path) -> Path:
    """Return a wheel of this checkout."""
    _run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)])
    (wheel,) = folder.glob("codeagentd-*.whl")
    return wheel


def fresh(folder: Path, python: str, *wanted: str) -> tuple[Path, Cost]:
    """Return the Python of a new environment in `folder` with what pip installs of `wanted`, and what that cost."""
    _run([python, "-m", "venv", "--clear", str(folder)])
    inside = folder / "bin" / "python"
    return inside, _run([str(inside), "-m", "pip", "install", "--quiet", *wanted])


def packages_of(python: Path) -> dict[str, Package]:
    """Return the packages of an environment, without those that every one has."""
    command = [str(python), "-I", str(installed_packages.__file__)]
    listed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return {fields["name"]: Package(**fields) for fields in listed if fields["name"] not in NOT_COUNTED}


def installation(rounds: int) -> Iterator[Figure]:
    """Size and number of packages, the commands of others, and the time on an empty and on a filled cache."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = built(folder)
        os.environ |= {"PIP_CACHE_DIR": str(folder / "pip"), "UV_CACHE_DIR": str(folder / "uv")}
        python, cold = fresh(folder / "venv", sys.executable, str(wheel))
        packages = packages_of(python)
        yield Figure("installation", "installed", _megabytes(packages.values()), "MB", 420.0)
        yield Figure("installation", "packages", float(len(packages)), "")
        yield Figure(
            "installation", "commands of others", float(sum(map(len, foreign_commands(packages).values()))), ""
        )
        yield _time("pip, empty cache", cold)
        for tool, command in _installers(folder, str(wheel)).items():
            if tool != "pip":
                _run(command)  # fills its cache
            costs = [_run(command) for _ in range(rounds)]
            yield _time(f"{tool}, filled cache", min(costs), WARM_S)


def _installers(folder: Path, wheel: str) -> dict[str, list[str]]:
    """The command lines that install a wheel anew, by the installers that are here."""
    os.environ |= {
        "PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(folder / "pipx-bin"),
        "UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "uv-bin"),
    }  # fmt: skip
    inside = str(folder / "venv" / "bin" / "python")
    lines = {
        "pip": [inside, "-m", "pip", "install", "--quiet", "--force-reinstall", wheel],
        "pipx": ["pipx", "install", "--quiet", "--force", "--python", sys.executable, wheel],
        "uv": ["uv", "tool", "install", "--quiet", "--reinstall", "--python", sys.executable, wheel],
    }
    return {tool: line for tool, line in lines.items() if shutil.which(line[0])}


def _time(name: str, cost: Cost, target: float | None = None) -> Figure:
    return Figure("installation", name, cost.wall_s, "s", target, detail=f"{cost.cpu_s:.1f} s of processors")


def foreign_commands(packages: Mapping[str, Package]) -> dict[str, list[str]]:
    """Return the commands that other packages put on the path, by package."""
    return {name: found.commands for name, found in sorted(packages.items()) if found.commands and name != OURS}


def rows(packages: Mapping[str, Package]) -> str:
    """Return the table of an installation, the largest package first."""
    purposes = dependencies.purposes() | {OURS: OWN_PURPOSE}
    lines = ["| package | version | licence | MB | what for | needed by |", "|---|---|---|---|---|---|"]
    for found in sorted(packages.values(), key=lambda package: -package.size):
        needed = ", ".join(f"`{name}`" for name in dependencies.needed_by(found.name, packages, {*packages} - {OURS}))
        size = f"{found.size / MEGABYTE:.1f}"
        told = [f"`{found.name}`", found.version, licence_of(found), size, purposes[found.name], needed]
        lines.append(f"| {' | '.join(told)} |".replace("|  |", "| |"))
    return "\n".join(lines)


def commands_table(packages: Mapping[str, Package]) -> str:
    """Return the table of the commands of others."""
    lines = [
        f"| {', '.join(f'`{command}`' for command in commands)} | `{name}` |"
        for name, commands in foreign_commands(packages).items()
    ]
    return "\n".join(["| command | of |", "|---|---|", *lines])


def extras_table(packages: Mapping[str, Package]) -> str:
    """Return the table of what each extra adds, from an environment that has them all."""
    lines = ["| extra | MB | packages that it adds, with their licences |", "|---|---|---|"]
    base = dependencies.closure(packages)
    for extra in PROJECT["optional-dependencies"]:
        added = [packages[name] for name in sorted(dependencies.closure(packages, extra) - base)]
        listed = ", ".join(f"{package.name} ({licence_of(package)})" for package in added)
        lines.append(f"| `codeagentd[{extra}]` | {_megabytes(added):.0f} | {listed} |")
    return "\n".join(lines)


def write_page(pythons: Sequence[str]) -> None:
    """Install for each of `pythons` and write what was found; the table is that of the Python that runs this."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = built(folder)
        totals = []
        for python in pythons:
            inside, _ = fresh(folder / "venv", python, str(wheel))
            found = packages_of(inside)
            version = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout.strip()
            totals.append(f"{version}: {len(found)} packages, {_megabytes(found.values()):.0f} MB")
        python_here, _ = fresh(folder / "venv", sys.executable, str(wheel))
        packages = packages_of(python_here)
        _run(
            [
                str(python_here),
                "-m",
                "pip",
                "install",
                "--quiet",
                f"{wheel}[{','.join(PROJECT['optional-dependencies'])}]",
            ]
        )
        everything = packages_of(python_here)
    parts = {
        "installed": lambda: rows(packages), "installed-totals": lambda: "; ".join(totals) + ".",
        "installed-commands": lambda: commands_table(packages), "installed-extras": lambda: extras_table(everything),
    }  # fmt: skip
    PAGE.write_text(with_generated_blocks(PAGE.read_text(encoding="utf-8"), parts), encoding="utf-8")


def _megabytes(packages: Iterable[Package]) -> float:
    return sum(package.size for package in packages) / MEGABYTE


def _run(command: list[str]) -> Cost:
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(time.perf_counter() - started, used)


if __name__ == "__main__":
    write_page(sys.argv[1:] or [sys.executable])

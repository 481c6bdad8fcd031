"""What a cold index costs: CPU, wall, memory and disk, against a bare parse of the same files, and per megabyte on a larger repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench import corpora
from tests.bench.figures import Figure, median
from tests.harness.processes import MEGABYTE, Meter, Roster
from tests.harness.world import BIN, World


@dataclass(frozen=True)
class Cold:
    """One cold index."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    disk_mb: float
    files: int
    symbols: int


def bare_parse(name: str) -> dict[str, float]:
    """One bare parse in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.bare_parse", str(corpora.tree(name))]
    figures: dict[str, float] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return figures


def disk_mb(*folders: str) -> float:
    """Size of everything below the folders; a file of several names counts once."""
    found = (
        os.lstat(os.path.join(folder, name)) for top in folders for folder, _, names in os.walk(top) for name in names
    )
    return sum({(status.st_dev, status.st_ino): status.st_size for status in found}.values()) / MEGABYTE


def cold_index(name: str) -> Cold:
    """`codeagentd index --wait` on a repository without an index. CPU and memory are those of daemon and workers, not the command's own."""
    with World() as world:
        repo = corpora.repository(world, name)
        return measure(world, repo)


def begun(world: World, repo: Path) -> subprocess.Popen[bytes]:
    """Begin to index a repository, or go on with it."""
    argv = [str(BIN / "codeagentd"), "index", "--repo", str(repo), "--wait"]
    with world.errors.open("ab") as log:
        return subprocess.Popen(argv, env=world.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def measure(world: World, repo: Path, patience_s: float = 900) -> Cold:
    """Index a repository of a world while sampling its processes."""
    started = time.perf_counter()
    command = begun(world, repo)
    meter = Meter(Roster(world.environment["CODEAGENT_RUNTIME_DIR"]).present, lambda: {command.pid})
    meter.start()
    code = command.wait(patience_s)
    wall_s = time.perf_counter() - started
    assert code == 0, world.errors.read_text()[-500:]
    cpu_s = meter.finish(world.daemon(repo))
    fields = world.status(repo)
    assert fields["caught_up"], fields
    size = disk_mb(world.environment["CODEAGENT_CACHE_DIR"], world.environment["CODEAGENT_DATA_DIR"])
    return Cold(cpu_s, wall_s, meter.peak_rss / MEGABYTE, size, fields["indexed_files"], fields["indexed_symbols"])


def index(rounds: int) -> Iterator[Figure]:
    """Django, alternating with bare parses; medians for time, the worst round for memory and disk."""
    parses, colds = [], []
    for _ in range(rounds):
        parses.append(bare_parse("django"))
        colds.append(cold_index("django"))
    parse_cpu, parse_wall = median(row["cpu_s"] for row in parses), median(row["wall_s"] for row in parses)
    cpu, wall = median(row.cpu_s for row in colds), median(row.wall_s for row in colds)
    what = f"{colds[0].files} files, {colds[0].symbols} symbols"
    yield Figure(
        "index",
        "bare tree-sitter parse, CPU",
        parse_cpu,
        "s",
        detail=f"{parses[0]['files']} files, {parses[0]['bytes'] / MEGABYTE:.1f} MB",
    )
    yield Figure("index", "bare tree-sitter parse, wall", parse_wall, "s")
    yield Figure("index", "cold index, CPU of daemon and workers", cpu, "s", detail=what)
    yield Figure("index", "cold index, wall", wall, "s")
    yield Figure(
        "index",
        "cold index, CPU over bare parse",
        cpu / parse_cpu,
        "x",
        3.5,
        "11",
        f"{cpu:.2f} s / {parse_cpu:.2f} s, median of {rounds}",
    )
    yield Figure(
        "index",
        "cold index, wall over bare parse",
        wall / parse_wall,
        "x",
        2.5,
        "19",
        f"{wall:.2f} s / {parse_wall:.2f} s, median of {rounds}",
    )
    yield Figure("index", "peak memory of daemon and workers", max(row.peak_mb for row in colds), "MB", 400, "322")
    yield Figure("index", "index on disk", max(row.disk_mb for row in colds), "MB", 80, "125")


def scale(_rounds: int) -> Iterator[Figure]:
    """Cost per megabyte of source, Home Assistant over Django; a bare parse shows how much of it is the source's own density."""
    indexed, parsed = {}, {}
    for name in ("django", "home-assistant"):
        parse, cold, size = bare_parse(name), cold_index(name), corpora.source_bytes(corpora.tree(name)) / MEGABYTE
        indexed[name], parsed[name] = cold.cpu_s / size, parse["cpu_s"] / (parse["bytes"] / MEGABYTE)
        yield Figure(
            "scale",
            f"cold index of {name}, CPU per MB",
            indexed[name],
            "s/MB",
            detail=f"{cold.files} files, {size:.1f} MB, wall {cold.wall_s:.1f} s",
        )
        yield Figure(
            "scale", f"bare parse of {name}, CPU per MB", parsed[name], "s/MB", detail=f"{parse['files']} files"
        )
    yield Figure(
        "scale", "bare parse per MB, Home Assistant over Django", parsed["home-assistant"] / parsed["django"], "x"
    )
    yield Figure(
        "scale", "cost per MB, Home Assistant over Django", indexed["home-assistant"] / indexed["django"], "x", 1.2
    )

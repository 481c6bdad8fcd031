"""How fast the graph is asked, what the analysis of the whole of it costs while it runs in the background, and what an edit costs that needs none."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from codeagentd.model.identifier_words import split_words
from codeagentd.store.connection import Database, Row
from tests.bench import corpora
from tests.bench.figures import Figure, percentile
from tests.bench.idle import cost
from tests.bench.serving import CALLS, QUESTIONS, WARM_UP, symbols
from tests.harness.window import Window
from tests.harness.world import World

Json = dict[str, Any]
PAIRED: Final = random.Random(5)
EDITS: Final = 20  # of each sort

ASKED: Final[dict[str, Callable[[Json, Json], Json]]] = {
    "affected": lambda one, _: {"label": one["qualified_name"]},
    "query_graph": lambda one, _: {"question": f"how does {' '.join(split_words(one['name']))} work"},
    "shortest_path": lambda one, other: {"source": one["qualified_name"], "target": other["qualified_name"]},
}


def graph(_rounds: int) -> Iterator[Figure]:
    """The tools that walk the graph on 200 different symbols of Django, then one analysis, with questions asked meanwhile."""
    with World() as world:
        repo = corpora.repository(world, "django")
        world.index(repo)
        window = world.connect(repo, "--toolsets", "all")
        window.must("graph_stats")  # waits for the first analysis
        window.must("search_code", {"query": "text"})  # waits for the text
        found = symbols(window, repo, CALLS + WARM_UP)
        others = PAIRED.sample(found, len(found))
        for tool, arguments in ASKED.items():
            times = _times(window, tool, [arguments(*pair) for pair in zip(found, others, strict=True)])
            yield Figure("graph", f"{tool}, p50", percentile(times, 0.5), "ms", 25)
            yield Figure("graph", f"{tool}, p95", percentile(times, 0.95), "ms", 80, "", f"max {max(times):.0f} ms")
        yield from _edits(world, window, repo, [one for one in found if one["node_type"] == "function"])
        yield from _analysis(world, window, repo, found)


def _times(window: Window, tool: str, asked: Sequence[Json]) -> list[float]:
    """Milliseconds of each call after the first few; an answer that names candidates is an answer."""
    return [window.call(tool, arguments).seconds * 1000 for arguments in asked][WARM_UP:]


def _edits(world: World, window: Window, repo: Path, functions: Sequence[Json]) -> Iterator[Figure]:
    """What the daemon does for a saved file that calls what it called before, and for one that calls another function each time."""
    window.must("index_files", {"paths": [_saved(repo, 0, functions[0])]})
    daemon, index = world.daemon(repo), _index(world)
    same_ms, _ = _edited(window, daemon, index, [(repo, number, functions[0]) for number in range(1, EDITS + 1)])
    other_ms, rows = _edited(window, daemon, index, [(repo, 0, one) for one in functions[1 : EDITS + 1]])
    yield Figure(
        "graph",
        "edit that connects nothing otherwise, CPU of the daemon",
        same_ms,
        "ms",
        detail="with its text, mean of 20",
    )
    yield Figure(
        "graph",
        "edit that connects something else, CPU of the daemon",
        other_ms,
        "ms",
        detail="with its text, mean of 20",
    )
    yield Figure(
        "graph", "rows of the analysis that it writes", rows, "rows", 100, "", f"of {len(_rows(index))}; mean of 20"
    )


def _saved(repo: Path, number: int, called: Json) -> str:
    module, _, name = called["qualified_name"].rpartition(".")
    (repo / "late_edit.py").write_text(
        f"from {module} import {name}\n\n\ndef late_edit():\n    return {name}({number})\n"
    )
    return "late_edit.py"


def _edited(window: Window, daemon: int, index: Path, edits: Sequence[tuple[Path, int, Json]]) -> tuple[float, float]:
    """Milliseconds of CPU, and rows of nodes and communities that are others, for each edit."""
    before, rows, changed = cost(daemon)[0], _rows(index), 0
    for edit in edits:
        window.must("index_files", {"paths": [_saved(*edit)]})
        now = _rows(index)
        changed, rows = changed + len(now ^ rows), now
    window.must("search_code", {"query": "text"})  # waits for the text
    return (cost(daemon)[0] - before) * 1000 / len(edits), changed / 2 / len(edits)


def _rows(index: Path) -> set[Row]:
    with closing(Database(index)) as db:
        return {
            row
            for table in ("nodes", "communities")
            for row in db.connection.execute(f"SELECT '{table}', * FROM {table}")
        }


def _index(world: World) -> Path:
    return next(Path(world.environment["CODEAGENT_CACHE_DIR"]).glob("worktrees/*/index.db"))


def _analysis(world: World, window: Window, repo: Path, found: list[Json]) -> Iterator[Figure]:
    """CPU and memory of the analysis's process, and how much slower questions are while such processes run one after another."""
    index = _index(world)
    tool = "get_callers"
    asked = [QUESTIONS[tool](one) for one in found]
    alone = percentile(_times(window, tool, asked), 0.95)
    process = _started(index)
    beside: list[float] = []
    while process.poll() is None:
        beside += _times(window, tool, asked)
    cpu_s, peak_mb = _cost(index)
    yield Figure("graph", "analysis of the whole graph, CPU", cpu_s, "s", 10)
    yield Figure("graph", "analysis of the whole graph, peak memory", peak_mb, "MB", 250)
    yield Figure(
        "graph", f"{tool}, p95 while it runs", percentile(beside, 0.95), "ms", alone + 10, "", f"{alone:.1f} ms alone"
    )


def _started(index: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "codeagentd.pipeline.graph.analysis_process", str(index)],
        stdout=subprocess.DEVNULL,
    )


def _cost(index: Path) -> tuple[float, float]:
    """CPU seconds and peak megabytes of one analysis."""
    process = _started(index)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024

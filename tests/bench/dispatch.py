"""How long the graph tools take on the members that are overridden, called and mentioned most: `python -m
tests.bench.dispatch REPOSITORY` prints milliseconds of CPU time by tool, so that other load does not count.

The symbols: those with the most overriding members times calls, those whose name is used most on receivers of unknown
type, the types with the most subtypes, and others at random.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from codeagentd.base.paths import Jail
from codeagentd.model.ids import node_id
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.store.connection import Database
from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load

PATIENCE_S: Final = 1800.0
TARGET_MS: Final = 200.0

# the number of calls that may land in other members: overriding members at one step times what refers to the member
DISPATCHED: Final = """
SELECT s.uid, f.path FROM (
  SELECT r.target AS id, count(*) * (SELECT count(*) FROM refs c WHERE c.target = r.target AND c.kind = 1) AS calls
  FROM refs r WHERE r.kind = 13 AND r.target > 0 GROUP BY r.target
) g JOIN symbols s ON s.id = g.id JOIN files f ON f.id = s.file ORDER BY g.calls DESC LIMIT ?"""
OVERRIDDEN: Final = """
SELECT s.uid, f.path FROM (SELECT target AS id, count(*) AS members FROM refs WHERE kind = 13 AND target > 0 GROUP BY 1) g
JOIN symbols s ON s.id = g.id JOIN files f ON f.id = s.file ORDER BY g.members DESC LIMIT ?"""
OVERRIDING: Final = """
SELECT s.uid, f.path FROM (
  SELECT r.source AS id, (SELECT count(*) FROM refs c WHERE c.target = r.target AND c.kind = 1) AS calls
  FROM refs r WHERE r.kind = 13 AND r.target > 0
) g JOIN symbols s ON s.id = g.id JOIN files f ON f.id = s.file ORDER BY g.calls DESC, s.id LIMIT ?"""
MENTIONED: Final = """
SELECT s.uid, f.path FROM (SELECT key, count(*) AS places FROM refs WHERE target IS NULL AND kind = 1 GROUP BY key) g
JOIN symbols s ON s.key = g.key JOIN symbols p ON p.id = s.parent AND p.kind IN (4, 5, 6, 20, 21) JOIN files f ON f.id = s.file
GROUP BY g.key ORDER BY g.places DESC LIMIT ?"""
INHERITED: Final = """
SELECT s.uid, f.path FROM (SELECT target AS id, count(*) AS heirs FROM refs WHERE kind IN (7, 8) AND target > 0 GROUP BY 1) g
JOIN symbols s ON s.id = g.id JOIN files f ON f.id = s.file ORDER BY g.heirs DESC LIMIT ?"""
ANY: Final = (
    "SELECT s.uid, f.path FROM symbols s JOIN files f ON f.id = s.file WHERE s.id > 0 AND s.kind IN (4, 9, 10, 11)"
)

TOOLS: Final[dict[str, dict[str, Any]]] = {
    "get_callers": {"node_id": "ID"},
    "get_callers possible": {"node_id": "ID", "include": "possible"},
    "get_callees": {"node_id": "ID"},
    "get_references": {"node_id": "ID"},
    "get_dependents": {"node_id": "ID"},
    "get_implementations": {"node_id": "ID"},
    "find_callers": {"label": "ID"},
    "find_callees": {"label": "ID"},
    "get_neighbors": {"label": "ID"},
    "find_refs": {"symbol": "ID"},
    "describe_symbol": {"symbol": "ID"},
    "code.relation.callHierarchy": {"symbol_name": "NAME", "depth": 3},
    "affected": {"label": "ID"},
    "affected 16": {"label": "ID", "depth": 16},
    "impact_of": {"target": "ID"},
    "impact_of 5": {"target": "ID", "depth": 5},
    "predict_edit": {"symbol": "ID", "kind": "signature"},
    "shortest_path": {"source": "ID", "target": "OTHER"},
    "path_between": {"source": "ID", "target": "OTHER"},
    "affected_tests": {"files": ["PATH"]},
    "predict_impact": {"files": ["PATH"]},
}


def symbols(db: Database, each: int, seed: int, *, only_random: bool = False) -> list[tuple[str, str, str]]:
    """(id, qualified name, path) of the symbols, each once."""
    rows: list[Any] = []
    for question in () if only_random else (DISPATCHED, OVERRIDDEN, OVERRIDING, MENTIONED, INHERITED):
        rows += db.connection.execute(question, (each,)).fetchall()
    anyone: list[Any] = sorted(db.connection.execute(ANY).fetchall())
    rows += random.Random(seed).sample(anyone, min(each, len(anyone)))
    named: list[Any] = db.connection.execute("SELECT uid, qualified_name FROM symbols").fetchall()
    names = dict(named)
    return [(node_id(uid), names[uid], path) for uid, path in dict.fromkeys(rows)]


def calls(chosen: list[tuple[str, str, str]], arguments: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(name of the symbol, the arguments of the call), for each symbol."""
    for at, (id_, name, path) in enumerate(chosen):
        words = {"ID": id_, "NAME": name, "PATH": path, "OTHER": chosen[(at + 1) % len(chosen)][0]}
        yield name, {key: _filled(value, words) for key, value in arguments.items()}


def _filled(value: Any, words: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_filled(item, words) for item in value]
    return words.get(value, value) if isinstance(value, str) else value


def report(ctx: Context, chosen: list[tuple[str, str, str]]) -> bool:
    """Print a line for each tool. Returns: whether each has a 95th percentile below the target."""
    catalogue, is_quick = load("codeagentd.tools"), True
    print(f"{len(chosen)} symbols\n{'tool':30} {'p50':>7} {'p95':>7} {'max':>7}  the slowest")
    for tool, arguments in TOOLS.items():
        times: list[tuple[float, str]] = []
        for name, filled in calls(chosen, arguments):
            started = time.thread_time()
            run(catalogue[tool.partition(" ")[0]], ctx, filled)
            times.append(((time.thread_time() - started) * 1000, name))
        times.sort()
        p95 = times[max(0, round(len(times) * 0.95) - 1)][0]
        is_quick &= p95 < TARGET_MS
        middle = statistics.median(ms for ms, _ in times)
        print(f"{tool:30} {middle:7.1f} {p95:7.1f} {times[-1][0]:7.1f}  {times[-1][1]}", flush=True)
    return is_quick


def main() -> int:
    """Index a repository, and measure."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.dispatch", description=__doc__)
    options.add_argument("repository", type=Path)
    options.add_argument("--each", type=int, default=30, help="symbols of each sort (default 30)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--random", action="store_true", help="none but the symbols at random")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        engine = IndexingEngine(chosen.repository.resolve(), place / "index", place / "blobs", use_watcher=False)
        engine.start()
        try:
            assert engine.wait_caught_up(PATIENCE_S)
            assert engine.text_ready(PATIENCE_S)
            assert engine.analysed(PATIENCE_S)
            ctx = Context(engine.root, engine.readers, engine, Jail(engine.root), engine.ignored)
            with ctx.read() as db:
                those = symbols(db, chosen.each, chosen.seed, only_random=chosen.random)
            return 0 if report(ctx, those) else 1
        finally:
            engine.close(30)


if __name__ == "__main__":
    raise SystemExit(main())

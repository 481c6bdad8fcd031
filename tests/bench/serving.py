"""How fast a warm daemon answers through a shim, and how soon it knows what was saved."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.bench import corpora
from tests.bench.figures import Figure, percentile
from tests.harness.waiting import let_pass
from tests.harness.window import Window
from tests.harness.world import World

CALLS = 200
WARM_UP = 20
EDITS = 40
POLL_S = 0.005
GIVE_UP_S = 20.0
SMALLEST_FILE = 1500  # bytes; smaller ones hold no functions worth asking about
PEERS = {"lookup_symbol": "4.1 / 12", "search_symbols": "4.1 / 12", "get_callers": "1.8 / 6.0"}
Json = dict[str, Any]


def symbols(window: Window, repo: Path, wanted: int) -> list[Json]:
    """Functions, methods and classes from all over the tree, each with its file."""
    choice = random.Random(7)
    paths = [str(path.relative_to(repo)) for path in sorted(repo.rglob("*.py")) if path.stat().st_size > SMALLEST_FILE]
    choice.shuffle(paths)
    found: list[Json] = []
    for path in paths:
        answer = window.call("get_file_outline", {"path": path})
        outline = [item for item in answer.items if item["node_type"] in ("function", "method", "class")]
        found += [item | {"path": path} for item in choice.sample(outline, min(3, len(outline)))]
        if len(found) >= wanted:
            break
    return found[:wanted]


QUESTIONS: dict[str, Callable[[Json], Json]] = {
    "lookup_symbol": lambda symbol: {"qualified_name": symbol["qualified_name"]},
    "search_symbols": lambda symbol: {"query": symbol["name"]},
    "get_file_outline": lambda symbol: {"path": symbol["path"]},
    "get_callers": lambda symbol: {"node_id": symbol["node_id"]},
    "get_references": lambda symbol: {"node_id": symbol["node_id"]},
}


def latency(_rounds: int) -> Iterator[Figure]:
    """200 different symbols per tool; the time runs from the write to the whole answer line."""
    with World() as world:
        repo = corpora.repository(world, "django")
        world.index(repo)
        window = world.connect(repo, "--toolsets", "all")
        asked = symbols(window, repo, CALLS + WARM_UP)
        for tool, arguments in QUESTIONS.items():
            answers = [window.must(tool, arguments(symbol)) for symbol in asked][WARM_UP:]
            times = [answer.seconds * 1000 for answer in answers]
            filled = f"{sum(bool(answer.items) for answer in answers)}/{len(answers)} answers hold something"
            yield Figure("latency", f"{tool}, p50", percentile(times, 0.5), "ms", 2, PEERS.get(tool, ""), filled)
            yield Figure(
                "latency",
                f"{tool}, p95",
                percentile(times, 0.95),
                "ms",
                10,
                PEERS.get(tool, ""),
                f"max {max(times):.1f} ms",
            )


def save(path: Path, text: str, atomic: bool) -> None:
    """In place, or as editors do: temporary file, then rename."""
    if not atomic:
        path.write_text(text)
        return
    scratch = path.with_name(f".{path.name}.saving")
    scratch.write_text(text)
    os.replace(scratch, path)


def seen_after(window: Window, name: str) -> tuple[float, int]:
    """Seconds until search finds a name, and how many answers were behind without saying so."""
    started, silent = time.perf_counter(), 0
    while time.perf_counter() - started < GIVE_UP_S:
        answer = window.must("search_symbols", {"query": name})
        if any(item["name"] == name for item in answer.items):
            return time.perf_counter() - started, silent
        silent += bool(answer.watermark.get("caught_up")) and not answer.watermark.get("pending_files")
        let_pass(POLL_S, "a window asks now and then")
    return GIVE_UP_S, silent


def freshness(_rounds: int) -> Iterator[Figure]:
    """Append a function to files all over the tree, half of them saved atomically; ask at once, then every 5 ms."""
    with World() as world:
        repo = corpora.repository(world, "django")
        world.index(repo)
        window = world.connect(repo)
        paths = [path for path in sorted((repo / "django").rglob("*.py")) if path.stat().st_size > SMALLEST_FILE]
        times, silent = [], 0
        for number, path in enumerate(random.Random(11).sample(paths, EDITS)):
            name = f"freshly_saved_{number}_function"
            save(path, f"{path.read_text()}\n\ndef {name}():\n    return {number}\n", atomic=bool(number % 2))
            seconds, behind = seen_after(window, name)
            times.append(seconds * 1000)
            silent += behind
        yield Figure(
            "freshness",
            "save -> found, p95",
            percentile(times, 0.95),
            "ms",
            250,
            "3000",
            f"p50 {percentile(times, 0.5):.0f}, max {max(times):.0f} ms",
        )
        yield Figure("freshness", "answers behind without saying so", silent, "", 0, "", f"{EDITS} edits")

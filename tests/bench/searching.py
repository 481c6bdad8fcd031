"""How fast search answers with and without vectors and while they are made; how soon the included model has made them, and what making them by
a chosen model costs beside that model alone.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psutil

from codeagentd.base.paths import Jail
from codeagentd.model.identifier_words import split_words
from codeagentd.pipeline.embedding.passages import passages
from codeagentd.store.connection import Database
from tests.bench import corpora
from tests.bench.figures import Figure, percentile
from tests.bench.serving import symbols
from tests.harness.models import FOLDER
from tests.harness.waiting import eventually, let_pass
from tests.harness.window import Window
from tests.harness.world import World

QUESTIONS: Final = 100
SAMPLE: Final = 512  # passages that the bare model embeds
WATCHED_S: Final = 20.0  # seconds of embedding that are measured
GIVE_UP_S: Final = 1_800.0
BARE: Final = """
import json, sys, time
from codeagentd.embed.model import ModelChoice, load
model = load(ModelChoice("", sys.argv[1], "", False))
texts = sorted(json.load(sys.stdin), key=len)
started = time.process_time()
model.encode(texts)
print(len(texts) / (time.process_time() - started))
"""
Json = dict[str, Any]


def searching(_rounds: int) -> Iterator[Figure]:
    """search_code on Django, asked in the words of its own names."""
    with World() as world:
        repo = corpora.repository(world, "django")
        world.index(repo)
        window = world.connect(repo, "--toolsets", "all")
        asked = questions(window, repo)
        window.must("search_code", {"query": asked[0]})  # waits for the text
        yield from _latency("without vectors", window, asked)
    with World() as world:
        world.environment["CODEAGENT_EMBEDDING"] = "true"
        repo = corpora.repository(world, "django")
        world.index(repo)
        begun = time.monotonic()
        window = world.connect(repo, "--toolsets", "all")
        told = _wait(world, repo, _is_complete)
        yield Figure(
            "search", "all vectors, by the included model", time.monotonic() - begun, "s", 60, "", told["model"]
        )
        yield from _latency(f"among {told['count']:,} vectors", window, asked)
    if not FOLDER.is_dir():
        raise corpora.CorpusMissing(f"there is no model at {FOLDER}")
    with World() as world:
        world.environment |= {"CODEAGENT_EMBEDDING": "true", "CODEAGENT_MODEL_PATH": str(FOLDER)}
        repo = corpora.repository(world, "django")
        world.index(repo)
        yield from _with_vectors(world, repo, asked)


def questions(window: Window, repo: Path) -> list[str]:
    """Each the words of two names of one file."""
    found = symbols(window, repo, 2 * QUESTIONS)
    random.Random(3).shuffle(found)
    return [
        " ".join(split_words(f"{one['name']} {other['name']}")) or one["name"]
        for one, other in zip(found[::2], found[1::2], strict=False)
    ]


def _latency(how: str, window: Window, asked: list[str]) -> Iterator[Figure]:
    times = [window.must("search_code", {"query": question}).seconds * 1000 for question in asked]
    yield Figure("search", f"search_code {how}, p50", percentile(times, 0.5), "ms", 25, "", f"{len(times)} questions")
    yield Figure("search", f"search_code {how}, p95", percentile(times, 0.95), "ms", 60, "", f"max {max(times):.0f} ms")


def _with_vectors(world: World, repo: Path, asked: list[str]) -> Iterator[Figure]:
    window = world.connect(repo, "--toolsets", "all")
    _wait(world, repo, lambda told: told["count"] > 0)
    daemon = psutil.Process(world.status(repo)["pid"])
    (worker,) = [
        child for child in daemon.children() if "codeagentd.pipeline.embedding.embedding_process" in child.cmdline()
    ]
    bare = _bare(world, repo)
    begun, cpu = world.status(repo)["embeddings"]["count"], sum(worker.cpu_times()[:2])
    names = [symbol["qualified_name"] for symbol in symbols(window, repo, QUESTIONS)]
    times, lookups = _while_embedding(window, asked, names)
    made, spent = world.status(repo)["embeddings"]["count"] - begun, sum(worker.cpu_times()[:2]) - cpu
    yield Figure(
        "search", "search_code while embedding, p50", percentile(times, 0.5), "ms", 25, "", f"{len(times)} questions"
    )
    yield Figure(
        "search", "search_code while embedding, p95", percentile(times, 0.95), "ms", 60, "", f"max {max(times):.0f} ms"
    )
    yield Figure(
        "search",
        "lookup_symbol while embedding, p95",
        percentile(lookups, 0.95),
        "ms",
        10,
        "",
        f"p50 {percentile(lookups, 0.5):.1f} ms",
    )
    yield Figure(
        "search",
        "CPU per passage, over the bare model's",
        bare * spent / max(1, made),
        "x",
        1.25,
        "",
        f"{made / max(spent, 0.01):.0f}, bare {bare:.0f} a s",
    )
    resident = (daemon.memory_info().rss + worker.memory_info().rss) / 1e6
    yield Figure(
        "search",
        "daemon and model",
        resident,
        "MB",
        350,
        "",
        f"the model's process {worker.memory_info().rss / 1e6:.0f} MB",
    )
    told = _wait(world, repo, _is_complete)
    yield from _latency(f"among {told['count']:,} vectors of a chosen model", window, asked)


def _is_complete(told: Json) -> bool:
    return told["count"] > 0 and not told["pending"]


def _while_embedding(window: Window, asked: list[str], names: list[str]) -> tuple[list[float], list[float]]:
    times, lookups = [], []
    until = time.monotonic() + WATCHED_S
    for question, name in zip(asked * 20, names * 20, strict=False):
        if time.monotonic() > until:
            break
        times.append(window.must("search_code", {"query": question}).seconds * 1000)
        lookups.append(window.must("lookup_symbol", {"qualified_name": name}).seconds * 1000)
        let_pass(0.05, "a window asks now and then")
    return times, lookups


def _bare(world: World, repo: Path) -> float:
    """Passages a CPU second of the model by itself, on some of the same passages."""
    (index,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).rglob("index.db")
    database = Database(index)
    rows = database.all("vectors.due", (8 * SAMPLE,))
    texts = [
        one.text for one in passages(database, Jail(repo), "", random.Random(5).sample(rows, min(SAMPLE, len(rows))))
    ]
    done = subprocess.run(
        [sys.executable, "-c", BARE, str(FOLDER)], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def _wait(world: World, repo: Path, holds: Any) -> Json:
    def embeddings() -> Json:
        return dict(world.status(repo)["embeddings"])

    def wanted() -> Json:
        fields = embeddings()
        return fields if holds(fields) else {}

    return eventually(wanted, GIVE_UP_S, explain=lambda: f"embedding does not end: {embeddings()}")

"""Memories: how fast they are found among 50,000 and kept, and whether killed daemons lose any."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import apsw
import msgspec

from codeagentd.memory.candidates import Filters
from codeagentd.memory.import_export import Header, MemoryLine, imported
from codeagentd.memory.maintenance import fill
from codeagentd.memory.memory_search import search
from codeagentd.memory.memory_store import Caller, Code, MemoryStore, memory_store_at
from codeagentd.memory.write import draft, store
from codeagentd.model.memory import MemoryType
from codeagentd.store.postgres.postgres_database import PostgresDatabase
from codeagentd.toolkit.context import Context
from tests.bench.figures import Figure, percentile
from tests.harness.postgres import missing
from tests.harness.served import surroundings
from tests.harness.team import team_memories
from tests.harness.vectors import WordVectors
from tests.harness.waiting import let_pass
from tests.harness.window import NoAnswer, Window, WindowClosed
from tests.harness.world import World

MEMORIES = 50_000
QUESTIONS = 300
STORES = 200
REPOSITORIES = 3
WINDOWS = 20
ROUNDS = 10
PATIENCE_S = 45.0
TYPES: Final[tuple[MemoryType, ...]] = get_args(MemoryType)


class Budget(NamedTuple):
    """The most milliseconds that a search and a store may take; None: as long as they take."""

    search_p50: float | None
    search_p95: float | None
    store_p50: float | None
    store_p95: float | None


BUDGETS: Final = {"SQLite": Budget(20, 60, 15, None), "PostgreSQL": Budget(None, 40, None, 15)}


def vocabulary(choice: random.Random) -> list[str]:
    """Words of two to four syllables, the frequent ones first."""
    syllables = [a + b for a in "bcdfghklmnprstvw" for b in "aeiou"]
    return ["".join(choice.choices(syllables, k=choice.randint(2, 4))) for _ in range(8_000)]


def sentence(words: list[str], choice: random.Random, length: int) -> str:
    """Words as often as Zipf and Mandelbrot would have them, without function words: the most frequent one is in every fifth memory."""
    return " ".join(choice.choices(words, cum_weights=_weights(len(words)), k=length))


@cache
def _weights(count: int) -> list[float]:
    return list(itertools.accumulate(1 / (rank + 30) for rank in range(count)))


def filled(memory_store: MemoryStore, words: list[str], choice: random.Random, count: int) -> None:
    """Many memories of some 40 words, written as an import writes them."""

    def lines() -> Iterator[bytes]:
        yield msgspec.json.encode(Header())
        for number in range(count):
            line = MemoryLine(
                id=f"memory:bench{number}",
                type=choice.choice(TYPES),
                content=sentence(words, choice, 40),
                created_at=1.0,
                updated_at=1.0,
            )
            line.title, line.tags, line.project = sentence(words, choice, 5), [f"t{number % 20}"], f"p{number % 10}"
            yield msgspec.json.encode(line)

    imported(memory_store, lines())


def memory(_rounds: int) -> Iterator[Figure]:
    """Search among many, by words and with vectors, and storing."""
    choice = random.Random(11)
    words = vocabulary(choice)
    with (
        tempfile.TemporaryDirectory() as folder,
        surroundings(Path(folder), {"a.py": "def only():\n    return 1\n"}) as ctx,
    ):
        for kind, embedder in (("words", None), ("vectors", WordVectors())):
            for place, opened in databases(Path(folder) / kind, embedder):
                with opened as memory_store:
                    filled(memory_store, words, choice, MEMORIES)
                    if embedder:
                        fill(memory_store)
                    yield from timed(memory_store, ctx, words, choice, f"{MEMORIES // 1000}k, {kind}, {place}", place)


def databases(folder: Path, embedder: WordVectors | None) -> Iterator[tuple[str, AbstractContextManager[MemoryStore]]]:
    """An empty database of each kind that there is here."""
    yield "SQLite", local_memories(folder, embedder)
    if not missing():
        yield "PostgreSQL", team_memories("shop", embedder)


@contextlib.contextmanager
def local_memories(folder: Path, embedder: WordVectors | None) -> Iterator[MemoryStore]:
    """Memories in a file."""
    memory_store = memory_store_at(folder, "shop", embedder)
    yield memory_store
    memory_store.store.close()


def timed(
    memory_store: MemoryStore, ctx: Context, words: list[str], choice: random.Random, how: str, place: str = "SQLite"
) -> Iterator[Figure]:
    """The figures of one database."""
    code = ctx.code()
    filters = [Filters(), Filters(), Filters(project="p3"), Filters(type="decision", tags=["t2"])]
    asked = [
        _seconds(memory_store, code, sentence(words, choice, choice.randint(2, 6)), filters[number % 4])
        for number in range(QUESTIONS)
    ]
    most = BUDGETS[place]
    yield Figure("memory", f"search p50 ({how})", percentile(asked, 0.5) * 1000, "ms", most.search_p50)
    yield Figure("memory", f"search p95 ({how})", percentile(asked, 0.95) * 1000, "ms", most.search_p95)
    kept = []
    for number in range(STORES):
        text = sentence(words, choice, 40)
        started = time.perf_counter()
        store(
            memory_store,
            Caller(b"bench", number),
            code,
            "knowledge",
            draft(memory_store, code, "knowledge", "", text, {}, [], 1.0),
            "p1",
            "",
        )
        kept.append(time.perf_counter() - started)
    yield Figure("memory", f"store p50 ({how})", percentile(kept, 0.5) * 1000, "ms", most.store_p50)
    yield Figure("memory", f"store p95 ({how})", percentile(kept, 0.95) * 1000, "ms", most.store_p95)


def _seconds(memory_store: MemoryStore, code: Code, question: str, filters: Filters) -> float:
    started = time.perf_counter()
    search(memory_store, code, question, filters, 10, 2_000, include_graph=False)
    return time.perf_counter() - started


# daemons that are killed


class Storing(threading.Thread):
    """One window in a loop of stores, searches and new tasks."""

    def __init__(self, window: Window, number: int, stopping: threading.Event) -> None:
        super().__init__(daemon=True)
        self.window, self.number, self.stopping = window, number, stopping
        self.random = random.Random(number)
        self.memories: dict[str, str] = {}  # title -> id
        self.tasks: list[str] = []
        self.errors: list[str] = []
        self.broken = ""
        self.longest_s = 0.0

    def run(self) -> None:
        """Work until told to stop."""
        try:
            while not self.stopping.is_set():
                self.step(f"fact{self.number}x{len(self.memories)}")
                let_pass(self.random.random() * 0.05, "a window thinks")
        except (NoAnswer, WindowClosed, BrokenPipeError) as error:
            self.broken = f"window {self.number}: {error!r}"

    def step(self, title: str) -> None:
        """One call."""
        what = self.random.random()
        if what < 0.5:
            answer = self.ask(
                "store", {"type": "knowledge", "title": title, "content": f"{title} is kept", "project": "kills"}
            )
            if answer:
                self.memories[title] = answer["id"]
        elif what < 0.7:
            answer = self.ask("create_task", {"project": "KILL", "name": title})
            if answer:
                self.tasks.append(answer["task_id"])
        else:
            self.ask("search", {"query": title})

    def ask(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """One call and what came of it; {} for an error."""
        answer = self.window.call(tool, arguments, PATIENCE_S)
        self.longest_s = max(self.longest_s, answer.seconds)
        if answer.failed:
            self.errors.append(f"{tool}: {str(answer.message)[:200]}")
            return {}
        return answer.data


@dataclass
class Found:
    """What is in the database after the kills, against what was acknowledged."""

    acknowledged: int
    broken: list[str]
    errors: list[str]
    surplus: int
    lost: list[str]
    doubled: list[str]
    gaps: list[int]
    integrity: str
    longest_s: float


def end_some(world: World, repos: list[Path], choice: random.Random) -> None:
    """Let everybody work a moment, then kill each daemon at a moment of its own."""
    for repo in choice.sample(repos, len(repos)):
        let_pass(choice.uniform(0.2, 1.0), "everybody works for a moment")
        pid = world.status(repo).get("pid")
        if pid:
            os.kill(pid, signal.SIGKILL)
    let_pass(1.0, "windows work on")


@contextlib.contextmanager
def stored(world: World) -> Iterator[Any]:
    """A connection to what the daemons of a world have written, in their file or on their server."""
    if url := world.environment.get("CODEAGENT_MEMORY_URL"):
        store = PostgresDatabase(url)
        with store.read() as db:
            yield db.connection
        store.close()
        return
    place = Path(world.environment["CODEAGENT_DATA_DIR"]) / "memory.db"
    with apsw.Connection(str(place), flags=apsw.SQLITE_OPEN_READONLY) as connection:
        yield connection


def checked(world: World, repo: Path, workers: list[Storing]) -> Found:
    """Compare; the database is read as it is on the disk."""
    for worker in workers:
        worker.window.drain(0.2)
    world.connect(repo, "--toolsets", "memory").must("stats")
    with stored(world) as connection:
        titles = Counter(
            title for (title,) in connection.execute("SELECT title FROM memories WHERE deleted_at IS NULL")
        )
        ids = {memory for (memory,) in connection.execute("SELECT id FROM memories")}
        numbers = sorted(int(task.rpartition("-")[2]) for (task,) in connection.execute("SELECT id FROM tasks"))
        integrity = str(connection.pragma("integrity_check")) if isinstance(connection, apsw.Connection) else "ok"
    kept = {title: memory for worker in workers for title, memory in worker.memories.items()}
    made = [int(task.rpartition("-")[2]) for worker in workers for task in worker.tasks]
    return Found(
        acknowledged=len(kept) + len(made),
        broken=[worker.broken for worker in workers if worker.broken],
        errors=[error for worker in workers for error in worker.errors],
        surplus=sum(worker.window.surplus for worker in workers),
        lost=[title for title, memory in kept.items() if memory not in ids]
        + [f"task {number}" for number in set(made) - set(numbers)],
        doubled=[title for title, count in titles.items() if count > 1]
        + [f"task {number}" for number, count in Counter(made).items() if count > 1],
        gaps=sorted(set(range(1, len(numbers) + 1)) ^ set(numbers)),
        integrity=integrity,
        longest_s=max(worker.longest_s for worker in workers),
    )


def after_kills(world: World, windows: int, rounds: int, choice: random.Random) -> Found:
    """Let windows of several repositories work while their daemons are killed round after round; what came of it."""
    repos = [
        world.repository(f"repo{number}", {"a.py": f"def only{number}():\n    return 1\n"})
        for number in range(REPOSITORIES)
    ]
    stopping = threading.Event()
    workers = [
        Storing(world.connect(repos[number % REPOSITORIES], "--toolsets", "memory,tasks"), number, stopping)
        for number in range(windows)
    ]
    for worker in workers:
        worker.start()
    try:
        for _ in range(rounds):
            end_some(world, repos, choice)
    finally:
        stopping.set()
        for worker in workers:
            worker.join()
    return checked(world, repos[0], workers)


def memory_kills(_rounds: int) -> Iterator[Figure]:
    """Three daemons, twenty windows, ten rounds."""
    with World() as world:
        found = after_kills(world, WINDOWS, ROUNDS, random.Random(5))
    how = f"{found.acknowledged} acknowledged, {ROUNDS * REPOSITORIES} kills"
    yield Figure("memory-kills", "memories and tasks lost", len(found.lost), "", 0, "", how)
    yield Figure("memory-kills", "memories and tasks doubled", len(found.doubled), "", 0)
    yield Figure("memory-kills", "task ids left out", len(found.gaps), "", 0)
    yield Figure(
        "memory-kills", "calls answered with an error", len(found.errors), "", 0, "", "; ".join(found.errors[:1])[:160]
    )
    yield Figure(
        "memory-kills",
        "windows without exactly one answer each",
        len(found.broken) + found.surplus,
        "",
        0,
        "",
        "; ".join(found.broken)[:120],
    )
    yield Figure("memory-kills", "integrity_check is not ok", int(found.integrity != "ok"), "", 0)
    yield Figure("memory-kills", "longest answer", found.longest_s, "s", 10)

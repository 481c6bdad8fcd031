"""Five times kill -9 under ten busy windows: every request is answered once, no write is lost or doubled, the index equals a fresh one."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure
from tests.harness.processes import alive
from tests.harness.waiting import eventually, let_pass
from tests.harness.window import NoAnswer, Window, WindowClosed
from tests.harness.world import World

WINDOWS = 10
KILLS = 5
MODULES = 120
PATIENCE_S = 45.0
LONGEST_S = 10.0
OUTLINE_KEYS = ("qualified_name", "node_type", "line_start", "line_end")


def module_text(number: int, extra: str = "") -> str:
    """A module whose functions call one another and the next module's."""
    other = (number + 1) % MODULES
    steps = "".join(
        f"\n\ndef step{number}x{at}(value):\n    return step{number}x{at - 1}(value)\n" for at in range(1, 10)
    )
    return f"from pkg.mod{other} import step{other}x0\n\n\ndef step{number}x0(value):\n    return value\n{steps}{extra}"


class Busy(threading.Thread):
    """One window in a loop of reads and writes. A write saves a file of its own with a new function and has it indexed."""

    def __init__(self, window: Window, repo: Path, number: int, stopping: threading.Event) -> None:
        super().__init__(daemon=True)
        self.window, self.repo, self.number, self.stopping = window, repo, number, stopping
        self.random = random.Random(number)
        self.seconds: list[float] = []
        self.written: dict[str, str] = {}
        self.errors: list[str] = []
        self.broken = ""

    def run(self) -> None:
        """Work until told to stop."""
        try:
            while not self.stopping.is_set():
                self.write() if self.random.random() < 0.3 else self.read()
                let_pass(self.random.random() * 0.05, "a window thinks")
        except (NoAnswer, WindowClosed, BrokenPipeError) as error:
            self.broken = f"window {self.number}: {error!r}"

    def ask(self, tool: str, arguments: dict[str, Any]) -> bool:
        """One request; whether it succeeded."""
        answer = self.window.call(tool, arguments, PATIENCE_S)
        self.seconds.append(answer.seconds)
        if answer.failed:
            self.errors.append(f"{tool}: {str(answer.message)[:200]}")
        return not answer.failed

    def read(self) -> None:
        """A search or an outline of some module."""
        module = self.random.randrange(MODULES)
        question = self.random.choice(
            [("search_symbols", {"query": f"step{module}x3"}), ("get_file_outline", {"path": f"pkg/mod{module}.py"})]
        )
        self.ask(*question)

    def write(self) -> None:
        """A new file, indexed on demand."""
        name = f"kept_{self.number}_{len(self.seconds)}"
        path = f"written/file_{self.number}_{len(self.seconds)}.py"
        (self.repo / path).write_text(f"def {name}():\n    return 1\n")
        if self.ask("index_files", {"paths": [path]}):
            self.written[name] = path


def kill_once(world: World, repo: Path, last: int, choice: random.Random) -> int:
    """Wait for a daemon other than the last one, let it work a moment, kill it."""

    def new_daemon() -> int:
        pid = int(world.status(repo).get("pid") or 0)
        return pid if pid != last and alive(pid) else 0

    pid = eventually(new_daemon, explain=lambda: f"no new daemon after killing {last}")
    let_pass(choice.uniform(0.1, 2.5), "it works for a moment")
    os.kill(pid, signal.SIGKILL)
    return pid


def outlines(window: Window, repo: Path) -> set[tuple[Any, ...]]:
    """Everything that the outlines of all files say."""
    paths = sorted(str(path.relative_to(repo)) for path in repo.rglob("*.py"))
    return {
        (path, *(item.get(key) for key in OUTLINE_KEYS))
        for path in paths
        for item in window.must("get_file_outline", {"path": path}).items
    }


def copies(window: Window, name: str) -> int:
    """How many symbols of this name the index holds."""
    return sum(
        item["name"] == name and item["node_type"] == "function"
        for item in window.must("search_symbols", {"query": name}).items
    )


def settle(world: World, repo: Path) -> None:
    """Wait until the daemon has caught up."""

    def has_caught_up() -> bool:
        fields = world.status(repo)
        return bool(fields.get("caught_up") and not fields.get("pending_files"))

    eventually(has_caught_up, 120, explain=lambda: world.status(repo))


def kills(_rounds: int) -> Iterator[Figure]:
    """The whole story on a generated repository, from a cold index on."""
    with World() as world:
        repo = world.repository(
            "busy",
            {f"pkg/mod{number}.py": module_text(number) for number in range(MODULES)} | {"written/__init__.py": ""},
        )
        stopping, choice, pid = threading.Event(), random.Random(3), 0
        workers = [Busy(world.connect(repo, "--toolsets", "all"), repo, number, stopping) for number in range(WINDOWS)]
        for worker in workers:
            worker.start()
        try:
            for _ in range(KILLS):
                pid = kill_once(world, repo, pid, choice)
            let_pass(3, "windows work on after the last kill")
        finally:
            stopping.set()
            for worker in workers:
                worker.join()
        yield from verdicts(world, repo, workers)


def verdicts(world: World, repo: Path, workers: list[Busy]) -> Iterator[Figure]:
    """What came of it."""
    for worker in workers:
        worker.window.drain(0.2)
    seconds = [value for worker in workers for value in worker.seconds]
    broken = [worker.broken for worker in workers if worker.broken]
    errors = [error for worker in workers for error in worker.errors]
    yield Figure(
        "kills",
        "requests without exactly one answer",
        len(broken) + sum(worker.window.surplus for worker in workers),
        "",
        0,
        "",
        "; ".join(broken)[:120],
    )
    yield Figure("kills", "requests answered with an error", len(errors), "", 0, "", "; ".join(errors[:1])[:160])
    yield Figure("kills", "longest answer", max(seconds), "s", LONGEST_S, "", f"{len(seconds)} requests, {KILLS} kills")
    settle(world, repo)
    window = world.connect(repo, "--toolsets", "all")
    counts = {name: copies(window, name) for worker in workers for name in worker.written}
    yield Figure(
        "kills",
        "writes lost",
        sum(number == 0 for number in counts.values()),
        "",
        0,
        "",
        f"{len(counts)} writes acknowledged",
    )
    yield Figure("kills", "writes doubled", sum(number > 1 for number in counts.values()), "", 0)
    survived = outlines(window, repo)
    with World() as other:
        other.index(repo)
        fresh = outlines(other.connect(repo, "--toolsets", "all"), repo)
    yield Figure(
        "kills", "symbols that differ from a fresh index", len(survived ^ fresh), "", 0, "", f"{len(fresh)} symbols"
    )

"""Situations that a daemon or its remains can be in, each a sentence, how it is brought about, and what status has to say of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeagent_protocol.endpoint import Endpoint
from codeagentd.store.connection import Database, QueryError
from tests.harness.world import World

FILES = {
    "pkg/shop.py": "def open_shop(day):\n    return day\n",
    "pkg/till.py": "from pkg.shop import open_shop\n\n\ndef cash():\n    return open_shop(1)\n",
}
HEALTHY, DEGRADED, NOT_RUNNING, NOT_ANSWERING = 0, 1, 3, 4
PATIENCE_S = 20.0
Stage = Callable[[World], Iterator[Path]]
Fields = dict[str, Any]


@dataclass(frozen=True)
class Situation:
    """What status has to say: state and exit code, expressions that occur in reason and remedy ('' for an empty one), in the text for people and in
    other fields as JSON; `comes_s`: how long the situation may take to come about; `starts`: whether daemons run at all in it.
    """

    sentence: str
    stage: Stage
    state: str
    code: int
    reason: str = ""
    remedy: str = ""
    shown: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    comes_s: float = 0.0
    flags: tuple[str, ...] = ()
    is_long: bool = False

    def staged(self, world: World) -> contextlib.AbstractContextManager[Path]:
        """The repository to ask about, while the situation lasts."""
        return contextlib.contextmanager(self.stage)(world)


class Situations(list[Situation]):
    """The table of one module."""

    def add(self, sentence: str, state: str, code: int = HEALTHY, **said: Any) -> Callable[[Stage], Stage]:
        """Enter the situation that a generator stages; it yields the repository."""

        def entered(stage: Stage) -> Stage:
            self.append(Situation(sentence, stage, state, code, **said))
            return stage

        return entered


def indexed(world: World, name: str = "shop", **variables: str) -> Path:
    """A repository whose daemon has caught up; the variables hold for everything that follows in the world."""
    world.environment |= variables
    repo = world.repository(name, FILES)
    world.index(repo)
    return repo


def stop(world: World, repo: Path) -> None:
    """Have the daemon leave in order."""
    assert world.codeagentd("stop", "--repo", str(repo)).code == 0


def places(world: World, repo: Path) -> Endpoint:
    """The files of a repository's daemon, of which the world may have no other."""
    runtime = world.environment["CODEAGENT_RUNTIME_DIR"]
    (life,) = Path(runtime).glob("*.life")
    return Endpoint(str(repo), life.stem, runtime)


def database(world: World, name: str = "index.db") -> Path:
    """The only one of this name in the cache."""
    (found,) = Path(world.environment["CODEAGENT_CACHE_DIR"]).rglob(name)
    return found


def index_state(world: World) -> dict[str, Any]:
    """Birth, generation and stage (`bulk`) of the only index in the cache, and how many files it has; empty before there is one."""
    with contextlib.suppress(ValueError, QueryError), contextlib.closing(Database(database(world))) as index:
        return dict(index.all("federation.state")) | {"files": len(index.all("world.known_files"))}
    return {}


def dated(path: str, off_s: float) -> None:
    """Let a file have been written so many seconds ago, or in the future."""
    at = time.time() - off_s
    os.utime(path, (at, at))


@contextlib.contextmanager
def halted(*pids: int) -> Iterator[None]:
    """Stop processes for a while."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def foreground(
    world: World,
    repo: Path,
    *before: str,
    program: tuple[str, ...] = ("-m", "codeagentd.boot.daemon"),
    flags: tuple[str, ...] = (),
) -> Iterator[int]:
    """A daemon as our own child, behind words that begin its command line; its pid, once it answers."""
    argv = [*before, sys.executable, *program, "--repo", str(repo), "--foreground", *flags]
    with world.errors.open("ab") as errors:
        daemon = subprocess.Popen(argv, env=world.environment, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while world.status(repo)["state"] in ("not_running", "starting"):
            assert daemon.poll() is None, world.errors.read_text()
            assert time.monotonic() < deadline, world.errors.read_text()
        yield daemon.pid
    finally:
        daemon.terminate()
        daemon.wait(PATIENCE_S)

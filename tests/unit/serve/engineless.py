"""A real daemon process around an engine that indexes nothing: `python -m tests.unit.serve.engineless --repo ROOT`."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from codeagent_protocol.endpoint import Endpoint
from codeagentd.base.paths import Jail
from codeagentd.boot.composition import Composition
from codeagentd.boot.daemon import main
from codeagentd.boot.settings import Settings
from codeagentd.model.embedding import EmbeddingState
from codeagentd.model.engine_status import IndexStatus, Progress, Watermark
from codeagentd.model.graph_snapshot import Snapshot
from codeagentd.model.on_demand import Question
from codeagentd.pipeline.on_demand.loan import Loan
from codeagentd.store.connection import ReaderPool
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import Effect, tool_of
from tests.harness.waiting import let_pass

GENERATION = 7


class StubEngine:
    """Knows nothing, and is always up to date. Writes are recorded in the file `writes` of the repository."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = os.environ.get("STUB_STATE", "ready")
        self._lock = threading.Lock()
        self._closed = False
        self._looks = 0
        self._vectors = 0

    def start(self) -> None:
        """Nothing to start."""

    def await_opening(self) -> None:
        """There is none."""

    def on_demand(self, question: Question, patience_s: float) -> AbstractContextManager[Loan | None]:
        """There is an index."""
        return contextlib.nullcontext()

    @property
    def has_whole_index(self) -> bool:
        return True

    def text_ready(self, patience_s: float = 5.0) -> bool:
        return True

    def snapshots(self, commits: list[str]) -> list[Snapshot]:
        """Nothing is kept of any."""
        return []

    def analysed(self, patience_s: float = 15.0, *, current: bool = False) -> bool:
        return False

    def on_change(self, changed: Callable[[bool], None]) -> None:
        """Nothing ever changes."""

    def sync(self, patience_s: float = 0.1, wait_for_first_s: float = 10.0) -> Watermark:
        """Up to date, after STUB_SYNC_S seconds."""
        seconds = min(float(os.environ.get("STUB_SYNC_S", "0")), max(patience_s, wait_for_first_s))
        let_pass(seconds, "as where the index has to catch up")
        return self.watermark()

    def watermark(self) -> Watermark:
        """Always the same."""
        return Watermark(GENERATION, "c0ffee", self.state == "ready", 0 if self.state == "ready" else 3)

    @property
    def progress(self) -> Progress:
        """One step further at each call."""
        self._looks += 1
        return Progress("extract", self._looks, 100)

    def status(self) -> IndexStatus:
        """What STUB_STATE says."""
        return IndexStatus(
            state=self.state, watermark=self.watermark(), progress=Progress("extracting", 1, 2), database_bytes=1234
        )

    def index_files(self, paths: list[str], session: bytes, seq: int) -> dict[str, Any]:
        """Append one line per (session, seq), once."""
        line = f"{session.hex()} {seq} {' '.join(paths)}\n"
        with self._lock, open(self.root / "writes", "a+", encoding="utf-8") as file:
            file.seek(0)
            if line not in file.readlines():
                file.write(line)
        return {"indexed": len(paths), "errors": []}

    def wait_caught_up(self, timeout_s: float, on_progress: Callable[[Progress], None]) -> bool:
        """At once when ready, else never."""
        on_progress(Progress("extracting", 1, 2))
        if self.state == "ready":
            return True
        let_pass(min(timeout_s, 0.2), "as where the index is not ready in time")
        return False

    def limit_embeddings(self, symbols: int | None) -> None:
        """Note it."""
        (self.root / "limit").write_text(str(symbols))

    @property
    def embeddings(self) -> EmbeddingState:
        """One vector more at each call, up to three."""
        self._vectors = min(3, self._vectors + 1)
        return EmbeddingState("ready", "words", self._vectors, 3 - self._vectors)

    def request_scan(self) -> None:
        """Become ready."""
        self.state = "ready"

    def close(self, deadline_s: float) -> None:
        """Leave a trace."""
        (self.root / "closed").write_text("closed\n")


class Said(msgspec.Struct, frozen=True):
    """What a stub tool answers."""

    text: str


def echo(ctx: Context, text: str = "") -> Said:
    """Say it again."""
    return Said(text)


def status(ctx: Context) -> Said:
    """Need no index."""
    return Said("fine")


def nap(ctx: Context, seconds: float = 1.0) -> Said:
    """Wait."""
    (ctx.root / "napping").write_text("zzz\n")
    let_pass(seconds, "a call that takes long")
    return Said("awake")


def spin(ctx: Context, seconds: float = 1.0) -> Said:
    """Hold the interpreter as much as Python code can."""
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        count += 1
    return Said("dizzy")


def write(ctx: Context, text: str) -> Said:
    """Write something down, once."""
    ctx.engine.index_files([text], ctx.session, ctx.seq)
    return Said("written")


def grow(ctx: Context, size: int = 1000) -> Said:
    """Answer with so many characters."""
    return Said("x" * size)


def fail(ctx: Context) -> Said:
    """Have a bug."""
    raise RuntimeError("secret" + " words")


def build(endpoint: Endpoint, settings: Settings) -> Composition:
    """The stub engine and its tools."""
    if os.environ.get("STUB_BROKEN"):
        raise RuntimeError("no engine today")
    root = Path(endpoint.root)
    engine, jail, readers = StubEngine(root), Jail(root), ReaderPool(root / "none.db", 1)
    declared = [
        tool_of(function, "engine", always_loaded=function is echo) for function in (echo, nap, spin, grow, fail)
    ]
    declared.append(tool_of(status, "engine", name="stub.status", needs_index=False))
    declared.append(tool_of(write, "engine", Effect.WRITE, needs_index=False))

    def make_context(session: bytes, seq: int, window: int) -> Context:
        return Context(root, readers, engine, jail, lambda path, is_dir: False, session, seq, window)

    return Composition(engine, make_context, {tool.name: tool for tool in declared})


if __name__ == "__main__":
    code = main(build=build)
    sys.stdout.flush()
    os._exit(code)

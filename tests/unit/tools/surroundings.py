"""A context over a real directory and a real index, with an engine that records what it is asked."""

from __future__ import annotations

import contextlib
import json
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeagentd.base.paths import Jail
from codeagentd.model.embedding import EmbeddingState
from codeagentd.model.engine_status import IndexStatus, Watermark
from codeagentd.model.graph_snapshot import Snapshot
from codeagentd.model.on_demand import Question
from codeagentd.pipeline.on_demand.loan import Loan
from codeagentd.scan.ignore import IgnoreRules
from codeagentd.store.connection import ReaderPool
from codeagentd.toolkit.call import Answer, run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.asking import validate

CATALOGUE = load("codeagentd.tools")


@dataclass
class RecordingEngine:
    """Says what it is told to say, and remembers the files it was asked to index."""

    reported: IndexStatus = field(default_factory=IndexStatus)
    indexed: list[tuple[list[str], bytes, int]] = field(default_factory=list)
    errors: list[dict[str, str]] = field(default_factory=list)
    readers: ReaderPool | None = None

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
        return []

    def analysed(self, patience_s: float = 15.0, *, current: bool = False) -> bool:
        return False

    def sync(self, patience_s: float = 0.1, wait_for_first_s: float = 10.0) -> Watermark:
        return self.reported.watermark

    def embed(self, text: str) -> bytes | None:
        return None

    @property
    def embeddings(self) -> EmbeddingState:
        return EmbeddingState()

    def limit_embeddings(self, symbols: int | None) -> None:
        """There are none."""

    def watermark(self) -> Watermark:
        return self.reported.watermark

    def status(self) -> IndexStatus:
        return self.reported

    def index_files(self, paths: list[str], session: bytes, seq: int) -> dict[str, Any]:
        self.indexed.append((paths, session, seq))
        return {"indexed": len(paths) - len(self.errors), "errors": self.errors}


def context_of(root: Path, readers: ReaderPool, engine: RecordingEngine) -> Context:
    def ignored(path: str, is_directory: bool) -> bool:
        return IgnoreRules(root).ignored(path, is_directory)  # read again: tests write ignore files at any time

    return Context(
        root=root, readers=readers, engine=engine, jail=Jail(root), ignored=ignored, session=b"session", seq=7
    )


@dataclass
class Caller:
    """Calls tools as the server does; every answer must be what the tool's output schema says."""

    ctx: Context
    engine: RecordingEngine

    def answer(self, name: str, /, **arguments: Any) -> Answer:
        return run(CATALOGUE[name], self.ctx, arguments)

    def ok(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        answer = self.answer(name, **arguments)
        assert not answer.is_error, answer.text
        assert json.loads(answer.text) == answer.structured
        validate(name, answer.structured)
        return answer.structured

    def results(self, name: str, **arguments: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ok(name, **arguments)["results"]
        return found

    def pages(self, name: str, **arguments: Any) -> list[list[dict[str, Any]]]:
        """Every page of a list."""
        pages, cursor = [], None
        while True:
            answer = self.ok(name, **arguments, **({"cursor": cursor} if cursor else {}))
            pages.append(answer["results"])
            cursor = answer.get("next_cursor")
            if not cursor:
                return pages

    def error(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        answer = self.answer(name, **arguments)
        assert answer.is_error, answer.text
        found: dict[str, Any] = answer.structured["error"]
        return found

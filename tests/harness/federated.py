"""Several repositories, each with an index made by the real engine where its daemon would keep it."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from codeagent_protocol.endpoint import endpoint_of
from codeagentd.base.paths import Jail
from codeagentd.federation.workspace import Workspace
from codeagentd.memory.memory_store import memory_store_at
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.toolkit.context import Context
from tests.harness.world import surrounded

PATIENCE_S = 30.0


class Workbench:
    """A place for repositories; what is indexed lies below `base`/cache, as the directories' variables say."""

    def __init__(self, base: Path) -> None:
        self.base = base

    def repository(
        self,
        name: str,
        files: Mapping[str, str],
        *,
        members: Sequence[Any] | None = None,
        indexed: bool = True,
        git: bool = True,
    ) -> Path:
        """Write a repository; with `members` it is a workspace of these."""
        root = self.base / name
        if members is not None:
            files = {**files, ".codeagent/workspace.json": json.dumps({"members": members})}
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        root.mkdir(parents=True, exist_ok=True)
        if git:
            subprocess.run(["git", "init", "-q", str(root)], check=True)
        if indexed:
            self.index(root)
        return root

    def index(self, root: Path) -> None:
        """Index a repository, and leave the index behind."""
        with self.engine(root):
            pass

    def index_of(self, root: Path) -> Path:
        """Where the index of a repository is."""
        return endpoint_of(root).index / "index.db"

    @contextlib.contextmanager
    def engine(self, root: Path) -> Iterator[IndexingEngine]:
        """The running engine of a repository."""
        engine = IndexingEngine(root, endpoint_of(root).index, self.base / "blobs" / root.name, use_watcher=False)
        engine.start()
        try:
            assert engine.wait_caught_up(PATIENCE_S)
            yield engine
        finally:
            engine.close(10)

    @contextlib.contextmanager
    def context(self, root: Path, trusted: tuple[str, ...] = ()) -> Iterator[Context]:
        """What tools have to work with in one of the repositories."""
        with self.engine(root) as engine:
            workspace = Workspace(engine.root, trusted)
            memory = memory_store_at(self.base / "data", "shop")
            yield Context(
                engine.root,
                engine.readers,
                engine,
                Jail(engine.root),
                engine.ignored,
                memory=memory,
                workspace=workspace,
            )


@contextlib.contextmanager
def workbench(base: Path) -> Iterator[Workbench]:
    """A workbench with directories of its own."""
    with surrounded(str(base)):
        yield Workbench(base)

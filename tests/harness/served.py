"""A repository with an index made by the real engine, for tests of what is asked of both."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from codeagentd.base.paths import Jail
from codeagentd.embed.model import ModelChoice
from codeagentd.memory.memory_store import memory_store_at
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.toolkit.context import Context

PATIENCE_S = 60.0


@contextlib.contextmanager
def served(
    place: Path, files: Mapping[str, str], model: ModelChoice | None = None, *, watched: bool = False, **choices: Any
) -> Iterator[IndexingEngine]:
    """Write the files below `place`/repo and index them, text and all; vectors come later where there is a model. `choices` are
    further arguments of the engine.
    """
    root = place / "repo"
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    engine = IndexingEngine(root, place / "index", place / "blobs", use_watcher=watched, model=model, **choices)
    engine.start()
    try:
        assert engine.wait_caught_up(PATIENCE_S)
        assert engine.text_ready(PATIENCE_S)
        yield engine
    finally:
        engine.close(10)


@contextlib.contextmanager
def surroundings(
    place: Path, files: Mapping[str, str], model: ModelChoice | None = None, *, watched: bool = False
) -> Iterator[Context]:
    """What a tool has to work with in such a repository."""
    with served(place, files, model, watched=watched) as engine:
        yield Context(
            engine.root,
            engine.readers,
            engine,
            Jail(engine.root),
            engine.ignored,
            memory=memory_store_at(place / "data", "shop"),
        )

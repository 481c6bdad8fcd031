"""A repository with an index made by the real engine, and somebody who calls tools on both."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from codeagentd.pipeline.engine import Engine
from tests.unit.tools.surroundings import Caller, RecordingEngine, context_of

PATIENCE_S = 30.0


@contextlib.contextmanager
def indexed(place: Path, files: Mapping[str, str]) -> Iterator[Caller]:
    """Write the files below `place`/repo, index them, and lend a caller."""
    root = place / "repo"
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    engine = Engine(root, place / "index", place / "index", use_watcher=False)
    engine.start()
    try:
        engine.request_scan()
        assert engine.wait_caught_up(PATIENCE_S, lambda progress: None)
        yield Caller(context_of(root, engine.readers, RecordingEngine()), RecordingEngine())
    finally:
        engine.close(10)

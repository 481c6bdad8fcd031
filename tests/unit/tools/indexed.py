"""A repository with an index made by the real engine, and functions that call tools on both."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.harness.served import served
from tests.unit.tools.surroundings import Caller, RecordingEngine, context_of


@contextlib.contextmanager
def indexed(place: Path, files: Mapping[str, str]) -> Iterator[Caller]:
    """Write the files below `place`/repo, index them, and lend a caller."""
    with served(place, files) as engine:
        yield Caller(context_of(engine.root, engine.readers, RecordingEngine()), RecordingEngine())

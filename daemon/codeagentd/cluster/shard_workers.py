"""Worker processes for a shard on this machine, with private databases."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from codeagentd.base.limits import EXTRACT_DEADLINE_S, MAX_FILE_BYTES
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.store.opening import open_disposable


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def extract_workers(
    root: Path, workers: int, deadline_s: float = EXTRACT_DEADLINE_S, max_file_bytes: int = MAX_FILE_BYTES
) -> Iterator[Pool]:
    """Return a context with workers that remember nothing of earlier shards."""
    with tempfile.TemporaryDirectory(prefix="codeagentd-shard-") as folder:
        place = Path(folder)
        blobs, _ = open_disposable(place / "blobs.db", "blobs")
        blobs.close()
        with closing_pool(root, place / "index.db", place / "blobs.db", workers, deadline_s, max_file_bytes) as pool:
            yield pool


@contextlib.contextmanager
def closing_pool(
    root: Path, index: Path, blobs: Path, workers: int, deadline_s: float = EXTRACT_DEADLINE_S,
    max_file_bytes: int = MAX_FILE_BYTES,
) -> Iterator[Pool]:  # fmt: skip
    """Return a context with workers, which end with it."""
    pool = Pool(root, index, blobs, workers, deadline_s, max_file_bytes)
    try:
        yield pool
    finally:
        pool.reap()

"""The engine of a window that can reach no daemon: it reads the index on the disk, or, if there is none, builds a
private index in this process.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from codeagent_protocol.dirs import data_dir
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import FileLock, is_seen
from codeagent_protocol.sandbox import REMEDY
from codeagentd.memory.memory_store import FILE, MemoryStore, memory_store_at, memory_store_for
from codeagentd.model.graph_snapshot import SnapshotRequest
from codeagentd.pipeline.engine.index_startup import AS_IT_WAS
from codeagentd.pipeline.engine.readonly_engine import ReadOnlyEngine
from codeagentd.toolkit.engine_protocol import Engine
from codeagentd.toolkit.tool import Effect, Tool

from .composition import Composition, compose, engine_of, model_of
from .index_ownership import databases_of, repository_of
from .settings import Settings

PREFIX: Final = "codeagentd-"
LIFE: Final = "life"  # locked while a process uses the folder
YOUNG_S: Final = 60.0  # a younger folder without a lock may be in creation


def build(endpoint: Endpoint, settings: Settings, why: str, place: Path | None) -> Composition:
    """Return the parts that answer without writing to the index on the disk. `why`: the reason why no daemon can be
    reached; `place`: a folder for this process, None if none can be had.

    Errors: engine_unavailable if there is neither an index nor a folder to make one in, and where other users could
    have exchanged what is there.
    """
    engine = _engine(endpoint, settings, why, place)
    built = compose(engine, settings, _memory(engine, settings, why, place))
    return built._replace(tools={name: _reading(tool, why) for name, tool in built.tools.items()})


def _engine(endpoint: Endpoint, settings: Settings, why: str, place: Path | None) -> Engine:
    limits = settings.limits
    index, blobs = databases_of(endpoint)
    request = SnapshotRequest(
        endpoint.root, str(index), str(blobs), str(place / "revisions") if place else "",
        limits.max_file_bytes, limits.workers, settings.ignore, settings.languages,
    )  # fmt: skip
    try:
        return ReadOnlyEngine(request, why, model=model_of(settings))
    except EngineUnavailable:
        if place is None:
            raise
    return engine_of(endpoint, settings, place, place, model=model_of(settings), start=AS_IT_WAS)


def _memory(engine: Engine, settings: Settings, why: str, place: Path | None) -> MemoryStore:
    """The user's or the team's memories, read only; if the user has none yet, an empty store that ends with the
    process.
    """
    if settings.memory.url:
        return memory_store_for(settings.memory.url, repository_of(engine.root), engine.embedder, why)
    folder = data_dir()
    is_there = place is None or (folder / FILE).exists()
    return memory_store_at(
        folder if is_there else place, repository_of(engine.root), engine.embedder, why if is_there else ""
    )


def _reading(tool: Tool, why: str) -> Tool:
    """Replace a tool that writes by one that refuses and gives the reason; other tools are returned as they are."""
    if tool.effect is Effect.READ:
        return tool

    def refuse(_ctx: Any, **_arguments: Any) -> msgspec.Struct:
        raise EngineUnavailable(f"{tool.name} would write, and nothing is written here: {why}", remedy=REMEDY)

    return msgspec.structs.replace(tool, function=refuse, needs_index=False)


@contextlib.contextmanager
def private_folder(root: str) -> Iterator[Path | None]:
    """Return a context with a private folder, removed at its end; None if none can be made outside of the repository.

    Folders that killed processes have left are removed first.
    """
    lock = None
    try:
        base = Path(tempfile.gettempdir()).resolve()
        if base.is_relative_to(root):  # Python's last resort is the current directory
            raise FileNotFoundError(base)
        _sweep(base)
        place = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
        lock = FileLock(str(place / LIFE))
        lock.try_take()
    except OSError:
        yield None
        return
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        lock.release()


def _sweep(base: Path) -> None:
    for left in base.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            status = left.lstat()
            is_ours = (
                (sys.platform == "win32" or status.st_uid == os.getuid()) and left.is_dir() and not left.is_symlink()
            )
            if (
                is_ours
                and (left / LIFE).exists()
                and time.time() - status.st_mtime > YOUNG_S
                and not is_seen(str(left / LIFE))
            ):
                shutil.rmtree(left, ignore_errors=True)

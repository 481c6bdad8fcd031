"""The take-over by a newer version. The newer daemon brings a copy of the index up to date while the older one answers,
and only then asks the older one to make way.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codeagent_protocol.dirs import make_private
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError
from codeagent_protocol.launch import serves_older
from codeagent_protocol.locks import FileLock
from codeagentd.base import failpoints

from .life_lock import LifeLock

NEXT_INDEX: Final = "next"  # the subfolder of the index's folder in which the next index is built
LOOK_S: Final = 1.0  # between checks whether the older daemon still runs
CLOSE_S: Final = 8.0  # for merging the copy into one file


def take_over_from_older(endpoint: Endpoint, life: LifeLock) -> bool:
    """Take over from an older daemon of `endpoint`, unless another process is about to take over.

    Returns whether this process is the daemon now.
    """
    turn = FileLock(endpoint.successor_lock)
    if not turn.try_take():
        return False
    try:
        with _prepared(endpoint) as index:
            failpoints.point("succeed.ready")
            return serves_older(endpoint) and _replace_older_daemon(endpoint, life, index)
    finally:
        turn.release()


def remove_leftovers(endpoint: Endpoint) -> None:
    """Remove the files of a successor that died; those of a successor that is working are kept."""
    if not (endpoint.index / NEXT_INDEX).exists():
        return
    turn = FileLock(endpoint.successor_lock)
    if turn.try_take():
        shutil.rmtree(endpoint.index / NEXT_INDEX, ignore_errors=True)
        turn.release()


def _replace_older_daemon(endpoint: Endpoint, life: LifeLock, index: Path | None) -> bool:
    from codeagentd.store.index_swap import replace

    if not life.take_over():
        _log_start("the older daemon does not make way")
        return False
    failpoints.point("succeed.alone")
    if index and not replace(endpoint.index / index.name, index):
        _log_start("the index could not be put in its place; it is brought up to date where it is")
    return True


@contextlib.contextmanager
def _prepared(endpoint: Endpoint) -> Iterator[Path | None]:
    """An index of this version beside the older one, for as long as the context lasts; None if there is nothing to
    prepare, or if preparing fails.
    """
    from codeagentd.store.index_swap import is_outdated

    if not is_outdated(endpoint.index / "index.db", "index"):
        yield None
        return
    beside = endpoint.index / NEXT_INDEX
    try:
        yield _prepared_index(endpoint, beside)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _prepared_index(endpoint: Endpoint, beside: Path) -> Path | None:
    try:
        shutil.rmtree(beside, ignore_errors=True)
        make_private(str(beside))
        _bring_up_to_date(endpoint, beside)
    except (CodedError, OSError) as error:
        _log_start(f"the index cannot be prepared ({error}); it is brought up to date after the take-over")
        return None
    return beside / "index.db"


def _bring_up_to_date(endpoint: Endpoint, beside: Path) -> None:
    """Have a separate engine bring the copy up to date: migrate it or build it again, and read the changed files, as a
    daemon would do with the index.
    """
    from codeagentd.store.index_swap import copy, is_outdated

    from . import composition, index_ownership, settings

    copy(endpoint.index / "index.db", beside / "index.db")
    blobs = index_ownership.blobs_of(endpoint)
    if is_outdated(blobs / "blobs.db", "blobs"):  # daemons of the older version still write these files
        copy(blobs / "blobs.db", beside / "blobs.db")
        blobs = beside
    failpoints.point("succeed.copied")
    engine = composition.engine_of(
        endpoint, settings.load(endpoint.root, os.environ, {}).settings, beside, blobs, use_watcher=False
    )
    engine.start()
    try:
        while not engine.wait_caught_up(LOOK_S) and serves_older(endpoint):
            continue
    finally:
        engine.close(CLOSE_S)


def _log_start(text: str) -> None:
    """Write to the log of starts: the daemon's log still belongs to the older daemon."""
    print(f"codeagentd: {text}", file=sys.stderr, flush=True)

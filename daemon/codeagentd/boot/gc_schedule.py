"""The schedule of garbage collection: once a day, an idle daemon removes files that belong to no repository."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from typing import Final

from codeagent_protocol import dirs
from codeagentd.base.log import EventLog
from codeagentd.serve.thread_pool import ThreadPool

from .garbage_collection import DAY_S, Collection

LOOK_S: Final = 240.0  # short enough for several checks before an idle daemon leaves
MARK: Final = "collected"  # the file whose time shows when any daemon last collected

_log = EventLog(__name__)


async def collect_daily(pool: ThreadPool, is_idle: Callable[[], bool]) -> None:
    """Run the collection in `pool` whenever it is due and the daemon is idle, until cancelled."""
    while True:
        await asyncio.sleep(LOOK_S)
        if is_idle():
            await pool.run(collect_if_due)


def collect_if_due() -> bool:
    """Run a careful collection, unless any process has done so within a day; return whether it was due.

    Faults of the directories are reported elsewhere.
    """
    mark = dirs.cache_dir() / MARK
    with contextlib.suppress(OSError):
        if time.time() - mark.stat().st_mtime < DAY_S:
            return False
    try:
        dirs.make_private(str(mark.parent))
        mark.touch(0o600)  # before the work, so that no other daemon does the same
        os.utime(mark)
        garbage = Collection(careful=True).run()
    except Exception as error:  # noqa: BLE001 - house keeping must not end the daemon; tomorrow it is tried again
        _log.error("collecting failed", error)
        return True
    if garbage:
        _log.info("collected", things=len(garbage), bytes=sum(item.bytes for item in garbage))
    return True

"""The repairs of `codeagentd doctor --fix`: only those that lose no data and disturb no other process.

Each returns a text about the repair; "" when nothing was done.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.locks import FileLock, is_held
from codeagentd.boot.garbage_collection import PLACES, is_abandoned
from codeagentd.cli.rendering.console import count
from codeagentd.store.opening import SET_ASIDE, set_aside

PRIVATE: Final = 0o700  # the owner's permissions stay, others get none
_LIFE: Final = ".life"


def close(path: Path) -> str:
    """Remove other users' permissions on `path`, a file or folder of this program. Returns a text about the repair; ''
    if it was not possible.
    """
    status = os.lstat(path)
    if sys.platform == "win32" or status.st_uid != os.getuid() or stat.S_ISLNK(status.st_mode):
        return ""
    mode = stat.S_IMODE(status.st_mode) & PRIVATE
    os.chmod(path, mode)
    return f"{path} is closed to others ({mode:04o})"


def put_aside(endpoint: Endpoint, path: Path) -> str:
    """Set the damaged index at `path` aside, so that the next start makes a new one. Returns a text about the repair;
    '' if a daemon uses the index.
    """
    with _without_daemon(endpoint.life_lock) as is_free:
        if is_free:
            set_aside(path)
    return f"{path} is kept as {path.name}{SET_ASIDE}; the next start makes a new one" if is_free else ""


def stale_sockets(runtime: str) -> list[Path]:
    """Return the sockets in the folder `runtime` whose daemons have ended, without those on which a service manager
    listens.
    """
    places = (path for path in Path(runtime).glob("*") if path.suffix in PLACES)
    return sorted(path for path in places if not is_held(str(path.with_suffix(_LIFE))) and is_abandoned(path))


def sweep(paths: list[Path]) -> str:
    """Remove the stale sockets `paths`, each while no daemon can start in its place. Returns a text about the repair;
    '' if none was removed.

    Lock files stay: with two files of one name, two processes could hold the lock.
    """
    removed = 0
    for path in paths:
        with _without_daemon(str(path.with_suffix(_LIFE))) as is_free:
            if is_free and (path.is_socket() or path.is_file()):
                path.unlink()
                removed += 1
    return f"removed: {count(removed, 'socket')} of daemons that are gone" if removed else ""


@contextlib.contextmanager
def _without_daemon(life_lock: str) -> Iterator[bool]:
    """Whether no daemon holds the life lock; none can start while the context lasts."""
    lock = FileLock(life_lock)
    try:
        yield lock.try_take()
    finally:
        lock.release()

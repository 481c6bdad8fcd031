"""The end of a window's process: reported by the kernel where it can, polled every two seconds elsewhere; never guessed
from silence.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Final

from codeagent_protocol.processes import WatchedProcess

LOOK_S: Final = 2.0  # between checks on systems without pidfds


class ClientProcess:
    """Calls `ended` once, when the process of the id `pid` has ended."""

    def __init__(self, pid: int, ended: Callable[[], None]) -> None:
        self._process = WatchedProcess(pid)
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._look: asyncio.TimerHandle | None = None
        if self._process.fd >= 0:
            self._loop.add_reader(self._process.fd, self._end)
        else:
            self._look = self._loop.call_later(LOOK_S, self._ask)

    def close(self) -> None:
        """Stop watching the process."""
        if self._look:
            self._look.cancel()
        if self._process.fd >= 0:
            self._loop.remove_reader(self._process.fd)
        self._process.close()

    def _ask(self) -> None:
        if self._process.has_ended():
            self._end()
        else:
            self._look = self._loop.call_later(LOOK_S, self._ask)

    def _end(self) -> None:
        self.close()
        self._ended()


def is_ours(pid: int) -> bool:
    """Whether a process of the id `pid` runs and belongs to this user."""
    if pid <= 0:
        return False
    if sys.platform == "win32":
        process = WatchedProcess(pid)
        try:
            return not process.has_ended()
        finally:
            process.close()
    try:
        os.kill(pid, 0)
        return os.stat(f"/proc/{pid}").st_uid == os.getuid() if os.path.isdir("/proc/self") else True
    except OSError:
        return False

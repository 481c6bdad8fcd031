"""The life lock: the process that holds it is the daemon of a repository. The system releases it when the process ends,
so that no stale file can block a new daemon.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.locks import FileLock
from codeagent_protocol.version import __version__

PATIENCE_S: Final = 0.5  # processes that check the lock hold it for a moment
LOOK_S: Final = 0.01
ASK_S: Final = 2.0  # for the daemon that has to make way to confirm that
LEAVING_S: Final = 20.0  # for the daemon to leave: the deadlines for requests, checkpoint and good-bye are shorter


class LifeLock:
    """The lock by which a process claims to be the daemon of one endpoint."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._lock = FileLock(endpoint.life_lock)

    def take(self, patience_s: float = PATIENCE_S) -> bool:
        """Try to become the daemon, for at most `patience_s`. Returns whether this process is the daemon now."""
        if not _retry_until(self._lock, patience_s):
            return False
        self._lock.write(f"{os.getpid()} {__version__}")
        return True

    def take_over(self) -> bool:
        """Have the running daemon make way for this one. Returns whether this process is the daemon now."""
        from .control_client import NotAnswering, NotRunning, ask

        launch = FileLock(self._endpoint.launch_lock)
        # windows that see the other daemon leave have to wait for this one, and start none
        _retry_until(launch, PATIENCE_S)
        try:
            with contextlib.suppress(NotRunning, NotAnswering):
                ask(self._endpoint, "restart", {}, ASK_S)
            return self.take(LEAVING_S)
        finally:
            launch.release()

    def is_ours(self) -> bool:
        """Whether this process still holds the lock: False once the lock file was removed, because a successor may be
        running.
        """
        return self._lock.is_held and self._lock.is_in_place()

    def release(self) -> None:
        """Release the lock, so that a successor can start."""
        self._lock.release()


def _retry_until(lock: FileLock, patience_s: float) -> bool:
    deadline = time.monotonic() + patience_s
    while not lock.try_take():
        if time.monotonic() > deadline:
            return False
        time.sleep(LOOK_S)
    return True

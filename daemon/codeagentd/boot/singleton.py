"""Who is the daemon of this repository? Whoever holds the life lock; it ends with its process, so that no stale file can stand in the way."""

from __future__ import annotations

import os
import time
from typing import Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.locks import FileLock
from codeagent_protocol.version import __version__

PATIENCE_S: Final = 0.5  # probes take the lock for a moment to see whether anybody has it
LOOK_S: Final = 0.01


class Life:
    """The claim to be the daemon of one endpoint."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._lock = FileLock(endpoint.life_lock)

    def take(self, patience_s: float = PATIENCE_S) -> bool:
        """Become the daemon. Returns whether this process is it now."""
        deadline = time.monotonic() + patience_s
        while not self._lock.try_take():
            if time.monotonic() > deadline:
                return False
            time.sleep(LOOK_S)
        self._lock.write(f"{os.getpid()} {__version__}")
        return True

    def is_ours(self) -> bool:
        """Whether the claim still stands: false once somebody has swept the lock's file away, and a successor may be running."""
        return self._lock.held and self._lock.is_in_place()

    def release(self) -> None:
        """Let a successor start."""
        self._lock.release()

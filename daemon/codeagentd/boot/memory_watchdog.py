"""The memory watchdog: a daemon that uses too much memory makes way for a new one before the system suffers, and
records the reason.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from codeagent_protocol.endpoint import Endpoint
from codeagentd.base.clock import Clock
from codeagentd.base.host_load import memory_bytes
from codeagentd.base.limits import MAX_RSS_BYTES, RESTART_APART_S, RSS_PATIENCE_S, RSS_PER_FILE, RSS_SHARE
from codeagentd.base.paths import CARE

MAX_WORD_BYTES = 500


class MemoryWatchdog:
    """Compares the memory use of one daemon with its cap, which `cap_bytes` returns."""

    def __init__(self, cap_bytes: Callable[[], int], clock: Clock) -> None:
        self._cap_bytes = cap_bytes
        self._clock = clock
        self._born = clock.ticks()
        self._since: float | None = None

    def trouble(self, rss_bytes: int) -> str:
        """Return the warning about a memory use of `rss_bytes`; '' unless it has been above the cap for some time."""
        now, cap = self._clock.ticks(), self._cap_bytes()
        if rss_bytes <= cap:
            self._since = None
            return ""
        self._since = now if self._since is None else self._since
        if now - self._since < RSS_PATIENCE_S:
            return ""
        return f"its process had {rss_bytes / 1e6:.0f} MB for a minute, with limits.max_rss_bytes at {cap / 1e6:.0f} MB"

    @property
    def may_leave(self) -> bool:
        """Whether the daemon may leave because a new one would use less memory. False if this one needed as much from
        its start.
        """
        return self._clock.ticks() - self._born >= RESTART_APART_S


def default_cap(files: int) -> int:
    """Return the cap in bytes for a repository with so many files, if the settings say none. It is at most half of the
    machine's memory, where the system reports that.
    """
    memory = memory_bytes()
    cap = max(MAX_RSS_BYTES, memory // RSS_SHARE) + RSS_PER_FILE * files
    return max(MAX_RSS_BYTES, min(cap, memory // 2)) if memory else cap


def record_exit_reason(endpoint: Endpoint, reason: str) -> None:
    """Record `reason`, why this daemon leaves, for the next daemon."""
    with contextlib.suppress(OSError):
        fd = os.open(endpoint.exit_reason, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | CARE, 0o600)
        try:
            os.write(fd, reason.encode()[:MAX_WORD_BYTES])
        finally:
            os.close(fd)


def take_exit_reason(endpoint: Endpoint) -> str:
    """Return the reason that the previous daemon recorded when it left by itself; '' when there is none. Reading
    removes the record.
    """
    try:
        with open(endpoint.exit_reason, encoding="utf-8", errors="replace") as file:
            reason = file.read(MAX_WORD_BYTES)
        os.unlink(endpoint.exit_reason)
    except OSError:
        return ""
    return reason

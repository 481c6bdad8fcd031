"""The interface that all watching backends implement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .events import Change, WatchFailed

Emit = Callable[[Change], None]
Fail = Callable[[WatchFailed], None]


class Backend(Protocol):
    """A method of watching the file system.

    `start` raises WatchFailed; later failures are reported once, to the callback given at construction.
    """

    mode: str
    reason: str

    def start(self) -> None:
        """Begin to watch the file system."""

    def stop(self, deadline_s: float) -> None:
        """End the backend's thread and release all resources, in at most `deadline_s`."""

    def sync(self, timeout_s: float) -> bool:
        """Wait until every file operation made before the call has been reported; return False after `timeout_s`."""

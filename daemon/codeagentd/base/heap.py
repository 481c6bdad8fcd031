"""Freed memory, and giving it back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_memory_back() -> None:
    """Return freed heap pages to the system: after a large batch glibc would keep them for ever."""
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)

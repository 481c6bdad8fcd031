"""The daemon's memory: few heaps for all threads, nothing is collected during a large batch, and what one has freed
goes back to the system.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from collections.abc import Iterator
from typing import Final

ARENAS: Final = 2
_ARENA_MAX: Final = -8  # M_ARENA_MAX of glibc's malloc.h


def share_heaps() -> None:
    """Have all threads allocate from two heaps: glibc would give each thread its own, and memory that one has freed
    would stay unused by the others.

    Call it before threads begin.
    """
    _tell_malloc("mallopt", _ARENA_MAX, ARENAS)


def give_memory_back() -> None:
    """Return freed heap pages to the system: after a large batch glibc would keep them for ever."""
    _tell_malloc("malloc_trim", 0)


def _tell_malloc(function: str, *numbers: int) -> None:
    """Call one of glibc's own functions; other libraries have none of them."""
    if sys.platform == "linux" and (tune := getattr(ctypes.CDLL(None), function, None)):
        tune(*numbers)


@contextlib.contextmanager
def collector_at_rest(is_enabled: bool) -> Iterator[None]:
    """Where wanted: rows are freed by count; walking over all of them again and again would cost a tenth of a large
    batch.
    """
    if not is_enabled or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

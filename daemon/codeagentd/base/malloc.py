"""Memory settings of the process: two heaps for all threads, no garbage collection during a large batch, and freed
memory returned to the system.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from typing import Final

from codeagent_protocol.launch import HEAP_SETTING

ARENAS: Final = 2
_ARENA_MAX: Final = -8  # M_ARENA_MAX of glibc's malloc.h


def share_heaps() -> None:
    """Have all threads allocate from two heaps. Otherwise glibc gives each thread its own, and memory that one thread
    has freed stays unused by the others. What launch has set for this process alone is taken from its environment.

    To be called before threads begin.
    """
    _tell_malloc("mallopt", _ARENA_MAX, ARENAS)
    name, value = HEAP_SETTING
    if os.environ.get(name) == value:
        del os.environ[name]


def return_free_memory() -> None:
    """Return freed heap pages to the system, which glibc would not do by itself after a large batch."""
    _tell_malloc("malloc_trim", 0)


def _tell_malloc(function: str, *numbers: int) -> None:
    """Call a function of glibc; other C libraries have none of these functions."""
    if sys.platform == "linux" and (tune := getattr(ctypes.CDLL(None), function, None)):
        tune(*numbers)


@contextlib.contextmanager
def garbage_collector_paused(is_enabled: bool) -> Iterator[None]:
    """Switch the garbage collector off within the block, if `is_enabled`. Rows are freed by reference count; collecting
    among all of them again and again would cost a tenth of a large batch.
    """
    if not is_enabled or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

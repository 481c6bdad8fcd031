"""Memory in large batches: nothing is collected during one, and what it has freed goes back to the system."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from collections.abc import Iterator


def give_memory_back() -> None:
    """Return freed heap pages to the system: after a large batch glibc would keep them for ever."""
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def collector_at_rest(wanted: bool) -> Iterator[None]:
    """Where wanted: rows are freed by count; walking over all of them again and again would cost a tenth of a large batch."""
    if not wanted or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

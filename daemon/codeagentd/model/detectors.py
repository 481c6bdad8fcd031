"""How the keys of some hundred issuers look: Kingfisher's rules, loaded when a text first needs them.

Loading takes 0.3 s and 45 MB, compiling (once per machine and release, kept in the cache directory) 3.4 s; a scan 3 ms a MB, in linear time.
Nothing is verified with an issuer: a scan is offline, and validation is never called.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

from codeagent_protocol.dirs import cache_path, make_private
from codeagent_protocol.locks import FileLock

if TYPE_CHECKING:
    from kingfisher_sdk import Scanner

COMPILE_PATIENCE_S: Final = 15.0  # seconds for another process that compiles the rules; then this one does it too
SCAN_PATIENCE_S: Final = 5.0  # seconds for one text: 4 MB, the longest there are, take 0.02

_loading: Final = threading.Lock()
_scanner: Scanner | None = None


def detected(data: bytes) -> list[tuple[int, int]]:
    """Where the keys stand in a UTF-8 text: (start, end) in bytes, in order, possibly overlapping; raises TimeoutError."""
    found = _loaded().scan(data, timeout=SCAN_PATIENCE_S)
    return sorted((one.location["start_offset"], one.location["end_offset"]) for one in found if one.visible)


def _loaded() -> Scanner:
    global _scanner
    with _loading:
        if _scanner is None:
            _scanner = _load()
        return _scanner


def _load() -> Scanner:
    from kingfisher_sdk import Rules, Scanner

    place = f"{cache_path()}/detectors"
    make_private(place)
    lock = FileLock(f"{place}/lock")  # of two processes that begin together, one compiles and the other reads what it has made
    deadline = time.monotonic() + COMPILE_PATIENCE_S
    while not lock.try_take() and time.monotonic() < deadline:
        time.sleep(0.02)
    try:
        return Scanner(Rules(cache_dir=place), base64=False)
    finally:
        lock.release()

"""The process that finds issuers' keys in texts: `python -m codeagentd.secrets.scanner_process IDLE_S`. It reads texts
from stdin and writes places to stdout, in frames.

It is a process of its own because Kingfisher's rules take 50 MB and are seldom used, and because a scan that hangs must
be killable. It ends after IDLE_S seconds without a text. Loading takes 0.35 s, compiling (once per machine and release,
kept in the cache directory) 3.7 s; a scan 3 ms a MB, in linear time. Nothing is verified with an issuer: a scan is
offline, and validation is never called.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from typing import TYPE_CHECKING, Final

from codeagent_protocol.dirs import cache_path, make_private
from codeagent_protocol.locks import FileLock
from codeagent_protocol.pipes import receive, send
from codeagent_protocol.streams import reading
from codeagentd.base.malloc import return_free_memory

if TYPE_CHECKING:
    from kingfisher_sdk import Scanner

# seconds to wait for another process that compiles the rules; then this process compiles them too
COMPILE_PATIENCE_S: Final = 15.0


def scanner() -> Scanner:
    """Return the scanner with the issuers' rules loaded.

    If the rules had to be compiled, this restarts the program: compiling leaves 13 MB in use.
    """
    from kingfisher_sdk import Rules, Scanner

    place = f"{cache_path()}/detectors"
    make_private(place)
    # of two processes that start together, one compiles the rules and the other reads the result
    lock = FileLock(f"{place}/lock")
    deadline = time.monotonic() + COMPILE_PATIENCE_S
    while not lock.try_take() and time.monotonic() < deadline:
        time.sleep(0.02)
    try:
        rules = Rules(cache_dir=place)
    finally:
        lock.release()
    if rules.cache_status == "stored":
        os.execv(sys.executable, [sys.executable, "-P", "-m", "codeagentd.secrets.scanner_process", *sys.argv[1:]])
    return Scanner(rules, base64=False)


def places(rules: Scanner, data: bytes) -> bytes:
    """Return the places of keys in `data`, a UTF-8 text, as JSON: [start, end] of each in bytes, in order, possibly
    overlapping.
    """
    result = sorted(
        (match.location["start_offset"], match.location["end_offset"]) for match in rules.scan(data) if match.visible
    )
    return json.dumps(result).encode()


def main() -> None:
    """Answer requests until stdin ends, or no text has come for IDLE_S seconds."""
    idle_s = float(sys.argv[1])
    stdin = reading(0, waits=True)
    rules = scanner()
    return_free_memory()
    send(1, b"ready")
    while select.select([stdin.fd], [], [], idle_s)[0] and (data := receive(stdin)):
        send(1, places(rules, data))


if __name__ == "__main__":
    main()

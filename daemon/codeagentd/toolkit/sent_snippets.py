"""Snippets that a session was sent by calls that want none twice. One ledger per session, in memory: it ends with the
session and with the daemon.

A session is no conversation: sub-agents share one, and compaction empties one. So only the caller knows whether what
was sent is still there.
"""

from __future__ import annotations

import hashlib
import threading
from typing import Final

MOST: Final = 2_000  # snippets of one session that are remembered, the latest; 100 kB

_DIGEST_BYTES: Final = 16


class Ledger:
    """The snippets that one session has been sent. Its calls run in several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent: dict[bytes, None] = {}

    def has(self, digest: bytes) -> bool:
        """Whether the client has been sent this."""
        with self._lock:
            return digest in self._sent

    def add(self, digests: list[bytes]) -> None:
        """The client has been sent these; the oldest are forgotten."""
        with self._lock:
            for digest in digests:
                self._sent.pop(digest, None)
                self._sent[digest] = None
            while len(self._sent) > MOST:
                del self._sent[next(iter(self._sent))]


class Delivery:
    """One answer's share of a ledger: its snippets count as sent when the answer has gone out, so that a cancelled one
    loses nothing.
    """

    def __init__(self, ledger: Ledger | None = None) -> None:
        self._ledger = ledger
        self._pending: list[bytes] = []

    def has(self, path: str, snippet: str) -> bool:
        """Whether the client has this snippet of this file, unchanged."""
        return self._ledger is not None and self._ledger.has(_digest(path, snippet))

    def hold(self, path: str, snippet: str) -> None:
        """Note that the answer contains this snippet."""
        self._pending.append(_digest(path, snippet))

    def begin_again(self) -> None:
        """Forget the snippets so far: the answer is made again."""
        self._pending.clear()

    def confirm(self) -> None:
        """Count the snippets as sent: the answer has gone out."""
        if self._ledger:
            self._ledger.add(self._pending)


def _digest(path: str, snippet: str) -> bytes:
    return hashlib.blake2b(f"{path}\0{snippet}".encode(errors="replace"), digest_size=_DIGEST_BYTES).digest()

"""Snippets that a session has received from calls with `dedupe`. There is one record per session, in memory: it ends
with the session and with the daemon.

A session is not a conversation: several sub-agents may share a session, and compaction removes texts from a
conversation. So only the caller knows whether a model still has a snippet.
"""

from __future__ import annotations

import hashlib
import threading
from typing import Final

MOST: Final = 2_000  # maximum number of snippets remembered for a session, the latest; 100 kB

_DIGEST_BYTES: Final = 16


class SentSnippets:
    """The snippets that one session has received. Calls of the session use it from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent: dict[bytes, None] = {}

    def has(self, digest: bytes) -> bool:
        """Whether the client has received the snippet with this digest."""
        with self._lock:
            return digest in self._sent

    def add(self, digests: list[bytes]) -> None:
        """Record digests of received snippets; the oldest are forgotten."""
        with self._lock:
            for digest in digests:
                self._sent.pop(digest, None)
                self._sent[digest] = None
            while len(self._sent) > MOST:
                del self._sent[next(iter(self._sent))]


class Delivery:
    """The snippets of one answer. They count as received when the answer has been sent, so that a cancelled answer
    loses nothing.
    """

    def __init__(self, sent_snippets: SentSnippets | None = None) -> None:
        self._sent_snippets = sent_snippets
        self._pending: list[bytes] = []

    def has(self, path: str, snippet: str) -> bool:
        """Whether the client has this snippet of the file at `path`, unchanged."""
        return self._sent_snippets is not None and self._sent_snippets.has(_digest(path, snippet))

    def hold(self, path: str, snippet: str) -> None:
        """Record that the answer contains this snippet of the file at `path`."""
        self._pending.append(_digest(path, snippet))

    def begin_again(self) -> None:
        """Forget the snippets so far: the answer is computed again."""
        self._pending.clear()

    def confirm(self) -> None:
        """Mark the snippets as received: the answer has been sent."""
        if self._sent_snippets:
            self._sent_snippets.add(self._pending)


def _digest(path: str, snippet: str) -> bytes:
    return hashlib.blake2b(f"{path}\0{snippet}".encode(errors="replace"), digest_size=_DIGEST_BYTES).digest()

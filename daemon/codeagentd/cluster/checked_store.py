"""A store without which nothing goes on: its errors say so."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from codeagent_protocol.errors import StoreFailed
from codeagentd.share.store import Store

REMEDY = "make it reachable and writable for every machine, with room, and run this again: it goes on where it was"


class CheckedStore:
    """A store whose errors have a remedy for those who cannot go on without it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.url = store.url

    def size(self, key: str) -> int | None:
        """See Store."""
        with _remedied():
            return self._store.size(key)

    def get(self, key: str, start: int, length: int) -> bytes:
        """See Store."""
        with _remedied():
            return self._store.get(key, start, length)

    def whole(self, key: str, limit: int) -> bytes | None:
        """See Store."""
        with _remedied():
            return self._store.whole(key, limit)

    def put(self, key: str, data: bytes) -> None:
        """See Store."""
        with _remedied():
            self._store.put(key, data)


@contextlib.contextmanager
def _remedied() -> Iterator[None]:
    try:
        yield
    except StoreFailed as error:
        raise StoreFailed(error.message, remedy=REMEDY, **error.facts) from None

"""The indexes that a server has open: each is opened by the first question, lent to the calls, and closed when nobody
has used it for a while.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.pipeline.revisions.layout import Layout
from codeagentd.pipeline.revisions.revision_indexes import RETRY_S, RevisionIndexes
from codeagentd.serve.tool_calls import Calls
from codeagentd.toolkit.engine_protocol import Engine

MAX_OPEN: Final = 48  # indexes at once: each takes some descriptors and up to 4 MB of page cache
IDLE_S: Final = 300.0  # seconds without a call after which an index is closed
CLOSE_S: Final = 2.0

# opens the index of a commit: (its layout, the folder of its facts, the name of the repository, what to call when it
# turns out to be damaged)
Open = Callable[[Layout, Path, str, Callable[[], None]], tuple[Engine, Calls]]
Key = tuple[str, str]


class _Opened:
    """An index that is open, and how many calls use it now."""

    def __init__(self) -> None:
        self.lock = threading.Lock()  # held while it is being opened
        self.uses = 0
        self.used_at = time.monotonic()
        self.parts: tuple[Engine, Calls] | None = None
        self.is_damaged = False


class OpenIndexes:
    """The open indexes. Thread-safe."""

    def __init__(self, indexes: RevisionIndexes, open_index: Open) -> None:
        self._indexes = indexes
        self._open = open_index
        self._lock = threading.Lock()
        self._opened: dict[Key, _Opened] = {}

    @contextlib.contextmanager
    def lent(self, name: str, commit: str, root: Path, patience_s: float) -> Iterator[Calls]:
        """Return a context with the calls of the index of `commit` of the repository `name`, in the folder `root`; it
        is not closed before the context ends. An index that has to be built is waited for, at most `patience_s`.

        Errors: engine_unavailable, index_error.
        """
        layout = self._indexes.obtain(name, commit, root, patience_s)
        with self._lock:
            opened = self._opened.setdefault((name, commit), _Opened())
            opened.uses += 1
        try:
            with opened.lock:
                parts = opened.parts = opened.parts or self._opened_parts(opened, layout, name)
            yield parts[1]
        finally:
            with self._lock:
                opened.uses -= 1
                opened.used_at = time.monotonic()
            self.close_idle()

    def _opened_parts(self, opened: _Opened, layout: Layout, name: str) -> tuple[Engine, Calls]:
        def note_damage() -> None:
            opened.is_damaged = True
            self._indexes.discard(name, layout.commit)

        try:
            return self._open(layout, self._indexes.blobs_of(name), name, note_damage)
        except EngineUnavailable as error:  # its files were removed, or damaged
            note_damage()
            raise EngineUnavailable(
                f"{error.message}; it is built again", remedy="ask again in a moment", retry_after=RETRY_S
            ) from None

    @property
    def count(self) -> int:
        """The number of open indexes."""
        return len(self._opened)

    def is_open(self, name: str, commit: str) -> bool:
        """Whether the index of `commit` is open."""
        return (name, commit) in self._opened

    def close_idle(self) -> None:
        """Close the indexes that were not used lately, and the one of the longest time ago where too many are open."""
        now, closing = time.monotonic(), []
        with self._lock:
            idle = sorted((opened.used_at, key) for key, opened in self._opened.items() if not opened.uses)
            surplus = len(self._opened) - MAX_OPEN
            for place, (used_at, key) in enumerate(idle):
                if place < surplus or now - used_at > IDLE_S or self._opened[key].is_damaged:
                    closing.append(self._opened.pop(key))
        for opened in closing:
            if opened.parts:
                opened.parts[0].close(CLOSE_S)

    def close(self) -> None:
        """Close all that no call uses."""
        with self._lock:
            closing = [self._opened.pop(key) for key, opened in list(self._opened.items()) if not opened.uses]
        for opened in closing:
            if opened.parts:
                opened.parts[0].close(CLOSE_S)

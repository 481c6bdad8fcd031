"""What does serving need from the rest of the daemon? The engine as sessions and operators use it; boot brings the real
one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from codeagentd.model.engine_status import IndexStatus, Progress, Watermark
from codeagentd.toolkit.context import Context


class Engine(Protocol):
    """The index engine: blocking, thread-safe, never called on the event loop except for `watermark` and `status`,
    which do not wait.
    """

    def start(self) -> None:
        """Open what is on disk and catch up in threads of its own; returns at once."""

    def sync(self, patience_s: float = ..., wait_for_first_s: float = ...) -> Watermark:
        """See every file operation made before this call, and wait a while for what they changed."""

    def watermark(self) -> Watermark:
        """How fresh the index is, without waiting."""

    def status(self) -> IndexStatus:
        """Health and progress, without waiting for the writer."""

    def on_change(self, changed: Callable[[bool], None]) -> None:
        """Have `changed` called after each commit (False) and each analysis of the whole graph (True), on a thread that
        must not wait for it.
        """

    def analysed(self, patience_s: float = ..., *, current: bool = ...) -> bool:
        """Have an analysis of the whole graph made where one is due; whether there is one, `current`: of this
        generation.
        """

    @property
    def progress(self) -> Progress:
        """How far the batch in work is; as `status` says it, for a fraction of the time."""

    def index_files(self, paths: list[str], session: bytes, seq: int) -> dict[str, Any]:
        """Index some files now; a resent call (same session and seq) is answered from the record."""

    def wait_caught_up(self, timeout_s: float, on_progress: Callable[[Progress], None]) -> bool:
        """Wait until nothing is pending; whether that came to pass."""

    def request_scan(self) -> None:
        """Look through the whole repository soon."""

    def close(self, deadline_s: float) -> None:
        """Stop watching, drain the writer, checkpoint, close."""


# (session, seq, process id of its window) -> what a tool has to work with
MakeContext = Callable[[bytes, int, int], Context]

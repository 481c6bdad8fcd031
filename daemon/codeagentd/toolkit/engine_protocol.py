"""The engine's interface: the index of one repository, as tools, sessions and operators use it.

The indexing engine, the read-only engine and the engine of a standalone server implement it; boot chooses one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from codeagentd.model.embedding import Embedder, EmbeddingState
from codeagentd.model.engine_status import IndexStatus, Progress, Watermark
from codeagentd.model.graph_snapshot import Snapshot
from codeagentd.model.speculation import Order, Speculation
from codeagentd.store.connection import ReaderPool


class Engine(Protocol):
    """The index engine: blocking and thread-safe. Only `progress`, `watermark` and `status`, which do not wait, are
    used on the event loop.
    """

    root: Path
    readers: ReaderPool

    def start(self) -> None:
        """Open what is on disk and catch up in threads of its own; returns at once."""

    def close(self, deadline_s: float) -> None:
        """Stop watching, finish the batch in work, checkpoint, close; at most `deadline_s` seconds."""

    def ignored(self, path: str, is_dir: bool = ...) -> bool:
        """Whether the ignore rules leave a path out."""

    # freshness
    def sync(self, patience_s: float = ..., wait_for_first_s: float = ...) -> Watermark:
        """See every file operation made before this call, and wait a while for what they changed."""

    def watermark(self) -> Watermark:
        """Return how fresh the index is, without waiting."""

    def wait_caught_up(self, timeout_s: float, on_progress: Callable[[Progress], None]) -> bool:
        """Wait until nothing is pending; whether that came to pass."""

    def await_opening(self) -> None:
        """Wait until the index is open: a client may ask before it is. Errors: engine_unavailable."""

    def on_change(self, changed: Callable[[bool], None]) -> None:
        """Have `changed` called after each commit (False) and each analysis of the whole graph (True), on a thread that
        must not wait for it.
        """

    def request_scan(self) -> None:
        """Compare the whole repository with the index, soon."""

    def index_files(self, paths: list[str], session: bytes, seq: int) -> dict[str, Any]:
        """Index some files now; a resent call (same session and seq) is answered from the record.

        Returns: {"indexed": how many, "errors": [{path, code, message}]}. Errors: engine_unavailable.
        """

    # status
    def status(self) -> IndexStatus:
        """Return health and progress, without waiting for the writer."""

    @property
    def progress(self) -> Progress:
        """The progress of the batch in work; as `status` has it, for a fraction of the time."""

    # derived data
    def text_ready(self, patience_s: float = ...) -> bool:
        """Wait a little until text search has everything that the index has; whether it does."""

    def analysed(self, patience_s: float = ..., *, current: bool = ...) -> bool:
        """Wait a little for the first analysis of the whole graph, `current`: for one of this generation; whether there
        is one. A later one is started where it is due.
        """

    def snapshots(self, commits: list[str]) -> list[Snapshot]:
        """Return the graph of each commit, '' for the work tree; takes seconds where none is kept.

        Errors: engine_unavailable.
        """

    def begin_embedding(self, text: str) -> Callable[[], bytes | None]:
        """Start the embedding of a question, and return a function that waits for the vector
        (model.embedding.VECTOR_TYPE); it returns None without a model that is ready.
        """

    @property
    def embedder(self) -> Embedder:
        """The embedder, for components that store vectors of their own."""

    @property
    def embeddings(self) -> EmbeddingState:
        """The progress of the embeddings for search by meaning."""

    # trying changes out
    def speculation(self, order: Order) -> AbstractContextManager[Speculation]:
        """Make a throwaway tree in which commands can be run, one at a time.

        Errors: engine_unavailable, also while there is another; those of the order.
        """

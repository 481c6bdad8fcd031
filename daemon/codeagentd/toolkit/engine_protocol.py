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
from codeagentd.model.on_demand import Question
from codeagentd.model.speculation import Order, Speculation
from codeagentd.pipeline.documents.document_analyser import DocumentAnalyser
from codeagentd.pipeline.on_demand.loan import Loan
from codeagentd.store.connection import ReaderPool


class Engine(Protocol):
    """The index engine. Its methods block and are thread-safe. Only `progress`, `watermark` and `status`, which do not
    wait, may be used on the event loop.
    """

    root: Path
    readers: ReaderPool
    documents: DocumentAnalyser  # the texts of editors, resolved against this index; its process starts when needed

    def start(self) -> None:
        """Open the files on disk and catch up with changes, in threads of its own; returns at once."""

    def close(self, deadline_s: float) -> None:
        """Stop watching, finish the running batch, checkpoint, close; takes at most `deadline_s` seconds."""

    def ignored(self, path: str, is_dir: bool = ...) -> bool:
        """Whether the ignore rules exclude `path` (relative to the repository; a folder if `is_dir`) from the index."""

    # freshness
    def sync(self, patience_s: float = ..., wait_for_first_s: float = ...) -> Watermark:
        """Wait until every file operation made before this call is known, and for at most `patience_s` seconds until
        its effects are indexed. Returns the freshness that was reached.
        """

    def watermark(self) -> Watermark:
        """Return the freshness of the index, without waiting."""

    def wait_caught_up(self, timeout_s: float, on_progress: Callable[[Progress], None]) -> bool:
        """Wait until no changes are pending. Returns whether that was so within `timeout_s` seconds."""

    def on_demand(self, question: Question, patience_s: float) -> AbstractContextManager[Loan | None]:
        """Return a context with the on-demand index, in which at most `patience_s` seconds later what `question` asks
        for is indexed. None where the index itself is to be read: it is there, or will be in a moment, or the question
        names nothing.
        """

    def await_opening(self) -> None:
        """Wait until the index is open: a client may call before it is. Errors: engine_unavailable."""

    def on_change(self, changed: Callable[[bool], None]) -> None:
        """Register `changed` to be called after each commit (with False) and each analysis of the whole graph (with
        True), on a thread that it must not block.
        """

    def request_scan(self) -> None:
        """Request a comparison of the whole repository with the index."""

    def index_files(self, paths: list[str], session: bytes, seq: int) -> dict[str, Any]:
        """Index the files `paths` now. A resent call (same session and seq) is answered from the record of the first
        one.

        Returns: {"indexed": how many, "errors": [{path, code, message}]}. Errors: engine_unavailable.
        """

    @property
    def has_whole_index(self) -> bool:
        """Whether a first index was finished: before that, tables lack their indexes."""

    # status
    def status(self) -> IndexStatus:
        """Return the whole status of the index, without waiting for the writer."""

    @property
    def progress(self) -> Progress:
        """The progress of the running batch: the same as in `status`, but much faster to get."""

    # derived data
    def text_ready(self, patience_s: float = ...) -> bool:
        """Wait up to `patience_s` seconds until text search covers everything in the index. Returns whether it does."""

    def analysed(self, patience_s: float = ..., *, current: bool = ...) -> bool:
        """Wait up to `patience_s` seconds for the first analysis of the whole graph, or, with `current`, for one of
        this generation. Returns whether it exists. A later analysis is started if it is due.
        """

    def snapshots(self, commits: list[str]) -> list[Snapshot]:
        """Return the graph of each of `commits`, in their order, '' for the work tree. It takes seconds for a commit
        whose graph is not stored.

        Errors: engine_unavailable.
        """

    def begin_embedding(self, text: str) -> Callable[[], bytes | None]:
        """Start the embedding of `text`, a question. The result is a function that waits for the vector
        (model.embedding.VECTOR_TYPE) and returns it; None if no model is ready.
        """

    @property
    def embedder(self) -> Embedder:
        """The embedder, for components that store vectors of their own."""

    @property
    def embeddings(self) -> EmbeddingState:
        """The progress of the embeddings for search by meaning."""

    def limit_embeddings(self, symbols: int | None) -> None:
        """Let at most `symbols` symbols of this index have a vector (0: all); None: as many as the setting says.

        Errors: engine_unavailable for an index that is only read.
        """

    # trying out changes
    def speculation(self, order: Order) -> AbstractContextManager[Speculation]:
        """Return a context with a throwaway tree, made as `order` says, in which commands can be run; only one exists
        at a time.

        Errors: engine_unavailable, also while there is another; those of the order.
        """

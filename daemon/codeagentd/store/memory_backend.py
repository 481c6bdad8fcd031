"""The interface of a database of memories and tasks: a file of this user, or a server that a team shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from codeagent_protocol.errors import StoreFailed

Row = tuple[Any, ...]
Parameters = Sequence[Any] | dict[str, Any]
# texts that have to be in a memory: a word of each of these lists; each may be a name that consists of several words
Clauses = Sequence[Sequence[str]]


class ServerAway(StoreFailed):
    """The server of a shared database cannot be reached, or cannot be written, now. `is_unsure`: the connection ended
    during a commit, so that it is not known whether the transaction was done.
    """

    is_unsure = False


class WriteConflict(StoreFailed):
    """A transaction met another one that changes the same, and was undone; it may be repeated at once."""


class Narrowing(NamedTuple):
    """The filters of a search; None and '[]' do not filter. `tags`: JSON, all of them."""

    type: str | None = None
    project: str | None = None
    tags: str = "[]"


class Recall(Protocol):
    """Search by words and by vectors, which each kind of database does in its own way."""

    def matching(self, clauses: Clauses, narrowing: Narrowing, limit: int, near: Sequence[int]) -> list[Row]:
        """Return the best `limit` memories by words: (number, BM25: the smaller the better, how many match in all, how
        many of `near` match).
        """

    def frequencies(self, words: Sequence[str]) -> list[int]:
        """Return how many memories have each of `words`, exactly where they are few."""

    def put_words(self, number: int, title: str, content: str, tags: str) -> None:
        """Store the words of a memory that has none yet."""

    def put_vector(self, number: int, digest: bytes, model: int, vector: bytes) -> None:
        """Store the vector of a memory that has none. `digest`: of its text."""

    def nearest(self, vector: bytes, model: int, narrowing: Narrowing, limit: int) -> list[int]:
        """Return the `limit` memories whose vectors have the signs most like those of `vector`."""

    def cosines(self, vector: bytes, model: int, numbers: Sequence[int]) -> list[tuple[int, float]]:
        """Return those of `numbers` that have a vector, as (number, cosine with `vector`), nearest first."""


class MemoryConnection(Protocol):
    """A connection in a transaction. Statements are named; parameters are positional or a mapping."""

    spans_machines: bool  # processes of other machines write the database too

    @property
    def recall(self) -> Recall:
        """Search over the memories."""

    def all(self, name: str, parameters: Parameters = ()) -> list[Row]:
        """Return every row of the statement `name`."""

    def each(self, name: str, parameters: Parameters = ()) -> Iterator[Row]:
        """Iterate over the rows of the statement `name`."""

    def row(self, name: str, parameters: Parameters = ()) -> Row | None:
        """Return the first row of the statement `name`, or None."""

    def value(self, name: str, parameters: Parameters = (), default: Any = None) -> Any:
        """Return the first column of the first row of the statement `name`, or `default` without a row."""

    def run(self, name: str, parameters: Parameters = ()) -> None:
        """Execute the statement `name` for its effect."""

    def run_many(self, name: str, rows: Any) -> None:
        """Execute the statement `name` once for each of `rows`, its parameters."""


class ChangeListener(Protocol):
    """Hears that any process changes the memories, until the context ends."""

    def wait(self, timeout_s: float) -> bool:
        """Wait for a change, at most `timeout_s`, and return whether there was one. Errors: ServerAway."""

    def __enter__(self) -> Self:
        """Begin."""

    def __exit__(self, *_error: object) -> None:
        """End."""


class MemoryBackend(Protocol):
    """A database that many processes use at once. Errors of every method: db_error, with a remedy."""

    @property
    def file(self) -> Path | None:
        """The file of a local database; None for a server."""

    @property
    def is_there(self) -> bool:
        """Whether there is a database that can be asked now, as far as that is known without waiting."""

    def description(self) -> str:
        """Return for people where the database is, and which kind it is."""

    @property
    def trouble(self) -> tuple[str, str] | None:
        """(reason, remedy) if the database could not be used at the last attempt; else None."""

    def write(self) -> AbstractContextManager[MemoryConnection]:
        """Return a context with a connection in a transaction: durable when the block ends, undone when it raises."""

    def read(self, patience_s: float = 0.0) -> AbstractContextManager[MemoryConnection]:
        """Return a context with a connection that sees one consistent snapshot. `patience_s`: how long a server may
        take for a statement; 0 for as long as usual.
        """

    def listen(self) -> ChangeListener:
        """Begin to hear changes, over a connection of its own; only a server tells them. Errors: db_error."""

    def close(self) -> None:
        """Close every connection; they are opened again when needed."""

    def shrink(self) -> None:
        """Free the memory that is not in use."""

"""The interface of a store of packs and manifests, and the errors of all kinds of stores."""

from __future__ import annotations

from typing import Final, Protocol

from codeagent_protocol.errors import CodedError, StoreFailed

TIMEOUT_S: Final = 10.0  # of one request, between two parts of an answer


def is_local(url: str) -> bool:
    """Whether the store at `url` is a folder."""
    return "://" not in url or url.startswith("file:")


class Store(Protocol):
    """A place for immutable packs, and for manifests. Thread-safe. Errors of every method: db_error, with a remedy."""

    url: str

    def size(self, key: str) -> int | None:
        """Return the size of what has this name in bytes; None where there is nothing."""

    def get(self, key: str, start: int, length: int) -> bytes:
        """Return `length` bytes from `start` on. Errors: db_error also where there are fewer."""

    def whole(self, key: str, limit: int) -> bytes | None:
        """Return everything that has this name, None where there is nothing. Errors: db_error for more than `limit`
        bytes.
        """

    def put(self, key: str, data: bytes) -> None:
        """Store `data` under this name: whole, or not at all."""


def trouble(url: str, what: str, error: object) -> StoreFailed:
    """Return the error for a store that cannot be used: `what` was not possible."""
    text = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    return StoreFailed(
        f"the store {url} cannot be {what}: {text}",
        remedy="`codeagentd share status` tries again; indexing goes on without it",
    )


def too_large(key: str, limit: int) -> CodedError:
    """Return the error for something that is larger than it may be."""
    return StoreFailed(f"{key} of the store has more than {limit:,} bytes", remedy="tell whoever fills the store")


def too_short(url: str, key: str) -> CodedError:
    """Return the error for something that ends before it should."""
    return StoreFailed(f"{key} of the store {url} is shorter than its manifest says", remedy="push the tree again")

"""The content of entries with vectors: those of one file."""

from __future__ import annotations

from typing import Final

import msgspec

from codeagent_protocol.errors import StoreFailed

PASSAGE_BYTES: Final = 16  # of the key of a passage


class _FileVectors(msgspec.Struct, frozen=True, array_like=True):
    """The vectors of a file: (key of a passage, its numbers)."""

    vectors: list[tuple[bytes, bytes]]


def packed_vectors(vectors: list[tuple[bytes, bytes]]) -> bytes:
    """Return the vectors of a file, given as (key of a passage, numbers), as the content of an entry (before zstd)."""
    return msgspec.msgpack.encode(_FileVectors(sorted(vectors)))


def vectors_in(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return the vectors that the content of an entry holds, as `packed_vectors` takes them. Errors: db_error."""
    try:
        rows = msgspec.msgpack.decode(data, type=_FileVectors).vectors
    except msgspec.MsgspecError:
        rows = [(b"", b"")]
    if any(len(passage) != PASSAGE_BYTES or not numbers for passage, numbers in rows):
        raise StoreFailed("an entry of the store holds no vectors", remedy="tell whoever fills the store")
    return rows

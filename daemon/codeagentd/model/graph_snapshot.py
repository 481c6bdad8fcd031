"""A small form of the graph of one revision, for comparing two revisions.

Made by the pipeline, stored by commit, compared by analysis.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

import msgspec

SNAPSHOT_VERSION: Final = 2  # raise it when the same index would give another snapshot
UNFINISHED: Final = "at-"  # begins the names of unfinished files among the stored ones
EDGE_COLUMNS: Final = 3
NODE_COLUMNS: Final = 5


class Snapshot(msgspec.Struct, array_like=True, frozen=True):
    """The nodes and edges of one revision. `numbers`: NODE_COLUMNS of each node (file, kind, flags, body, first line);
    `ends`: EDGE_COLUMNS of each edge, with nodes as positions in that order (source, target, reference kind), once for
    each pair and relation, without containment and ambiguous edges. 8 bytes a number.
    """

    files: list[str]
    labels: list[str]
    numbers: bytes
    ends: bytes
    communities: int

    def nodes(self) -> Iterator[tuple[int, ...]]:
        """Yield the NODE_COLUMNS of each node as a tuple."""
        return zip(*[iter(memoryview(self.numbers).cast("q"))] * NODE_COLUMNS, strict=True)

    def edges(self) -> Iterator[tuple[int, ...]]:
        """Yield the EDGE_COLUMNS of each edge as a tuple."""
        return zip(*[iter(memoryview(self.ends).cast("q"))] * EDGE_COLUMNS, strict=True)


class SnapshotRequest(msgspec.Struct, array_like=True, frozen=True):
    """The input of the process that makes a snapshot: the index, the commit ('' for the index as it is), and the file
    for the result in `place`.
    """

    root: str
    index: str
    blobs: str
    place: str
    max_file_bytes: int
    workers: int
    ignore: tuple[str, ...]
    languages: tuple[str, ...]
    commit: str = ""
    file: str = ""


def packed(columns: list[int]) -> bytes:
    """Return the numbers `columns` in the form in which snapshots store them."""
    return array("q", columns).tobytes()


encode: Final = msgspec.msgpack.Encoder().encode
decode: Final = msgspec.msgpack.Decoder(Snapshot).decode

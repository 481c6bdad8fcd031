"""What the daemon and its extract workers tell each other: msgpack frames behind a 4-byte length."""

from __future__ import annotations

from array import array
from typing import Final

import msgspec

from .derive import FileRows
from .modules import ModuleName

LENGTH_BYTES: Final = 4


class Job(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One file to read and extract. `size` and `mtime_ns` as the scan saw them."""

    path: str
    language: str
    project: str
    module: ModuleName


class Extract(msgspec.Struct, array_like=True, frozen=True, tag=1):
    """Extract these files, in this order, one answer each."""

    jobs: list[Job]


class LinkJob(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One indexed file whose references are to be resolved; whoever extracted `path` may still have its facts."""

    file: int
    path: str


class Link(msgspec.Struct, array_like=True, frozen=True, tag=2):
    """Resolve these files against index.db as it stands, one answer each. `fresh` drops what earlier requests have read."""

    jobs: list[LinkJob]
    projects: bytes
    fresh: bool = False


Request = Extract | Link


class Extracted(msgspec.Struct, array_like=True, frozen=True, tag=1, gc=False):
    """What became of one file. `status`: full | partial | failed | skipped | gone; `blob` is empty when blobs.db has the facts already."""

    path: str
    status: str
    reason: str = ""
    size: int = 0
    mtime_ns: int = 0
    digest: bytes = b""
    generated: bool = False
    rows: FileRows | None = None
    blob: bytes = b""


class Linked(msgspec.Struct, array_like=True, frozen=True, tag=2, gc=False):
    """The refs rows of one file, as 8-byte columns one row after the other; target 0 = none."""

    file: int
    columns: bytes
    missing: bool = False  # blobs.db has lost the file's facts

    @classmethod
    def of(cls, file: int, numbers: list[int]) -> Linked:
        """Pack rows."""
        return cls(file, array("q", numbers).tobytes())


Answer = Extracted | Linked

request_encoder = msgspec.msgpack.Encoder()
request_decoder = msgspec.msgpack.Decoder(Request)
answer_encoder = msgspec.msgpack.Encoder()
answer_decoder = msgspec.msgpack.Decoder(Answer)

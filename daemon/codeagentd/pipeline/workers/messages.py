"""The messages between the daemon and its extract workers: MessagePack in frames (codeagent_protocol.pipes)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Final

import msgspec

from codeagentd.model.ids import FILE_SHIFT
from codeagentd.model.namespace_macros import Opening
from codeagentd.pipeline.rows.index_rows import FileRows
from codeagentd.pipeline.rows.module_names import ModuleName
from codeagentd.resolve.reference_rows import REF_COLUMNS
from codeagentd.resolve.references import Links
from codeagentd.resolve.targets import ExternalSymbol

from .chunker import Piece

DAMAGED: Final = 3  # the exit code of a worker that found a corrupt database
UNREADABLE: Final = 4  # the exit code of a worker that cannot use a database, which may be sound
POSTPONED: Final = "postponed"  # the status of a file that takes too long while others wait
STORED_COLUMNS: Final = REF_COLUMNS + 1  # of the table refs


class Job(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One file to read and extract. `openings` are the macros that open namespaces, where the language has
    such macros.
    """

    path: str
    language: str
    project: str
    module: ModuleName
    openings: Mapping[str, Opening] = {}


class Extract(msgspec.Struct, array_like=True, frozen=True, tag=1):
    """A request to extract the files of `jobs`, in this order, one answer each.

    `seconds` of processor time after which a worker that is reading a file is killed; 0 for no limit. With
    `tells_start` each file is announced by a Started, once its content is known and before it is parsed.
    """

    jobs: list[Job]
    seconds: float = 0.0
    tells_start: bool = False


class LinkJob(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """An indexed file whose references are to be resolved, by its id. The worker that extracted `path` may still have
    its facts.
    """

    file: int
    path: str


class Link(msgspec.Struct, array_like=True, frozen=True, tag=2):
    """A request to resolve the files of `jobs` against index.db, one answer each.

    `projects`: the repository's projects. The first request to a worker contains them, and they make the worker read
    the index again; None for those of the request before.
    """

    jobs: list[LinkJob]
    projects: bytes | None = None
    seconds: float = 0.0  # as in Extract


class ChunkJob(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """An indexed file to cut for text search."""

    file: int
    path: str


class Chunk(msgspec.Struct, array_like=True, frozen=True, tag=3):
    """A request to cut the files of `jobs` by their present definitions in index.db, one answer each."""

    jobs: list[ChunkJob]
    seconds: float = 0.0  # as in Extract


Request = Extract | Link | Chunk


class Extracted(msgspec.Struct, array_like=True, frozen=True, tag=1, gc=False):
    """The outcome of reading one file.

    `status`: full | partial | failed | skipped | gone | postponed; `blob` is empty when blobs.db has the facts already.
    """

    path: str
    status: str
    reason: str = ""
    size: int = 0
    mtime_ns: int = 0
    digest: bytes = b""
    generated: bool = False
    rows: FileRows | None = None
    blob: bytes = b""
    language: str = ""  # the language of the content


class Linked(msgspec.Struct, array_like=True, frozen=True, tag=2, gc=False):
    """The resolved references of one file. `columns`: its rows for the table refs, 8 bytes a number, STORED_COLUMNS
    numbers a row.
    """

    file: int
    columns: bytes
    # as in resolve.references.Links; for a file that ended its worker nothing is known
    coverage: tuple[int, ...] = (0, 0, 0, 0, 0)
    heritage: bytes = b""  # as in pipeline.invalidation.inheritance_index
    # resolve.references.Links.member_dependencies, in order, 4 bytes each; None: not known
    member_dependencies: bytes | None = None
    outside: tuple[ExternalSymbol, ...] = ()  # definitions outside of the repository that some of the rows lead to
    missing: bool = False  # blobs.db has lost the file's facts
    failure: str = ""  # the internal error because of which nothing is known

    @classmethod
    def of(cls, file: int, links: Links, heritage: bytes) -> Linked:
        """Return the message for the file with this id: its `links` as rows, and its encoded bases."""
        numbers = links.numbers
        count, first = len(numbers) // REF_COLUMNS, file << FILE_SHIFT
        rows, plain = array("q", bytes(8 * STORED_COLUMNS * count)), array("q", numbers)
        rows[::STORED_COLUMNS] = array("q", range(first, first + count))
        for column in range(REF_COLUMNS):
            rows[column + 1 :: STORED_COLUMNS] = plain[column::REF_COLUMNS]
        return cls(
            file,
            rows.tobytes(),
            links.coverage,
            heritage,
            array("I", sorted(links.member_dependencies)).tobytes(),
            tuple(links.outside.values()),
        )


class Chunked(msgspec.Struct, array_like=True, frozen=True, tag=3, gc=False):
    """The chunks of one file. `pieces`: None where the issuers' rules for secrets are needed to cut it."""

    file: int
    pieces: list[Piece] | None


class Started(msgspec.Struct, array_like=True, frozen=True, tag=4, gc=False):
    """The notice that a worker is about to parse the file at `path`. If the worker ends without an outcome, this
    content ended it.
    """

    path: str
    digest: bytes
    language: str
    size: int
    mtime_ns: int


Answer = Extracted | Linked | Chunked
Message = Answer | Started

request_encoder = msgspec.msgpack.Encoder()
request_decoder = msgspec.msgpack.Decoder(Request)
answer_encoder = msgspec.msgpack.Encoder()
answer_decoder = msgspec.msgpack.Decoder(Message)

"""The messages between the daemon and its embedding process: MessagePack in frames (codeagent_protocol.pipes)."""

from __future__ import annotations

import msgspec

from codeagentd.embed.model import ModelChoice


class Begin(msgspec.Struct, array_like=True, frozen=True, tag=1):
    """The first request: to load the model, and to work on this index in the background."""

    model: ModelChoice
    root: str
    index: str
    blobs: str


class Texts(msgspec.Struct, array_like=True, frozen=True, tag=2):
    """A request to embed `texts`. `is_urgent`: before and in parallel to the background work."""

    number: int
    texts: list[str]
    is_urgent: bool


class Fill(msgspec.Struct, array_like=True, frozen=True, tag=3):
    """A request to embed some of the symbols that have no vector of their present text."""


class Rank(msgspec.Struct, array_like=True, frozen=True, tag=4):
    """A request to rank the symbols: the next Fill requests are answered by the first `budget` of them (0: by all)."""

    budget: int


class Ready(msgspec.Struct, array_like=True, frozen=True, tag=1):
    """The answer that the model is loaded: its name and version. `reason`: why it is used in place of the chosen one,
    '' where it is that one.
    """

    name: str
    version: str
    reason: str = ""
    remedy: str = ""


class Absent(msgspec.Struct, array_like=True, frozen=True, tag=2):
    """The answer that there is no model, with the reason; the process ends. `is_damaged`: there is one that cannot be
    used.
    """

    reason: str
    remedy: str
    is_damaged: bool


class Vectors(msgspec.Struct, array_like=True, frozen=True, tag=3):
    """The vectors of the Texts request with this number, in the order of its texts."""

    number: int
    vectors: list[bytes]


class VectorRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The vector of one symbol. Without `numbers` the stored vector of `passage` is still right.

    `is_first`: the symbol had no vector; `is_new`: blobs.db does not have this vector.
    """

    symbol: int
    content: bytes
    passage: bytes
    bits: bytes = b""
    numbers: bytes = b""
    is_first: bool = False
    is_new: bool = False


class Ranked(msgspec.Struct, array_like=True, frozen=True, tag=5):
    """The answer to a Rank request, and to Fill requests after it until `is_last`: the next symbols by rank, the first
    of them with the rank `first`. `due`: for each, whether its text has to be looked at. `eligible`: how many may have
    a vector; `files`: how many files there are.
    """

    first: int
    symbols: list[int]
    due: list[bool]
    is_last: bool
    eligible: int
    files: int


class Filled(msgspec.Struct, array_like=True, frozen=True, tag=4):
    """The answer to a Fill request: the vectors that it has computed.

    `looked_at`: symbols that were due; `files`: changed files that are done, with the digest of what was looked at;
    `chosen`: symbols that had no rank and take a free place. `has_left_out`: there was no place for others. Nothing is
    left to do when `is_all` is set; `left` symbols are due.
    """

    rows: list[VectorRow]
    left: int
    looked_at: list[int]
    files: list[tuple[int, bytes | None]]
    chosen: list[int]
    has_left_out: bool
    is_all: bool


Request = Begin | Texts | Fill | Rank
Answer = Ready | Absent | Vectors | Filled | Ranked

encoder = msgspec.msgpack.Encoder()
request_decoder = msgspec.msgpack.Decoder(Request)
answer_decoder = msgspec.msgpack.Decoder(Answer)

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


class Ready(msgspec.Struct, array_like=True, frozen=True, tag=1):
    """The answer that the model is loaded: its name and version."""

    name: str
    version: str


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


class Filled(msgspec.Struct, array_like=True, frozen=True, tag=4):
    """The answer to a Fill request: the vectors that it has computed. Nothing is left to do when `left` is 0 and there
    are no rows.
    """

    rows: list[VectorRow]
    left: int


Request = Begin | Texts | Fill
Answer = Ready | Absent | Vectors | Filled

encoder = msgspec.msgpack.Encoder()
request_decoder = msgspec.msgpack.Decoder(Request)
answer_decoder = msgspec.msgpack.Decoder(Answer)

"""The messages between the daemon and the on-demand process: MessagePack in frames (codeagent_protocol.pipes)."""

from __future__ import annotations

import msgspec

from codeagentd.model.on_demand import Coverage, Question


class Begin(msgspec.Struct, array_like=True, frozen=True, tag=1):
    """The first request: the repository, its databases and its settings. `unreadable`: files that have ended such a
    process before.
    """

    root: str
    database: str  # the on-demand index, which the process makes
    facts: str  # its own facts
    blobs: str
    max_file_bytes: int
    ignore: tuple[str, ...]
    languages: tuple[str, ...]
    unreadable: tuple[str, ...] = ()


class Ask(msgspec.Struct, array_like=True, frozen=True, tag=2):
    """A request to index what `question` asks for. It is answered after `seconds` at the latest; the rest follows in
    the background.
    """

    number: int
    question: Question
    seconds: float


class Reading(msgspec.Struct, array_like=True, frozen=True, tag=1):
    """The notice that the file at `path` is about to be parsed: if the process ends, this file has ended it."""

    path: str


class Answered(msgspec.Struct, array_like=True, frozen=True, tag=2):
    """What is covered of the Ask with this number. `is_last`: it will not be more before the Ask's time is over."""

    number: int
    coverage: Coverage
    is_last: bool
    files: int  # of the on-demand index


Request = Begin | Ask
Answer = Reading | Answered

encoder = msgspec.msgpack.Encoder()
request_decoder = msgspec.msgpack.Decoder(Request)
answer_decoder = msgspec.msgpack.Decoder(Answer)

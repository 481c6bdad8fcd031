"""The messages between the daemon and its document process: MessagePack in frames (codeagent_protocol.pipes)."""

from __future__ import annotations

from typing import Final

import msgspec

from codeagentd.model.documents import Completion, DocumentAnalysis, Fold, Place, Range

DAMAGED: Final = 3  # the exit code of a process that found a corrupt index
UNREADABLE: Final = 4  # the exit code of a process that cannot use the index, which may be sound

# Answered.outcome
DONE: Final = 0
MISSING: Final = 1  # the process does not have the text: ask again, with it
FAILED: Final = 2  # an internal error, which is logged


class Analyse(msgspec.Struct, array_like=True, frozen=True, tag=1, gc=False):
    """A request for the analysis of a document."""


class FindFolds(msgspec.Struct, array_like=True, frozen=True, tag=2, gc=False):
    """A request for the lines that can be folded."""


class FindRanges(msgspec.Struct, array_like=True, frozen=True, tag=3, gc=False):
    """A request for the nested ranges of syntax around each of `places`."""

    places: tuple[Place, ...]


class Complete(msgspec.Struct, array_like=True, frozen=True, tag=4, gc=False):
    """A request for the names that may be written at a place."""

    line: int
    column: int


Query = Analyse | FindFolds | FindRanges | Complete


class Ask(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A request about the text of `path` with `digest`. `text`: None where the process should have it. `has_index`:
    whether the index is whole; otherwise names are looked up in the document alone.
    """

    number: int
    path: str
    language: str
    digest: bytes
    query: Query
    text: str | None
    has_index: bool


class Begun(msgspec.Struct, array_like=True, frozen=True, tag=1, gc=False):
    """The notice that everything is loaded which a request needs: from now on it must not take long."""

    number: int


class Answered(msgspec.Struct, array_like=True, frozen=True, tag=2, gc=False):
    """The answer to a request: what was asked for, if `outcome` is DONE. `generation`: that of the index which it was
    made from.
    """

    number: int
    outcome: int
    generation: int = 0
    analysis: bytes = b""  # a DocumentAnalysis, encoded: most are kept and not read
    folds: list[Fold] = []
    ranges: list[list[Range]] = []
    completions: list[Completion] = []
    failure: str = ""


Message = Begun | Answered

encoder = msgspec.msgpack.Encoder()
analysis_decoder = msgspec.msgpack.Decoder(DocumentAnalysis)
request_decoder = msgspec.msgpack.Decoder(Ask)
answer_decoder = msgspec.msgpack.Decoder(Message)

"""The envelope of the answers of the toolset `retrieval`: every answer has it, and its fields are always present."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

import msgspec

SCHEMA_VERSION: Final = 1  # of the envelope: raised when a field goes or changes its type


class IndexState(msgspec.Struct, frozen=True):
    """The state of the index: `built_at` in ISO 8601, '' before the first batch."""

    exists: bool
    stale: bool
    built_at: str
    files_changed_since_build: int


class CodeHit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of a file that answers a question.

    `lines` are its first and last line, 1-based; `snippet` is '' where the budget ends, and where `dedupe` left it out;
    its first line is lines[0], and `…N:` stands for lines left out, before line N. `token_est` counts the tokens of
    path, symbols, reason and snippet; `elided_lines` are left out of the snippet.
    """

    rank: int
    path: str
    lines: list[int]
    symbols: list[str]
    score: float
    reason: str
    snippet: str
    token_est: int
    skeletonized: bool
    elided_lines: int
    already_sent: bool = False


class Read(msgspec.Struct, frozen=True):
    """A place that is worth reading and did not fit into the answer."""

    path: str
    lines: list[int]
    reason: str


Hit = TypeVar("Hit")


class Envelope(msgspec.Struct, Generic[Hit], frozen=True, kw_only=True):
    """The common fields of every answer; `results` and `recommended_reads` are filled by the tools that search."""

    schema_version: int = SCHEMA_VERSION
    tool: str
    index: IndexState
    results: list[Hit] = []
    recommended_reads: list[Read] = []


class SearchAnswer(Envelope[CodeHit], frozen=True, kw_only=True):
    """The answer of search_code. `mode`: lexical or hybrid (by meaning too, for the share `embedded` of all symbols);
    `confidence`: high, medium or low; `note` says what may be missing.
    """

    schema_version: int  # declared again here, so that the schema requires it: this tool always has it
    results: list[CodeHit]
    recommended_reads: list[Read]
    query: str
    mode: str
    confidence: str
    embedded: float = 0.0
    next_cursor: str = ""
    note: str = ""

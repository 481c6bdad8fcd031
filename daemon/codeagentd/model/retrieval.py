"""The shapes of page 003: every answer has the same envelope, and its fields are always there."""

from __future__ import annotations

from typing import Final

import msgspec

SCHEMA_VERSION: Final = 1  # of the envelope: raised when a field goes or changes its type


class IndexState(msgspec.Struct, frozen=True):
    """How far the index is: `built_at` in ISO 8601, '' before the first batch."""

    exists: bool
    stale: bool
    built_at: str
    files_changed_since_build: int


class CodeHit(msgspec.Struct, frozen=True):
    """A piece of a file that answers. `lines` first and last, 1-based; `snippet` is '' where the budget ends; `elided_lines` are left out of it."""

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


class Read(msgspec.Struct, frozen=True):
    """What is worth reading and did not fit."""

    path: str
    lines: list[int]
    reason: str


class SearchAnswer(msgspec.Struct, frozen=True):
    """The envelope with hits. `mode`: how they were found; `confidence`: high, medium or low; `note` says what may be missing."""

    schema_version: int
    tool: str
    index: IndexState
    query: str
    mode: str
    confidence: str
    results: list[CodeHit]
    recommended_reads: list[Read]
    next_cursor: str = ""
    note: str = ""

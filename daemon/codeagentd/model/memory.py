"""Memories in the answers of the toolset `memory`.

Optional fields are left out at their default; times are ISO 8601 in UTC.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta

from .kept_texts import NOT_KEPT

MemoryType = Literal["knowledge", "episode", "decision", "pattern", "code_chunk"]
TYPES: Final[tuple[str, ...]] = get_args(MemoryType)

MAX_CONTENT: Final = 100_000  # characters: some 30 pages; more is a document, which belongs into the repository
MAX_TITLE: Final = 300
MAX_TAGS: Final = 50
MAX_RESULTS: Final = 100
MAX_DETAIL_TOKENS: Final = 50_000

Content = Annotated[str, Meta(min_length=1, max_length=MAX_CONTENT)]
Title = Annotated[str, Meta(max_length=MAX_TITLE)]
Tag = Annotated[str, Meta(min_length=1, max_length=100)]
Tags = Annotated[list[Tag], Meta(max_length=MAX_TAGS)]
Scope = Annotated[str, Meta(max_length=100)]
Share = Annotated[float, Meta(ge=0, le=1)]
MemoryId = Annotated[str, Meta(max_length=100, extra=NOT_KEPT)]
Reason = Annotated[str, Meta(max_length=1_000)]


class AnswerValue(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of the values in answers about memories, reflections, tasks, changes and indexed files."""


class AnchorView(AnswerValue, frozen=True):
    """The code that a memory is about.

    `status`: current, moved, stale, gone, or unknown for code of another repository; `now`: the new place of moved
    code.
    """

    path: str
    status: str
    symbol: str = ""
    now: str = ""


class LinkView(AnswerValue, frozen=True):
    """A link as seen from one memory: `id` is the memory at the other end."""

    id: str
    strength: float
    title: str = ""
    reason: str = ""
    direction: str = "out"


class SimilarView(AnswerValue, frozen=True):
    """A memory with nearly the same content."""

    id: str
    similarity: float
    title: str = ""
    snippet: str = ""


class MemoryView(AnswerValue, frozen=True, kw_only=True):
    """A whole memory. `status` sums up the states of its anchors."""

    id: str
    type: str
    title: str
    content: str
    metadata: dict[str, Any]
    tags: list[str]
    project: str
    confidence: float
    access_count: int
    created_at: str
    updated_at: str
    last_accessed: str = ""
    source_task: str = ""
    status: str = ""
    anchors: list[AnchorView] = []


class StoredMemory(MemoryView, frozen=True, kw_only=True):
    """The answer of the tools `store` and `update`: the memory, its links, and notes about it."""

    links: list[LinkView]
    near_duplicates: list[SimilarView] = []
    note: str = ""


class RelatedMemory(AnswerValue, frozen=True):
    """A memory at the other end of links. `distance` in links; `direction` of the last link."""

    id: str
    title: str
    type: str
    snippet: str
    strength: float
    distance: int = 1
    reason: str = ""
    direction: str = "out"


class ReadMemory(MemoryView, frozen=True, kw_only=True):
    """The answer of the tool `read`: the memory and those around it, nearest and strongest first."""

    related_memories: list[RelatedMemory]
    note: str = ""


class IndexEntry(AnswerValue, frozen=True):
    """One hit of a search; `score` at most 1. `status`: moved, stale or gone, if the code that the memory is
    about is.
    """

    id: str
    title: str
    type: str
    score: float
    snippet: str
    status: str = ""


class DetailEntry(AnswerValue, frozen=True):
    """A hit in full; `truncated` where the token budget cut it."""

    id: str
    content: str
    metadata: dict[str, Any]
    related: list[RelatedMemory]
    anchors: list[AnchorView] = []
    truncated: bool = False


class SearchMemories(AnswerValue, frozen=True):
    """The answer of the tool `search`. `mode`: hybrid (words and vectors) or bm25 (words alone: there is no model)."""

    index: list[IndexEntry]
    details: list[DetailEntry]
    total_count: int
    mode: str
    note: str = ""


class DeletedMemory(AnswerValue, frozen=True):
    """The answer of the tool `delete`."""

    id: str
    deleted: bool
    note: str


class Edge(AnswerValue, frozen=True):
    """The answer of the tool `link`."""

    from_id: str
    to_id: str
    strength: float
    reason: str
    created_at: str


class MemoryStats(AnswerValue, frozen=True):
    """The answer of the tool `stats`. `by_project` counts memories that name a project; `by_tag` has the most used
    tags.
    """

    total: int
    by_type: dict[str, int]
    by_project: dict[str, int]
    avg_confidence: float
    total_links: int
    by_tag: dict[str, int] = {}


class MemoryNote(AnswerValue, frozen=True):
    """A memory as it is listed with the symbol that it is about."""

    id: str
    title: str
    type: str
    status: str


class IndexedFile(AnswerValue, frozen=True):
    """The answer of index_file: the number of pieces that a file has as memories, and how many of them were created,
    updated, unchanged and retired.

    `skipped`: the file did not change since the last time. Optional fields are left out at their default.
    """

    file_path: str
    language: str = ""
    chunks: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    retired: int = 0
    file_hash: str = ""
    skipped: bool = False
    note: str = ""

"""The tools that search, read and count memories."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from codeagentd.memory import read as reading
from codeagentd.memory.candidates import Filters
from codeagentd.memory.memory_search import search as search_memories
from codeagentd.model.memory import (
    MAX_DETAIL_TOKENS,
    MAX_RESULTS,
    MemoryId,
    MemoryStats,
    MemoryType,
    ReadMemory,
    Scope,
    SearchMemories,
    Tags,
)
from codeagentd.model.parameters import SearchText
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

PATIENCE_S = 0.1  # seconds until a file that was saved just now is indexed: anchors are as fresh as the index

Results = Annotated[int, Meta(ge=1, le=MAX_RESULTS)]
Budget = Annotated[int, Meta(ge=0, le=MAX_DETAIL_TOKENS)]
Depth = Annotated[int, Meta(ge=0, le=3)]


@tool("memory", needs_index=False, flat_errors=True)
def search(
    ctx: Context,
    query: SearchText,
    type: MemoryType | None = None,  # noqa: A002 - the contract's name
    project: Scope | None = None,
    tags: Tags | None = None,
    max_results: Results = 10,
    max_tokens: Budget = 2000,
    include_graph: bool = False,
) -> SearchMemories:
    """Search saved memories and notes, to recall (look up) past decisions and what is known from earlier sessions, by
    meaning and words; `tags`: all of them. Stale or gone marks memories whose code has changed.

    Returns: index of all hits, best first; details in full as far as max_tokens goes (an upper estimate); related with
             include_graph.
    Errors:  VALIDATION_ERROR, DB_ERROR.
    Source:  004 search.
    """
    return search_memories(
        ctx.memory,
        ctx.code(PATIENCE_S),
        query,
        Filters(type, project, tags or ()),
        max_results,
        max_tokens,
        include_graph,
    )


@tool("memory", needs_index=False, flat_errors=True, idempotent=False)
def read(ctx: Context, id: MemoryId, depth: Depth = 1) -> ReadMemory:  # noqa: A002 - the contract's name
    """Open a saved memory (note) by id, with those linked to it, `depth` links away. Counts the access.

    Returns: related_memories, nearest first, then strongest, at most 50.
    Errors:  NOT_FOUND, VALIDATION_ERROR, DB_ERROR.
    Source:  004 read.
    """
    return reading.read(ctx.memory, ctx.caller, ctx.code(PATIENCE_S), id, depth)


@tool("memory", needs_index=False, flat_errors=True)
def stats(
    ctx: Context,
    project: Scope | None = None,
    type: MemoryType | None = None,  # noqa: A002 - the contract's name
) -> MemoryStats:
    """Count how many memories are stored, by type, project and tag, and their links.

    Returns: by_project counts what names a project; by_tag the 50 most used tags.
    Errors:  VALIDATION_ERROR, DB_ERROR.
    Source:  004 stats.
    """
    return reading.stats(ctx.memory, project, type)

"""The tools that store, change, merge and delete memories."""

from __future__ import annotations

from typing import Any

from codeagentd.memory import write
from codeagentd.memory.team import memory_operations as operations
from codeagentd.model.memory import (
    Content,
    DeletedMemory,
    Edge,
    MemoryId,
    MemoryType,
    Reason,
    Scope,
    Share,
    StoredMemory,
    Tags,
    Title,
)
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import Effect, tool

PATIENCE_S = 0.1  # seconds until a file that was saved just now is indexed: the memory may refer to it


@tool("memory", Effect.WRITE, needs_index=False, flat_errors=True, idempotent=False)
def store(
    ctx: Context,
    type: MemoryType,  # noqa: A002 - the contract's name
    content: Content,
    title: Title | None = None,
    metadata: dict[str, Any] | None = None,
    tags: Tags | None = None,
    project: Scope | None = None,
    confidence: Share = 1.0,
    source_task: Scope | None = None,
) -> StoredMemory:
    """Save a memory: remember a note, decision or pattern for later sessions. It is linked to similar memories and to
    the code it names (metadata.anchors: symbols, paths), and marked stale when that changes. Secrets are redacted.

    Returns: the memory with its links; near_duplicates to merge with.
    Errors:  VALIDATION_ERROR, DB_ERROR.
    Source:  004 store.
    """
    code = ctx.code(PATIENCE_S)
    draft = write.draft(ctx.memory, code, type, title or "", content, metadata or {}, tags or [], confidence)
    return operations.store(ctx.memory, ctx.caller, code, type, draft, project or "", source_task or "")


@tool("memory", Effect.WRITE, needs_index=False, flat_errors=True)
def update(
    ctx: Context,
    id: MemoryId,  # noqa: A002 - the contract's name
    content: Content | None = None,
    title: Title | None = None,
    metadata: dict[str, Any] | None = None,
    tags: Tags | None = None,
    confidence: Share | None = None,
) -> StoredMemory:
    """Edit (change, correct) an existing memory: metadata is merged (null removes a field), the rest replaced. Links
    and anchors are made anew.

    Returns: as store.
    Errors:  NOT_FOUND, VALIDATION_ERROR, DB_ERROR.
    Source:  004 update.
    """
    return operations.update(
        ctx.memory,
        ctx.caller,
        ctx.code(PATIENCE_S),
        id,
        content=content,
        title=title,
        metadata=metadata,
        tags=tags,
        confidence=confidence,
    )


@tool("memory", Effect.WRITE, needs_index=False, flat_errors=True, destructive=True)
def delete(ctx: Context, id: MemoryId) -> DeletedMemory:  # noqa: A002 - the contract's name
    """Delete a memory (forget it); the audit feed keeps it for 90 days.

    Returns: id and deleted.
    Errors:  NOT_FOUND, DB_ERROR.
    Source:  004 delete.
    """
    return operations.delete(ctx.memory, ctx.caller, ctx.code(), id)


@tool("memory", Effect.WRITE, needs_index=False, flat_errors=True)
def link(ctx: Context, from_id: MemoryId, to_id: MemoryId, reason: Reason | None = None, strength: Share = 0.8) -> Edge:
    """Link (connect) two memories; linking again replaces reason and strength.

    Returns: the link.
    Errors:  NOT_FOUND, VALIDATION_ERROR, DB_ERROR.
    Source:  004 link.
    """
    return operations.link(ctx.memory, ctx.caller, ctx.code(), from_id, to_id, reason or "", strength)

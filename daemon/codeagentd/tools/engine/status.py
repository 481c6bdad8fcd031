"""The tools that report the engine's health and the progress of indexing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import msgspec

from codeagentd.model.results.symbol_results import Embeddings, EngineStatus
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

UNHEALTHY: Final = ("degraded", "draining")


@tool("engine", needs_index=False)
def get_status(ctx: Context) -> EngineStatus:
    """Tell the health of the engine (daemon) and how far the index is: is it ready, is indexing finished.

    Returns: counts, languages, watermark; state is starting, indexing, ready, degraded (with reason and remedy) or
             draining.
    Source:  000 get_status.
    """
    status = ctx.engine.status()
    watermark = status.watermark
    return EngineStatus(
        healthy=status.state not in UNHEALTHY,
        state=status.state,
        schema_version=status.schema_version,
        indexed_files=status.indexed_files,
        indexed_symbols=status.indexed_symbols,
        languages=[count.language for count in status.languages],
        watcher_active=status.watcher not in ("", "off"),
        embedding_model=status.embeddings.model,
        embeddings_count=status.embeddings.count,
        embeddings=Embeddings(
            status.embeddings.model,
            status.embeddings.count,
            status.embeddings.pending,
            status.embeddings.eligible,
            status.embeddings.limit_note,
        ),
        caught_up=watermark.caught_up,
        generation=watermark.generation,
        head=watermark.head,
        pending_files=watermark.pending_files,
        last_batch_at=_iso(status.last_batch_at) if status.last_batch_at else None,
        reason=status.reason,
        remedy=status.remedy,
        repository=watermark.repository or "",
        worktree=watermark.worktree or "",
        branch=watermark.branch or "",
        dirty=None if watermark.dirty is msgspec.UNSET else watermark.dirty,
    )


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

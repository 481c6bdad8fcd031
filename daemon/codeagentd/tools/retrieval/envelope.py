"""What every answer of this toolset begins with."""

from __future__ import annotations

from datetime import UTC, datetime

from codeagentd.model.retrieval import IndexState
from codeagentd.toolkit.context import Context


def state(ctx: Context) -> IndexState:
    """How far the index is."""
    status = ctx.engine.status()
    mark = status.watermark
    built = datetime.fromtimestamp(status.last_batch_at, UTC).isoformat(timespec="seconds") if status.last_batch_at else ""
    return IndexState(status.indexed_files > 0, not mark.caught_up, built, mark.pending_files)

"""The tools' access to the analysis of the whole graph."""

from __future__ import annotations

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.model.analysis import Findings
from codeagentd.query.graph.node_metrics import findings

from .context import Context


def ensure(ctx: Context) -> None:
    """Wait for the first analysis, up to a limit; a later one is made in the background. Errors: engine_unavailable."""
    if not ctx.engine.analysed():
        raise EngineUnavailable(
            "the whole graph is being analysed for the first time", remedy="ask again in some seconds"
        )


def begin(ctx: Context) -> None:
    """Start an analysis if one is due, without waiting: the answer is complete without it, and better with it."""
    ctx.engine.analysed(0.0)


def whole(ctx: Context) -> Findings:
    """Return the last analysis, after waiting for the first. Errors: as `ensure`."""
    ensure(ctx)
    with ctx.read() as db:
        result = findings(db)
    assert result is not None
    return result

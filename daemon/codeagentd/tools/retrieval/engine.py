"""The tools about the health and the contents of the index."""

from __future__ import annotations

import msgspec

from codeagent_protocol.version import __version__
from codeagentd.model.engine_status import LanguageCount
from codeagentd.model.results.retrieval_results import HealthAnswer, HealthIndex, LanguageFigures, StatsAnswer
from codeagentd.query.graph.statistics import edge_counts
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .envelope import envelope, state_of


@tool("retrieval", needs_index=False, envelope=envelope)
def healthcheck(ctx: Context) -> HealthAnswer:
    """Check that the index is healthy and can be trusted: version, freshness, state with reason and remedy. E.g. before
    the first question. Never waits, never fails: the state says what is wrong.

    Returns: state starting, indexing, ready, degraded or draining; index with head_commit.
    Source:  003 healthcheck.
    """
    status = ctx.engine.status()
    mark = status.watermark
    dirty = None if mark.dirty is msgspec.UNSET else mark.dirty
    return HealthAnswer(
        tool="healthcheck",
        index=HealthIndex(
            **msgspec.structs.asdict(state_of(status)), head_commit=mark.head, branch=mark.branch or "", dirty=dirty
        ),
        package_version=__version__,
        root=str(ctx.root),
        state=status.state,
        reason=status.reason,
        remedy=status.remedy,
    )


@tool("retrieval", envelope=envelope)
def index_stats(ctx: Context) -> StatsAnswer:
    """Count what the index has: files, symbols, edges by type, coverage of each language, size in bytes. E.g. to see
    which languages are understood. Without an index yet, all is 0.

    Returns: `settled` is the share of a language's references that are known to lead somewhere; open_references are
             matched by name when asked.
    Source:  003 index_stats.
    """
    status = ctx.engine.status()
    with ctx.read() as db:
        edges = edge_counts(db)
    return StatsAnswer(
        tool="index_stats",
        index=state_of(status),
        generation=status.watermark.generation,
        files=status.indexed_files,
        symbols=status.indexed_symbols,
        edges=edges,
        open_references=sum(
            references.total - references.resolved - references.external
            for references in (count.references for count in status.languages)
        ),
        languages=[_figures(count) for count in status.languages],
        skipped=status.skipped,
        database_bytes=status.database_bytes + status.wal_bytes,
        blobs_bytes=status.blobs_bytes,
    )


def _figures(count: LanguageCount) -> LanguageFigures:
    settled = count.references.settled
    return LanguageFigures(
        count.language, count.files, count.symbols, count.partial, count.failed, count.references.total, settled
    )

"""The reports of `codeagentd map` as lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codeagentd.cluster.coordinator import MergeReport
from codeagentd.cluster.engines import ClusterReport
from codeagentd.cluster.extract_shard import ExtractReport
from codeagentd.cluster.link_shard import LinkReport

from .console import count, duration, plain, size

MOST_REASONS: Final = 20  # files without facts that are listed

AnyReport = ExtractReport | LinkReport | MergeReport | ClusterReport


def lines_of(report: AnyReport, seconds: float) -> Iterator[str]:
    """Yield the lines that summarise `report`, after `seconds`."""
    if isinstance(report, ClusterReport):
        yield from _extracted(report.extracted)
        yield from _merged(report.merged)
    elif isinstance(report, ExtractReport):
        yield from _extracted(report)
    elif isinstance(report, LinkReport):
        yield _linked(report)
    else:
        yield from _merged(report)
    yield f"done in {duration(seconds)}"


def _extracted(report: ExtractReport) -> Iterator[str]:
    for path, reason in list(report.reasons.items())[:MOST_REASONS]:
        yield f"without facts: {plain(path)} ({reason})"
    if (more := len(report.reasons) - MOST_REASONS) > 0:
        yield f"… and {more:,} more without facts (--json lists them)"
    yield (
        f"{count(report.files, 'file')}, {size(report.source_bytes)}: {report.extracted:,} contents extracted "
        f"({size(report.facts_bytes)}), {report.known:,} in the store already, {len(report.reasons):,} without facts"
    )


def _linked(report: LinkReport) -> str:
    resolved = report.files - report.known - report.unresolved
    return (
        f"{count(report.files, 'file')}: {resolved:,} resolved ({size(report.bytes)}), {report.known:,} were before"
        + (f", {report.unresolved:,} left to the coordinator" if report.unresolved else "")
    )


def _merged(report: MergeReport) -> Iterator[str]:
    yield f"{count(report.files, 'file')} in the index, {report.extracted_here:,} extracted here"
    if report.snapshot:
        yield f"to resolve: --link-shard I/N --snapshot {report.snapshot}"
    else:
        yield f"the index is whole, {count(report.linked_here, 'file')} resolved here"

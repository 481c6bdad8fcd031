"""The envelope of every answer of this toolset, with the state of the index."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from codeagent_protocol.status import percent
from codeagentd.model.engine_status import IndexStatus
from codeagentd.model.kinds import Confidence
from codeagentd.model.parameters import language_family
from codeagentd.model.results.retrieval_results import EdgeCoverage, LanguageCoverage
from codeagentd.model.retrieval import Envelope, IndexState, Read
from codeagentd.query.symbols.coverage import generic_note, is_generic
from codeagentd.toolkit.context import Context

LEAST_SETTLED: Final = 0.9995  # share of resolved references from which the edges count as complete

_UNSURE: Final = frozenset({Confidence.AMBIGUOUS.label})


def state(ctx: Context) -> IndexState:
    """The state of the index."""
    return state_of(ctx.engine.status())


def state_of(status: IndexStatus) -> IndexState:
    """The state of the index from a given status, for answers that need more of the status."""
    mark = status.watermark
    built = (
        datetime.fromtimestamp(status.last_batch_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if status.last_batch_at else ""
    )
    return IndexState(status.indexed_files > 0, not mark.caught_up, built, mark.pending_files)


def envelope(tool: str, ctx: Context) -> Envelope[Read]:
    """The envelope with empty lists: the fields of an error answer besides the error."""
    return Envelope(tool=tool, index=state(ctx))


def coverage(status: IndexStatus, languages: tuple[str, ...], confidences: set[str]) -> EdgeCoverage:
    """The completeness of the edges in these languages (of one family); `confidences` are those in the answer."""
    counts = [
        count
        for count in status.languages
        if count.language in {related for language in languages for related in language_family(language)}
    ]
    by_name = generic_note(languages)
    language_coverages = [
        LanguageCoverage(count.language, count.references.total, count.references.settled)
        for count in counts
        if count.references.total
    ]
    reasons = [
        f"{100 - percent(language_coverage.settled)}% of the references in {language_coverage.language} are on "
        "receivers of unknown type"
        for language_coverage in language_coverages
        if _is_partial(language_coverage) and not is_generic(language_coverage.language)
    ]
    reasons += [by_name] if by_name else []
    unread = sum(count.partial + count.failed for count in counts)
    reasons += [f"{unread} {'file is' if unread == 1 else 'files are'} parsed in part or not at all"] if unread else []
    reasons += ["some edges are ambiguous: several symbols could be meant"] if confidences & _UNSURE else []
    reasons += ["the index is still catching up"] if not status.watermark.caught_up else []
    return EdgeCoverage(bool(reasons), language_coverages, "; ".join(reasons))


def _is_partial(language_coverage: LanguageCoverage) -> bool:
    return language_coverage.settled < LEAST_SETTLED

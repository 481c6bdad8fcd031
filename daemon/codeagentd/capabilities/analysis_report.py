"""The analysis of the whole graph as one page of Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codeagentd.model.analysis import Findings
from codeagentd.model.labels import clean
from codeagentd.model.results.graph_results import CONFIDENCE_WORDS
from codeagentd.query.graph.nodes import nodes
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.graph_analysis import whole

HUBS: Final = 10
COMMUNITIES: Final = 20
SAMPLES: Final = 5  # members shown of each community, page 002
CYCLES: Final = 20  # page 002
UNSURE: Final = 0.2  # share of ambiguous edges above which it counts as a gap, page 002


def report(ctx: Context) -> str:
    """Return the report page on the repository. Errors: engine_unavailable while the first analysis is running."""
    result = whole(ctx)
    with ctx.read() as db:
        return report_of(db, result)


def report_of(db: Database, findings: Findings) -> str:
    """Return the report page of the analysis `findings`."""
    sections = [
        ("Overview", _overview(findings)),
        ("God nodes", _hubs(db, findings)),
        ("Surprising connections", surprises(db, findings)),
        ("Suggested questions", questions(findings)),
        ("Import cycles", [" -> ".join(map(clean, cycle)) for cycle in findings.cycles[:CYCLES]]),
        ("Communities", _communities(db)),
        ("Ambiguous edges", _doubts(db, findings)),
        ("Knowledge gaps", list(gaps(findings))),
    ]
    return "\n\n".join(["# Code graph", *(_section(title, lines) for title, lines in sections)]) + "\n"


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([f"## {title}", "", *(f"- {line}" for line in lines or ["none"])])


def _overview(findings: Findings) -> list[str]:
    words = ", ".join(f"{count} {word}" for word, count in zip(CONFIDENCE_WORDS, findings.edges, strict=True))
    return [
        f"{findings.nodes} nodes in {findings.communities} communities (modularity {findings.modularity:.2f})",
        f"{sum(findings.edges)} edges: {words}",
    ]


def _hubs(db: Database, findings: Findings) -> list[str]:
    known = nodes(db, findings.hubs[:HUBS])
    return [f"{known[hub].label} ({known[hub].file})" for hub in findings.hubs[:HUBS] if hub in known]


def surprises(db: Database, findings: Findings) -> list[str]:
    """Return the surprising connections in `findings`, a line for each."""
    known = nodes(db, {end for surprise in findings.surprises for end in (surprise.source, surprise.target)})
    return [
        f"{known[surprise.source].label} ({known[surprise.source].file}) --{surprise.relation}--> "
        f"{known[surprise.target].label} ({known[surprise.target].file}) "
        f"[{CONFIDENCE_WORDS[surprise.confidence]}]: {surprise.reason}"
        for surprise in findings.surprises
        if surprise.source in known and surprise.target in known
    ]


def questions(findings: Findings) -> list[str]:
    """Return the questions that `findings` suggest, a line for each."""
    return [f"{clean(question.question)} ({clean(question.why)})" for question in findings.questions]


def _communities(db: Database) -> list[str]:
    lines = []
    for number, name, size, cohesion in db.all("analysis.largest_communities", (COMMUNITIES,)):
        members = [
            member for (member,) in db.all("analysis.members", {"community": number, "offset": 0, "limit": SAMPLES})
        ]
        known = nodes(db, members)
        lines.append(
            f"{number} {clean(name)}: {size} members, cohesion {cohesion:.3f}; "
            f"{', '.join(known[member].label for member in members)}"
        )
    return lines


def _doubts(db: Database, findings: Findings) -> list[str]:
    known = nodes(db, {end for doubt in findings.doubts for end in (doubt.source, doubt.target)})
    return [
        f"{known[doubt.target].label} ({known[doubt.target].file}): {doubt.edges}, the first {doubt.relation} from "
        f"{known[doubt.source].label} ({known[doubt.source].file})"
        for doubt in findings.doubts
        if doubt.source in known and doubt.target in known
    ]


def gaps(findings: Findings) -> Iterator[str]:
    """Yield the weak spots of the graph in `findings`, a line for each."""
    ambiguous = findings.edges[-1] / max(1, sum(findings.edges))
    if findings.isolated:
        yield f"{findings.isolated} symbols have at most one neighbour"
    if findings.thin:
        yield f"{findings.thin} communities have two members or fewer"
    if ambiguous >= UNSURE:
        yield f"{ambiguous:.0%} of the edges are ambiguous"

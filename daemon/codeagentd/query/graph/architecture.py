"""The architecture of the repository in the last analysis: its parts, the symbols with most dependents, and unusual
connections between parts.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from codeagentd.model.analysis import Findings
from codeagentd.model.results.retrieval_results import Community, GodNode, Surprise
from codeagentd.store.connection import Database

from .traversal import SymbolSummary, summaries

QUESTIONS: Final = 8


class Architecture(NamedTuple):
    """The whole architecture, each list with the most important first."""

    communities: list[Community]
    gods: list[GodNode]
    surprising: list[Surprise]
    questions: list[str]


def architecture(db: Database, analysis: Findings) -> Architecture:
    """Return the architecture from `analysis`, with names in place of numbers; symbols that were removed since are left
    out.
    """
    seen = analysis.overview
    numbers = [number for part in seen.parts for number in part.top] + [number for number, _ in seen.gods]
    known = summaries(db, [*numbers, *(number for meeting in seen.meetings for number in meeting.symbols)])
    parts = [Community(part.community, part.label, part.size, _names(known, part.top)) for part in seen.parts]
    gods = [
        GodNode(card.name, card.kind, card.path, card.line, count)
        for number, count in seen.gods
        if (card := known.get(number))
    ]
    surprising = [
        Surprise(meeting.source, meeting.target, _names(known, meeting.symbols), meeting.parts, meeting.reason)
        for meeting in seen.meetings
    ]
    return Architecture(parts, gods, surprising, _questions(gods, surprising, parts))


def _names(known: dict[int, SymbolSummary], numbers: list[int]) -> list[str]:
    return [known[number].name for number in numbers if number in known]


def _questions(gods: list[GodNode], surprising: list[Surprise], parts: list[Community]) -> list[str]:
    """Follow-up questions for this repository."""
    questions = [
        f"What breaks when {god.name} changes? Files that depend on it: {god.dependents} (impact_of)"
        for god in gods[:3]
    ]
    questions += [
        f"Why does {meeting.source} use {', '.join(meeting.symbols)} of {meeting.target}? {meeting.reason.capitalize()}"
        for meeting in surprising[:3]
    ]
    questions += [
        f"What is {part.label} for, and who uses {part.top_nodes[0]}? (explain_code, find_refs)"
        for part in parts[:2]
        if part.top_nodes
    ]
    return questions[:QUESTIONS]

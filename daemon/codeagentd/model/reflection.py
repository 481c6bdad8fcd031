"""Lessons in the answers of the toolset `reflection`. Optional fields are left out at their default."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from .kept_texts import NOT_KEPT
from .memory import AnswerValue

MAX_OUTPUT: Final = 10_000_000  # characters of an output: a day's log; less of it is read
MAX_WORDS: Final = 20_000

# it is read; excerpts of it are kept, without secrets
Output = Annotated[str, Meta(max_length=MAX_OUTPUT, extra=NOT_KEPT)]
Words = Annotated[str, Meta(max_length=MAX_WORDS)]
FeedbackType = Annotated[str, Meta(max_length=60)]


class Finding(AnswerValue, frozen=True):
    """One failure that the output of a tool reported.

    `path`: in this repository, else as the tool wrote it; `symbol`: the symbol at that place.
    """

    tool: str
    kind: str
    error: str = ""
    message: str = ""
    path: str = ""
    line: int = 0
    test: str = ""
    symbol: str = ""


class Lesson(msgspec.Struct, frozen=True):
    """The four answers of a reflection."""

    what_went_wrong: str
    root_cause: str
    what_to_try_next: str
    general_lesson: str


class Reflection(AnswerValue, frozen=True, kw_only=True):
    """The answer of the tool `reflect`: the four answers, the failures they are based on, and the episode that stores
    them.

    `outcome`: failure, success or unknown.
    """

    id: str
    what_went_wrong: str
    root_cause: str
    what_to_try_next: str
    general_lesson: str
    outcome: str
    feedback_type: str
    attempt_number: int
    findings: list[Finding]
    total_findings: int
    similar: list[str] = []
    note: str = ""


class Evidence(AnswerValue, frozen=True):
    """An episode that supports an advice.

    `approach`: what was tried; `lesson`: what it taught; `similarity` at most 1.
    """

    id: str
    similarity: float
    approach: str
    lesson: str
    task: str = ""
    model: str = ""
    error: str = ""
    status: str = ""


class Guidance(AnswerValue, frozen=True):
    """The answer of improved_attempt. `evidence`: the ids on which `recommended_approach` is based."""

    what_worked: list[Evidence]
    what_did_not: list[Evidence]
    recommended_approach: str
    evidence: list[str]
    findings: list[Finding] = []
    note: str = ""


class ModelRecord(AnswerValue, frozen=True):
    """The results of one model. `lower_bound`: of its share of successes, with 95 % confidence (Wilson)."""

    model: str
    successes: int
    attempts: int
    success_rate: float
    lower_bound: float


class Recommendation(AnswerValue, frozen=True):
    """The answer of model_effectiveness.

    `recommended_model` is missing where no results support one; `confidence` is its lower bound.
    """

    confidence: float
    reasoning: str
    models: list[ModelRecord]
    matching_episodes: int
    recommended_model: str = ""

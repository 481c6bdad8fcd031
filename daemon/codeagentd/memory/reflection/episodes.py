"""Episodes: one attempt each, stored with its outcome."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from codeagentd.memory.memory_store import Caller, Code, MemoryStore
from codeagentd.memory.team.memory_operations import store
from codeagentd.memory.write import draft
from codeagentd.model.memory import MAX_TITLE
from codeagentd.model.reflection import Finding, Lesson, Reflection
from codeagentd.secrets.redaction import redacted
from codeagentd.store.memory_backend import ServerAway

from . import advice
from .failure_locations import Traced, path_of, traced
from .failures import Fact, read
from .verdicts import verdict

FAILURE: Final = "failure"
SUCCESS: Final = "success"
UNKNOWN: Final = (
    # the feedback does not state the outcome; counting it as a failure would be unfair to a model and an approach
    "unknown"
)
EXCERPT: Final = 2_000  # characters kept of each text of an attempt: the important parts are in the findings
MAX_FINDINGS: Final = 20  # findings of one episode
FURTHER: Final = 40  # errors of an episode beyond its findings that are kept for comparison
LONGEST_ERROR: Final = 120  # characters of one error
ANCHORED: Final = 10  # symbols and files that are anchored

_WORKED: Final = frozenset(
    {"success", "successful", "succeeded", "passed", "pass", "worked", "fixed", "resolved", "solved", "done", "ok"}
)
# kinds of feedback that stand for a failure
_FAILING: Final = re.compile(r"fail|error|exception|crash|time_?out", re.IGNORECASE)
_FAILED: Final = frozenset(
    {"failure", "failed", "fail", "error", "broken", "wrong", "rejected", "abandoned", "timeout"}
)

_UNDECIDED: Final = (
    "the feedback says neither that it failed nor that it worked, so the outcome is unknown and counts for nothing: "
    "update the episode with metadata "
    '{"outcome": "success"} or {"outcome": "failure"}'
)


class Attempt(msgspec.Struct, frozen=True):
    """An attempt and the feedback on it: the parameters of reflect."""

    output: str
    feedback: str
    feedback_type: str
    task: str
    approach: str
    model_used: str
    code_context: str
    file_path: str


def worked(outcome: str, *, resolved_a_task: bool = False) -> bool | None:
    """Return whether an episode with this outcome succeeded; None when the outcome does not state that. One that
    `resolved_a_task` did.
    """
    plain = outcome.strip().lower()
    if resolved_a_task or plain in _WORKED:
        return True
    return False if plain in _FAILED else None


def reflect(memories: MemoryStore, caller: Caller, code: Code, attempt: Attempt) -> Reflection:
    """Store `attempt` as an episode, with the lessons of its output, and return them as the tool's answer. Errors:
    invalid_parameter.
    """
    facts, outcome = _judged(attempt)
    failures = traced(code, facts)
    lesson = _lesson(code, attempt, failures, outcome)
    kind = attempt.feedback_type or (facts[0].kind if facts else "")
    views = [failure.view() for failure in failures[:MAX_FINDINGS]]
    metadata = _metadata(memories, code, attempt, lesson, outcome, kind, views, failures)
    if further := [error[:LONGEST_ERROR] for error in errors_of(facts[MAX_FINDINGS:])][:FURTHER]:
        metadata["further_errors"] = further
    tags = [tag for tag in (kind and f"feedback:{kind}", attempt.model_used and f"model:{attempt.model_used}") if tag]
    new_draft = draft(
        memories,
        code,
        "episode",
        _title(attempt, failures, outcome),
        _content(attempt, lesson, outcome, kind, views),
        metadata,
        tags,
        1.0,
    )
    stored = store(memories, caller, code, "episode", new_draft, "", "")
    known = stored.metadata  # for a call that was sent again: the recorded answer
    return Reflection(
        id=stored.id,
        **known["reflection"],
        outcome=known["outcome"],
        feedback_type=known["feedback_type"],
        attempt_number=known["attempt_number"],
        findings=msgspec.convert(known["findings"], list[Finding]),
        total_findings=len(facts),
        similar=[link.id for link in stored.links],
        note="; ".join(filter(None, (stored.note, _UNDECIDED if known["outcome"] == UNKNOWN else ""))),
    )


def _judged(attempt: Attempt) -> tuple[list[Fact], str]:
    """The failures in an attempt's feedback, or else in its output, and its outcome. An output that no rule recognises
    does not count as a failure.
    """
    if facts := read(attempt.feedback):
        return facts, FAILURE
    has_succeeded = True if attempt.feedback_type.lower() in _WORKED else verdict(attempt.feedback)
    if has_succeeded:
        return [], SUCCESS
    if facts := read(attempt.output):
        return facts, FAILURE
    is_failure = has_succeeded is False or (attempt.feedback.strip() and _FAILING.search(attempt.feedback_type))
    return [], FAILURE if is_failure else UNKNOWN


def _lesson(code: Code, attempt: Attempt, failures: Sequence[Traced], outcome: str) -> Lesson:
    if outcome == SUCCESS:
        return advice.success(attempt.approach)
    return (
        advice.lesson(code, failures, attempt.feedback, attempt.approach)
        if outcome == FAILURE
        else advice.unknown(attempt.feedback)
    )


def errors_of(facts: Iterable[Fact]) -> list[str]:
    """Return the distinct errors in `facts`, each with its message."""
    errors = (": ".join(filter(None, (fact.error, fact.message))) for fact in facts)
    return list(dict.fromkeys(filter(None, errors)))


def _metadata(
    memories: MemoryStore,
    code: Code,
    attempt: Attempt,
    lesson: Lesson,
    outcome: str,
    kind: str,
    views: Sequence[Finding],
    failures: Sequence[Traced],
) -> dict[str, Any]:
    task = redacted(attempt.task[:EXCERPT])
    earlier = _attempts(memories, task) if task else 0
    texts = {
        "approach": attempt.approach,
        "feedback": attempt.feedback,
        "code_context": attempt.code_context,
        "output": attempt.output,
    }
    return {
        **{name: text[:EXCERPT] for name, text in texts.items() if text},
        "task": task,
        "outcome": outcome,
        "feedback_type": kind,
        "model_used": attempt.model_used,
        "attempt_number": earlier + 1,
        "reflection": msgspec.to_builtins(lesson),
        "findings": msgspec.to_builtins(views),
        "anchors": _anchors(code, attempt.file_path, failures),
    }


def _attempts(memories: MemoryStore, task: str) -> int:
    """How many episodes are about exactly this task; while a team's server is away, of those that have copies."""
    try:
        with memories.store.read() as db:
            return int(db.value("reflection.attempts", (task,)))
    except ServerAway:
        if memories.offline is None:
            raise
        with memories.offline.copies.read() as copies:
            return int(copies.value("reflection.attempts", (task,)))


def _anchors(code: Code, file_path: str, failures: Sequence[Traced]) -> list[str]:
    """The anchors of an episode: the symbols at the places of the failures, and the file that was being changed."""
    spots = [spot for failure in failures for spot in failure.spots]
    names = [spot.symbol or spot.path for spot in spots]
    if file_path:
        with code.read() as db:
            names.append(path_of(db, code, file_path))
    return list(dict.fromkeys(filter(None, names)))[:ANCHORED]


def _title(attempt: Attempt, failures: Sequence[Traced], outcome: str) -> str:
    if not failures:
        return (attempt.task or f"{outcome} without a task")[:MAX_TITLE]
    fact, spot = failures[0].fact, failures[0].cause
    return f"{fact.error or fact.kind} in {spot.symbol or spot.path if spot else fact.test or fact.tool}"[:MAX_TITLE]


def _content(attempt: Attempt, lesson: Lesson, outcome: str, kind: str, views: Sequence[Finding]) -> str:
    parts = {
        "Task": attempt.task[:EXCERPT],
        "Approach": attempt.approach[:EXCERPT],
        "Outcome": f"{outcome} ({kind})" if kind else outcome,
        "What went wrong": lesson.what_went_wrong,
        "Root cause": lesson.root_cause,
        "To try next": lesson.what_to_try_next,
        "Lesson": lesson.general_lesson,
        "Found": "; ".join(f"{view.path}:{view.line} {view.error} {view.message}".strip(": ") for view in views),
    }
    return "\n".join(f"{name}: {text}" for name, text in parts.items() if text)

"""Episodes: one attempt each, kept with what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from codeagentd.memory.keeper import Caller, Code, Keeper
from codeagentd.memory.writing import draft, store
from codeagentd.model.memory import MAX_TITLE
from codeagentd.model.reflection import Finding, Lesson, Reflection
from codeagentd.model.secrets import redacted

from . import advice
from .facts import has_passed, read
from .places import Traced, path_of, traced

FAILURE: Final = "failure"
SUCCESS: Final = "success"
EXCERPT: Final = 2_000  # characters kept of each text that was handed over: what of it matters is in the findings
KEPT: Final = 20  # findings of one episode
ANCHORED: Final = 10  # symbols and files

_WORKED: Final = frozenset({"success", "successful", "succeeded", "passed", "pass", "worked", "fixed", "resolved", "solved", "done", "ok"})
_FAILED: Final = frozenset({"failure", "failed", "fail", "error", "broken", "wrong", "rejected", "abandoned", "timeout"})


class Attempt(msgspec.Struct, frozen=True):
    """What somebody did and what they were told: reflect's parameters."""

    output: str
    feedback: str
    feedback_type: str
    task: str
    approach: str
    model_used: str
    code_context: str
    file_path: str


def worked(outcome: str, *, resolved_a_task: bool = False) -> bool | None:
    """Did it? None when the episode does not say."""
    plain = outcome.strip().lower()
    if resolved_a_task or plain in _WORKED:
        return True
    return False if plain in _FAILED else None


def reflect(keeper: Keeper, caller: Caller, code: Code, attempt: Attempt) -> Reflection:
    """Keep an attempt as an episode, with what can be learned from its output. Errors: invalid_parameter."""
    facts = read(attempt.feedback) or read(attempt.output)
    found = traced(code, facts)
    is_success = not facts and (attempt.feedback_type.lower() in _WORKED or has_passed(attempt.feedback))
    lesson = advice.success(attempt.approach) if is_success else advice.lesson(code, found, attempt.feedback, attempt.approach)
    kind = attempt.feedback_type or (facts[0].kind if facts else "")
    outcome = SUCCESS if is_success else FAILURE
    views = [one.view() for one in found[:KEPT]]
    metadata = _metadata(keeper, code, attempt, lesson, outcome, kind, views, found)
    tags = [tag for tag in (kind and f"feedback:{kind}", attempt.model_used and f"model:{attempt.model_used}") if tag]
    said = draft(keeper, code, "episode", _title(attempt, found, outcome), _content(attempt, lesson, outcome, kind, views), metadata, tags, 1.0)
    kept = store(keeper, caller, code, "episode", said, "", "")
    known = kept.metadata  # of a call that was sent again: what was answered then
    return Reflection(
        id=kept.id,
        **known["reflection"],
        outcome=known["outcome"],
        feedback_type=known["feedback_type"],
        attempt_number=known["attempt_number"],
        findings=msgspec.convert(known["findings"], list[Finding]),
        total_findings=len(facts),
        similar=[link.id for link in kept.links],
        note=kept.note,
    )


def _metadata(
    keeper: Keeper, code: Code, attempt: Attempt, lesson: Lesson, outcome: str, kind: str, views: Sequence[Finding], found: Sequence[Traced]
) -> dict[str, Any]:
    task = redacted(attempt.task[:EXCERPT])
    with keeper.store.read() as db:
        earlier = db.value("reflection.attempts", (task,)) if task else 0
    texts = {"approach": attempt.approach, "feedback": attempt.feedback, "code_context": attempt.code_context, "output": attempt.output}
    return {
        **{name: text[:EXCERPT] for name, text in texts.items() if text},
        "task": task,
        "outcome": outcome,
        "feedback_type": kind,
        "model_used": attempt.model_used,
        "attempt_number": earlier + 1,
        "reflection": msgspec.to_builtins(lesson),
        "findings": msgspec.to_builtins(views),
        "anchors": _anchors(code, attempt.file_path, found),
    }


def _anchors(code: Code, file_path: str, found: Sequence[Traced]) -> list[str]:
    """The symbols where it failed and the file that was being changed."""
    spots = [spot for one in found for spot in one.spots]
    names = [spot.symbol or spot.path for spot in spots]
    if file_path:
        with code.read() as db:
            names.append(path_of(db, code, file_path))
    return list(dict.fromkeys(filter(None, names)))[:ANCHORED]


def _title(attempt: Attempt, found: Sequence[Traced], outcome: str) -> str:
    if not found:
        return (attempt.task or f"{outcome} without a task")[:MAX_TITLE]
    fact, spot = found[0].fact, found[0].cause
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

"""Answers that name only tools of their session: advice to use another one costs a model a call that is refused."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Any, Final

from .call import Answer

_TOOL: Final = re.compile(r"[a-z]+(?:_[a-z]+)+")


def without_tools(answer: Answer, missing: AbstractSet[str]) -> Answer:
    """Return `answer` without the clauses of its remedy and its note that name one of the tools `missing`, which the
    session does not offer.
    """
    value = answer.structured
    error, note = value.get("error"), value.get("note")
    changed: dict[str, Any] = {}
    if isinstance(error, dict) and isinstance(remedy := error.get("remedy"), str):
        shorter = _without(remedy, missing)
        changed = {"error": _with(error, "remedy", shorter)} if shorter != remedy else {}
    elif isinstance(error, str) and (shorter := _without_remedy(error, missing)) != error:
        changed = {"error": shorter}
    if isinstance(note, str) and (shorter := _without(note, missing)) != note:
        value = _with(value, "note", shorter)
    if not changed and value is answer.structured:
        return answer
    return answer.with_value(value | changed)


def _without_remedy(text: str, missing: AbstractSet[str]) -> str:
    """The text of an error in the form of page 004, `fault: remedy`, without the clauses that name a tool `missing`."""
    first = next((match.start() for match in _TOOL.finditer(text) if match[0] in missing), 0)
    fault, colon, _ = text[:first].rpartition(": ")
    if not colon:
        return text
    remedy = _without(text[len(fault) + len(colon) :], missing)
    return f"{fault}{colon}{remedy}" if remedy else fault


def _with(fields: dict[str, Any], name: str, text: str) -> dict[str, Any]:
    """The fields with this text, or without the field if nothing is left of its text."""
    return {key: text if key == name else value for key, value in fields.items() if key != name or text}


def _without(text: str, missing: AbstractSet[str]) -> str:
    return "; ".join(clause for clause in text.split("; ") if missing.isdisjoint(_TOOL.findall(clause)))

"""Answers that name only tools of their session: advice to use another one costs a model a call that is refused."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Any, Final

import msgspec

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
        changed = {"error": error | {"remedy": shorter}} if shorter != remedy else {}
    if isinstance(note, str) and (shorter := _without(note, missing)) != note:
        changed["note"] = shorter
    if not changed:
        return answer
    value = value | changed
    return msgspec.structs.replace(answer, structured=value, text=msgspec.json.encode(value).decode())


def _without(text: str, missing: AbstractSet[str]) -> str:
    return "; ".join(clause for clause in text.split("; ") if missing.isdisjoint(_TOOL.findall(clause)))

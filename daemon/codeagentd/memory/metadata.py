"""The rules of a memory's metadata. Each type of memory has its own fields with types; other fields are stored
unchecked.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from codeagent_protocol.errors import InvalidParameter

MAX_BYTES: Final = 50_000  # bytes of metadata as JSON: longer texts belong into the content
MAX_DEPTH: Final = 8
ANCHORS: Final = "anchors"


class _Any(msgspec.Struct, omit_defaults=True):
    anchors: list[str] = []


class _Knowledge(_Any):
    keywords: list[str] = []
    context: str = ""
    source: str = ""


class _Reflection(msgspec.Struct):
    what_went_wrong: str = ""
    root_cause: str = ""
    what_to_try_next: str = ""
    general_lesson: str = ""


class _Episode(_Any):
    task: str = ""
    approach: str = ""
    outcome: str = ""
    feedback: str = ""
    feedback_type: str = ""
    reflection: _Reflection = msgspec.field(default_factory=_Reflection)
    model_used: str = ""
    attempt_number: int = 1


class _Decision(_Any):
    options_considered: list[Any] = []
    chosen: str = ""
    rationale: str = ""
    status: str = ""


class _Pattern(_Any):
    language: str = ""
    category: str = ""
    frequency: float = 0
    last_applied: str = ""


class _CodeChunk(_Any):
    file_path: str = ""
    language: str = ""
    chunk_type: str = ""
    name: str = ""
    start_line: int = 1
    end_line: int = 1
    file_hash: str = ""
    dependencies: list[str] = []
    parent_name: str = ""


_SHAPES: Final = {
    "knowledge": _Knowledge,
    "episode": _Episode,
    "decision": _Decision,
    "pattern": _Pattern,
    "code_chunk": _CodeChunk,
}


def checked(kind: str, metadata: dict[str, Any]) -> dict[str, Any]:
    """Return `metadata` after checking it for memories of type `kind`. Errors: invalid_parameter, naming the field."""
    if _depth(metadata) > MAX_DEPTH:
        raise InvalidParameter(
            f"metadata is nested more than {MAX_DEPTH} deep", remedy="flatten it", parameter="metadata"
        )
    try:
        size = len(msgspec.json.encode(metadata))
    except (msgspec.MsgspecError, UnicodeEncodeError, ValueError) as error:
        raise InvalidParameter(
            f"metadata is no JSON: {error}", remedy="send well-formed JSON", parameter="metadata"
        ) from None
    if size > MAX_BYTES:
        raise InvalidParameter(
            f"metadata has {size} bytes, more than {MAX_BYTES}",
            remedy="put long texts into content",
            parameter="metadata",
        )
    try:
        msgspec.convert({name: value for name, value in metadata.items() if value is not None}, _SHAPES[kind])
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$.")
        field = where.rstrip("`")
        raise InvalidParameter(
            f"metadata.{field} of a {kind}: {what.lower()}",
            remedy=f"fields of a {kind}: {fields(kind)}",
            parameter="metadata",
        ) from None
    return metadata


def fields(kind: str) -> str:
    """Return the names and types of the fields of memories of type `kind`, in words."""
    return ", ".join(_SHAPES[kind].__struct_fields__)


def merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return `old` with `new` merged into it, objects field by field; a null removes a field."""
    result = dict(old)
    for name, value in new.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict) and isinstance(result.get(name), dict):
            result[name] = merged(result[name], value)
        else:
            result[name] = value
    return result


def _depth(value: Any) -> int:
    deepest, waiting = 0, [(value, 1)]
    while waiting and deepest <= MAX_DEPTH:
        item, depth = waiting.pop()
        deepest = max(deepest, depth)
        inner = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        waiting += [(child, depth + 1) for child in inner if isinstance(child, dict | list)]
    return deepest

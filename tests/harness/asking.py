"""Asking a tool as a session does, and holding its answer to what its listing promises."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped]  # it has no type information

from codeagentd.toolkit.call import Answer, run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.schema import answer_schema
from codeagentd.toolkit.toolsets import load

CATALOGUE: Final = load("codeagentd.tools")
OWN: Final = frozenset({"results", "metadata", "unknown", "parameter"})  # fields that may be empty in any answer


def ask(ctx: Context, tool: str, **arguments: Any) -> Answer:
    """An answer that is no error: its text says what its structured content does, in the shape of its schema."""
    answer = run(CATALOGUE[tool], ctx, arguments)
    assert not answer.is_error, answer.text
    assert json.loads(answer.text) == answer.structured
    validate(tool, answer.structured)
    return answer


def validate(tool: str, structured: dict[str, Any]) -> None:
    """Hold an answer that is no error to what its tool lists, and to every field that the tool's answers always have."""
    for validator in _validators(tool):
        validator.validate(structured)


@functools.cache
def _validators(tool: str) -> list[Any]:
    """One for each schema of a tool's answers. Schemas are checked once: that costs far more than an answer does."""
    schemas = (CATALOGUE[tool].output_schema, answer_schema(CATALOGUE[tool].result))
    for schema in schemas:
        jsonschema.Draft202012Validator.check_schema(schema)
    return [jsonschema.Draft202012Validator(schema) for schema in schemas]


def blanks(value: Any, place: str = "") -> Iterator[str]:
    """The places of what is empty, false or null in an answer for a model; a list that the question was about may be empty,
    and what the client itself has passed or stored.
    """
    if isinstance(value, dict):
        for name, item in value.items():
            if name not in OWN:
                yield from blanks(item, f"{place}.{name}")
    elif isinstance(value, list):
        for item in value:
            yield from blanks(item, f"{place}[]")
    if value is None or value is False or value in ("", [], {}):
        yield place

"""Clients on the official TypeScript SDK check an answer against the tool's output schema, errors too, and throw away what does not fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.asking import validate
from tests.harness.node_client import Ask
from tests.harness.typescript import typescript_client
from tests.harness.world import BIN, World

Json = dict[str, Any]

NOT_THERE = {
    "string": "no_such_thing_zz",
    "integer": -1,
    "number": -1.5,
    "boolean": "neither",
    "array": ["no/such/thing"],
    "object": {},
}
pytestmark = pytest.mark.limit(180)  # where the SDK has to be fetched


@pytest.fixture(scope="module")
def ask(shared_world: World, indexed_shop: Path) -> Iterator[Ask]:
    command = [str(BIN / "codeagent-mcp"), "--repo", str(indexed_shop), "--toolsets", "all,hierarchy"]
    with typescript_client(command, shared_world.environment) as asking:
        yield asking


@pytest.fixture(scope="module")
def tools(ask: Ask) -> dict[str, Json]:
    return {tool["name"]: tool for tool in ask({"list": True})["result"]["tools"]}


def attempts(tool: Json) -> list[Json]:
    """Wrong arguments: none, values that do not exist, parameters that are not defined."""
    schema = tool["inputSchema"]
    nowhere = {name: NOT_THERE[schema["properties"][name]["type"]] for name in schema.get("required", ())}
    return [{}, nowhere, {"no_such_parameter": 1}]


def readable(answer: Json) -> Json:
    """The structured content of an answer that the SDK let through, which its text repeats."""
    assert "thrown" not in answer, answer["thrown"]
    result: Json = answer["result"]
    structured: Json = result["structuredContent"]
    assert json.loads(result["content"][0]["text"]) == structured
    return structured


def is_error(structured: Json) -> bool:
    """Whether it has the form that errors have: an object with a code and a message, or page 004's two texts."""
    error = structured.get("error")
    fields = error if isinstance(error, dict) else {"code": structured.get("code"), "message": error}
    return all(isinstance(fields.get(name), str) and fields[name] for name in ("code", "message"))


def test_every_error_of_every_tool_reaches_the_client(ask: Ask, tools: dict[str, Json]) -> None:
    refused = 0
    for name, tool in tools.items():
        for arguments in attempts(tool):
            answer = ask({"name": name, "arguments": arguments})
            structured = readable(answer)
            if answer["result"].get("isError"):
                refused += 1
                assert is_error(structured), structured
            else:
                validate(name, structured)
    assert len(tools) > 60
    assert refused > 2 * len(
        tools
    )  # an unknown parameter each, and nearly always something that is required or nowhere


def test_a_name_that_several_symbols_have_is_answered_with_candidates(ask: Ask) -> None:
    error = readable(ask({"name": "get_symbol", "arguments": {"node_id": "apply"}}))["error"]
    assert error["code"] == "invalid_parameter"
    assert {candidate["qualified_name"] for candidate in error["candidates"]} == {
        "shop.pricing.Discount.apply",
        "shop.pricing.HolidayDiscount.apply",
    }


def test_a_tool_that_is_not_there_is_an_error_of_the_same_form(ask: Ask) -> None:
    answer = ask({"name": "get_caller", "arguments": {}})
    assert is_error(readable(answer))
    assert answer["result"]["isError"] is True

"""Arguments under the words of other tools: understood where they can mean only one parameter, else refused."""

from __future__ import annotations

from typing import Any, Final

import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagentd.toolkit.call import SAME, checked
from codeagentd.toolkit.tool import Tool
from codeagentd.toolkit.toolsets import load

CATALOGUE: Final = load("codeagentd.tools")
GROUPS: Final = [
    pytest.param(tool, words, id=f"{tool.name}-{words[0]}")
    for tool in CATALOGUE.values()
    for words in SAME
    if any(word in tool.input_schema["properties"] for word in words)
]


def own_words(tool: Tool, words: tuple[str, ...]) -> list[str]:
    return [word for word in words if word in tool.input_schema["properties"]]


def example(schema: dict[str, Any]) -> Any:
    """A value that a parameter's schema admits."""
    if "enum" in schema:
        return schema["enum"][0]
    values = {"string": "words", "integer": schema.get("minimum", 1), "number": 0.5, "boolean": True, "object": {}}
    return values[schema["type"]] if schema["type"] != "array" else []


def required(tool: Tool, *besides: str) -> dict[str, Any]:
    """The arguments that a tool needs, except some."""
    properties = tool.input_schema["properties"]
    return {name: example(properties[name]) for name in tool.input_schema.get("required", []) if name not in besides}


@pytest.mark.parametrize(("tool", "words"), GROUPS)
def test_a_tool_understands_every_word_for_its_parameter(tool: Tool, words: tuple[str, ...]) -> None:
    own = own_words(tool, words)
    needed = [word for word in own if word in tool.input_schema.get("required", [])]
    meant = (needed or own)[0]
    if len(needed or own) > 1:
        return
    value = example(tool.input_schema["properties"][meant])
    for word in words:
        if word not in tool.input_schema["properties"]:
            parameters = checked(tool, required(tool, meant) | {word: value})
            assert getattr(parameters, meant) == value


@pytest.mark.parametrize(("tool", "words"), GROUPS)
def test_an_argument_under_two_words_is_refused(tool: Tool, words: tuple[str, ...]) -> None:
    own = own_words(tool, words)
    others = [word for word in words if word not in tool.input_schema["properties"]]
    value = example(tool.input_schema["properties"][own[0]])
    given_twice = [{own[0]: value, others[0]: value}, {others[0]: value, own[0]: value}]
    if len(others) > 1:
        given_twice += [{others[0]: value, others[1]: value}, {others[1]: value, others[0]: value}]
    for arguments in given_twice:
        if len(own) > 1 and own[0] in arguments:
            continue  # the other word may mean its second parameter
        with pytest.raises(InvalidParameter) as refused:
            checked(tool, required(tool, *own) | arguments)
        assert refused.value.facts["parameter"] in words
        assert own[0] in refused.value.remedy


@pytest.mark.parametrize("word", ["text", "search", "question"])
def test_a_word_that_may_mean_either_of_two_parameters_is_refused(word: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        checked(CATALOGUE["structural_search"], {word: "MATCH (a) RETURN a"})
    assert refused.value.message == f"unknown parameter {word!r}"
    assert "query" in refused.value.remedy
    assert "pattern" in refused.value.remedy


def test_a_word_means_the_parameter_that_a_tool_requires() -> None:
    parameters = checked(CATALOGUE["plan_rename"], {"symbol": "Cart", "to": "Basket"})
    assert (getattr(parameters, "name", ""), getattr(parameters, "id", None)) == ("Cart", "")


def test_a_word_that_is_a_parameter_of_the_tool_means_that_one() -> None:
    parameters = checked(CATALOGUE["plan_rename"], {"name": "Cart", "to": "Basket", "id": "0" * 32})
    assert (getattr(parameters, "name", ""), getattr(parameters, "id", None)) == ("Cart", "0" * 32)


def test_a_misspelt_word_is_answered_with_the_one_like_it() -> None:
    with pytest.raises(InvalidParameter) as refused:
        checked(CATALOGUE["structural_search"], {"querry": "MATCH (a) RETURN a"})
    assert "did you mean 'query'?" in refused.value.remedy

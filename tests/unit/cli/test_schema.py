"""`codeagentd schema TOOL`: what one tool takes, in words and as JSON."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from codeagentd.cli.commands.call import parsed
from codeagentd.cli.commands.schema import PACKAGE
from codeagentd.cli.main import main
from codeagentd.cli.rendering.parameter_meanings import MEANINGS, SAMPLES
from codeagentd.cli.rendering.tool_schemas import example, kind, limits, meaning
from codeagentd.toolkit.toolsets import load

CATALOGUE = load(PACKAGE)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_parameter_of_a_tool_is_explained(name: str, capsys: pytest.CaptureFixture[str]):
    tool = CATALOGUE[name]
    assert main(["schema", name]) == 0
    out = capsys.readouterr().out
    properties: dict[str, Any] = tool.input_schema.get("properties", {})
    shown = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line[2] != " "]
    assert set(properties) <= set(shown)
    assert [parameter for parameter, about in properties.items() if not meaning(name, parameter, about)] == []
    assert main(["schema", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == tool.input_schema


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_example_of_a_tool_is_a_call_that_it_takes(name: str):
    program, command, tool, *words = shlex.split(example(CATALOGUE[name]))
    assert (program, command, tool) == ("codeagentd", "call", name)
    Draft202012Validator(CATALOGUE[name].input_schema).validate(parsed(words))


def test_only_parameters_that_exist_are_explained():
    names = {name for tool in CATALOGUE.values() for name in tool.input_schema.get("properties", {})}
    pairs = {f"{tool.name} {name}" for tool in CATALOGUE.values() for name in tool.input_schema.get("properties", {})}
    assert set(MEANINGS) | set(SAMPLES) <= names | pairs


@pytest.mark.parametrize("words", [["call", "get_callers", "--help"], ["call", "-h", "--repo", ".", "get_callers"]])
def test_the_help_of_a_call_is_the_schema_of_its_tool(words: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["schema", "get_callers"]) == 0
    schema = capsys.readouterr().out
    assert main(words) == 0
    assert capsys.readouterr().out == schema


@pytest.mark.parametrize("words", [["schema", "get_calers"], ["tools", "get_calers"], ["call", "get_calers", "--help"]])
def test_a_misspelled_tool_is_told_what_it_may_mean(words: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(words) == 2
    assert "did you mean 'get_callers'" in capsys.readouterr().err


def test_without_a_tool_the_names_of_all_are_listed(capsys: pytest.CaptureFixture[str]):
    assert main(["schema"]) == 0
    assert capsys.readouterr().out.splitlines() == list(CATALOGUE)
    assert main(["schema", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"tools": list(CATALOGUE)}


def test_a_tool_looks_alike_in_the_list_of_tools(capsys: pytest.CaptureFixture[str]):
    assert main(["schema", "search_code"]) == main(["tools", "search_code"]) == 0
    out = capsys.readouterr().out
    assert out[: len(out) // 2] == out[len(out) // 2 :]
    assert main(["tools", "search_code", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["inputSchema"] == CATALOGUE["search_code"].input_schema


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "integer"}, "integer"),
        ({"enum": ["a", "b", None]}, "a | b"),
        ({"enum": ["", "possible"]}, "possible"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string"),
        ({"type": ["string", "null"]}, "string"),
        ({"type": "array", "items": {"type": "string"}}, "list of strings"),
    ],
)
def test_a_type_is_a_word_or_two(schema: dict[str, object], word: str):
    assert kind(schema) == word


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"minimum": 1, "maximum": 5000}, "1 to 5,000"),
        ({"maxLength": 300}, "at most 300 characters"),
        ({"minItems": 1}, "at least 1 items"),
        ({}, ""),
    ],
)
def test_limits_are_told_in_words(schema: dict[str, object], words: str):
    assert limits(schema) == words

"""`codeagentd tools NAME`: what one tool takes."""

from __future__ import annotations

import json

import pytest

from codeagentd.cli.commands.tools import PACKAGE, kind
from codeagentd.cli.main import main
from codeagentd.toolkit.toolsets import load


@pytest.mark.parametrize("name", load(PACKAGE))
def test_every_parameter_of_a_tool_is_shown(name: str, capsys: pytest.CaptureFixture[str]):
    tool = load(PACKAGE)[name]
    assert main(["tools", name]) == 0
    out = capsys.readouterr().out
    shown = [
        line.split()[0] for line in out.rsplit("\n\n", 1)[-1].splitlines() if line.startswith("  ") and line[2] != " "
    ]
    assert set(tool.input_schema.get("properties", {})) <= set(shown)
    assert main(["tools", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["inputSchema"] == tool.input_schema


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "integer"}, "integer"),
        ({"enum": ["a", "b", None]}, "a | b"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string"),
        ({"type": ["string", "null"]}, "string"),
        ({"type": "array", "items": {"type": "string"}}, "list of strings"),
    ],
)
def test_a_type_is_a_word_or_two(schema: dict[str, object], word: str):
    assert kind(schema) == word

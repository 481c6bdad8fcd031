"""The examples of the contributing page are code that could be written today."""

from __future__ import annotations

import ast
import importlib
import re
import textwrap
from pathlib import Path

import pytest

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "contributing.md").read_text()
EXAMPLES = [textwrap.dedent(code) for code in re.findall(r"^ *```python\n(.*?)^ *```", TEXT, re.MULTILINE | re.DOTALL)]
NEW = {"codeagentd.query.symbols.kind_counts"}  # modules that an example adds


@pytest.mark.parametrize("code", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_python_whose_imports_exist(code: str) -> None:
    for node in ast.parse(code).body:
        if isinstance(node, ast.ImportFrom) and not node.level and node.module and node.module not in NEW:
            module = importlib.import_module(node.module)
            assert all(hasattr(module, alias.name) for alias in node.names), node.module


def test_there_are_examples_of_a_tool_a_rule_and_a_command() -> None:
    assert len(EXAMPLES) >= 5

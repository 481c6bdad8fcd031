"""Answers of tools as people read them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from codeagentd.cli.command_list import COMMANDS, QUESTIONS
from codeagentd.cli.commands.tool_commands import QUESTIONS as TABLE
from codeagentd.cli.main import parser_of
from codeagentd.cli.rendering import tool_answers
from codeagentd.cli.rendering.console import Paint
from codeagentd.cli.rendering.source_places import Place
from codeagentd.toolkit.toolsets import load

PLAIN = Paint(on=False)
INDEX = {"exists": True, "stale": False, "built_at": "", "files_changed_since_build": 0}
CATALOGUE = load("codeagentd.tools")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "app" / "web").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "app")
    return Path(os.path.realpath(tmp_path))


def test_places_are_named_as_a_terminal_here_finds_them(root: Path, monkeypatch: pytest.MonkeyPatch):
    place = Place(str(root))
    assert (place("app/web/x.py", 3), place("lib/y.py")) == ("web/x.py:3", "../lib/y.py")
    assert place("external:python/requests", 0) == "external:python/requests"
    monkeypatch.chdir(root.parent)
    assert Place(str(root))("lib/y.py", 1) == f"{root}/lib/y.py:1"


def test_names_from_a_repository_cannot_steer_the_terminal(root: Path):
    hit = {
        "rank": 1,
        "path": "a\x1b[2J.py",
        "lines": [1, 2],
        "reason": "x\x07",
        "snippet": "print('\x1b]0;gone\x07')\n\tx = 1  # \u202e\u2066 admin \U000e0041\u2028",
    }
    shown = "\n".join(
        tool_answers.search({"index": INDEX, "results": [hit], "recommended_reads": []}, PLAIN, Place(str(root)))
    )
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert not set("\u202e\u2066\U000e0041\u2028") & set(shown), "nor have it read in another order"
    assert "\tx" in shown


def test_lines_of_a_snippet_have_their_numbers(root: Path):
    hit = {
        "rank": 1,
        "path": "a.py",
        "lines": [98, 140],
        "reason": "text",
        "snippet": "def f(\n    x,\n):\n…120:\n    return x\n…",
    }
    shown = tool_answers.search({"index": INDEX, "results": [hit], "recommended_reads": []}, PLAIN, Place(str(root)))
    assert shown[1:] == [
        "     98  def f(",
        "     99      x,",
        "    100  ):",
        "      …",
        "    120      return x",
        "      …",
    ]


def test_colours_come_with_a_terminal_alone(root: Path):
    site = {"path": "a.py", "line": 2, "column": 0, "kind": "calls", "confidence": "inferred"}
    answer: dict[str, Any] = {
        "index": INDEX,
        "symbol": {"name": "f", "kind": "function", "path": "a.py", "line": 1},
        "sites": [site],
        "note": "one more",
    }
    place = Place(str(root))
    assert tool_answers.refs(answer, PLAIN, place) == [
        "../a.py:1  f  function",
        "../a.py:2:1  calls  inferred",
        "one more",
    ]
    assert "\x1b[36m../a.py:2:1\x1b[0m" in "\n".join(tool_answers.refs(answer, Paint(on=True), place))


def test_an_answer_that_lacks_something_says_what(root: Path):
    answer = {
        "index": {**INDEX, "stale": True, "files_changed_since_build": 3},
        "results": [],
        "next_cursor": "abc",
        "note": "cut",
    }
    assert tool_answers.symbols(answer, PLAIN, Place(str(root))) == [
        "nothing found",
        "cut",
        "the index is behind by 3 files",
        "more: --cursor abc",
    ]


@pytest.mark.parametrize("name", TABLE)
def test_a_question_takes_what_its_tool_takes_and_no_more(name: str):
    asked = TABLE[name]
    words = [word for word, _, _ in asked.words]
    options = [setting.get("dest", flag.removeprefix("--").replace("-", "_")) for flag, setting in asked.options]
    schema = CATALOGUE[asked.tool].input_schema
    assert set(words) == set(schema.get("required", []))
    assert set(words + options) <= schema["properties"].keys()
    arguments = parser_of(name).parse_args(words)
    assert asked.parameters(arguments) == {word: word for word in words}


def test_every_question_is_a_command():
    assert TABLE.keys() == QUESTIONS <= COMMANDS.keys()


def test_lines_of_source_come_without_secrets_and_controls(root: Path):
    (root / "a.py").write_text('connect(password="hunter2hunter2!x")\n\tcall(1)\x1b[2J\n')
    place = Place(str(root))
    assert "hunter2" not in place.source("a.py", 1)
    assert place.source("a.py", 2) == "call(1)\N{REPLACEMENT CHARACTER}[2J"
    assert (place.source("a.py", 3), place.source("nowhere.py", 1), place.source("external:python/os", 1)) == (
        "",
        "",
        "",
    )


def test_a_line_of_source_is_whole_unless_it_is_generated(root: Path):
    (root / "a.js").write_text("x" * 900 + "\n" + "y" * 5000 + "\n")
    place = Place(str(root))
    assert place.source("a.js", 1) == "x" * 900
    assert place.source("a.js", 2) == "y" * 999 + "…"

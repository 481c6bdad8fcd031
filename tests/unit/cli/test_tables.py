"""Tables on terminals and in pipes."""

from __future__ import annotations

import re

import pytest

from codeagentd.cli.rendering.console import Paint
from codeagentd.cli.rendering.numbered_snippets import numbered
from codeagentd.cli.rendering.tables import table, with_source
from codeagentd.cli.rendering.text_wrapping import cut, visible

PLACES = [
    ["app/a.py:1:2", "app.a.first", "return compute(1, 2, 3, 4, 5, 6, 7)"],
    ["app/long/path.py:20:3", "app.long.path.second", "x = compute(2)"],
]
NAMES = [["app/a.py:1", "class", "app.a.First"], ["app/long/path.py:20", "function", "app.long.path.a_long_name"]]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr("codeagentd.cli.rendering.tables.is_terminal", lambda _: True)
    return monkeypatch


def test_a_pipe_gets_whole_lines_whatever_their_length(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "20")
    assert with_source(PLACES) == [
        "app/a.py:1:2           app.a.first           return compute(1, 2, 3, 4, 5, 6, 7)",
        "app/long/path.py:20:3  app.long.path.second  x = compute(2)",
    ]
    assert numbered("x" * 90, 7, Paint(on=False)) == ["    7  " + "x" * 90]


def test_a_terminal_gets_source_that_is_cut(terminal: pytest.MonkeyPatch):
    terminal.setenv("COLUMNS", "78")
    assert with_source(PLACES) == [
        "app/a.py:1:2           app.a.first           return compute(1, 2, 3, 4, 5, 6,…",
        "app/long/path.py:20:3  app.long.path.second  x = compute(2)",
    ]
    assert numbered("x" * 90, 7, Paint(on=False)) == ["    7  " + "x" * 70 + "…"]


def test_source_goes_below_where_there_is_no_room_beside_the_names(terminal: pytest.MonkeyPatch):
    terminal.setenv("COLUMNS", "45")
    assert with_source(PLACES) == [
        "app/a.py:1:2  app.a.first",
        "    return compute(1, 2, 3, 4, 5, 6, 7)",
        "app/long/path.py:20:3  app.long.path.second",
        "    x = compute(2)",
    ]


def test_sentences_in_the_last_column_are_wrapped_in_it(terminal: pytest.MonkeyPatch):
    terminal.setenv("COLUMNS", "42")
    assert table([["files", "read a directory and what is in its files"], ["navigation", "who calls"]], indent=0) == [
        "files       read a directory and what is",
        "            in its files",
        "navigation  who calls",
    ]


def test_names_that_do_not_fit_are_not_aligned_and_never_torn(terminal: pytest.MonkeyPatch):
    terminal.setenv("COLUMNS", "50")
    assert table(NAMES, indent=0) == [
        "app/a.py:1           class     app.a.First",
        "app/long/path.py:20  function",
        "    app.long.path.a_long_name",
    ]
    terminal.setenv("COLUMNS", "58")
    assert table(NAMES, indent=0)[1] == "app/long/path.py:20  function  app.long.path.a_long_name"


def test_numbers_are_aligned_as_far_as_there_is_room(terminal: pytest.MonkeyPatch):
    terminal.setenv("COLUMNS", "24")
    rows = [["a", "1", "a_name_of_this_size"], ["bb", "1,000", "x"]]
    assert table(rows, "<>", indent=0) == ["a  1  a_name_of_this_size", "bb  1,000  x"]
    terminal.setenv("COLUMNS", "40")
    assert table(rows, "<>", indent=0) == ["a       1  a_name_of_this_size", "bb  1,000  x"]


@pytest.mark.parametrize("width", [1, 5, 9, 10])
def test_what_is_cut_keeps_its_colours_and_closes_them(width: int):
    line = "\x1b[1mname\x1b[0m  \x1b[2mvalue\x1b[0m"
    shown = cut(line, width)
    assert visible(shown) == width
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == "name  value"[: width - 1] + "…"
    assert shown.endswith("\x1b[0m")
    assert cut(line, 11) == line

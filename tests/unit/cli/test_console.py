"""What people read: sizes, times and columns."""

from __future__ import annotations

import argparse
import io
import re

import pytest

from codeagentd.cli.rendering import console


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (12_345, "12 kB"),
        (34_500_000, "34.5 MB"),
        (345_000_000, "345 MB"),
        (2.5e9, "2.5 GB"),
    ],
)
def test_sizes_are_decimal_and_short(count: float, text: str):
    assert console.size(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1, "0 ms"),
        (0.014, "14 ms"),
        (4.21, "4.2 s"),
        (59, "59 s"),
        (200, "3 min"),
        (7500, "2 h 5 min"),
        (349_200, "4 d 1 h"),
    ],
)
def test_times_are_in_the_largest_useful_unit(seconds: float, text: str):
    assert console.duration(seconds) == text


def test_columns_line_up_whatever_the_colours():
    paint = console.Paint(on=True)
    lines = console.columns([[paint("ab", "red"), "1"], ["abc", "22"]], "<>", indent=0)
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines] == ["ab    1", "abc  22"]


def test_a_column_without_text_takes_no_room():
    assert console.columns([["ab", "", "1"], ["abc", "", "22"]], "<<>", indent=0) == ["ab    1", "abc  22"]


def test_no_rows_make_no_lines():
    assert console.columns([]) == []


def test_nothing_is_coloured_when_the_output_is_no_terminal():
    assert not console.paint_for(argparse.Namespace(no_color=False), io.StringIO()).on


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("flag", "variable", "coloured"), [(False, "", True), (True, "", False), (False, "1", False)])
def test_a_terminal_gets_colours_unless_somebody_objects(
    monkeypatch: pytest.MonkeyPatch, flag: bool, variable: str, coloured: bool
):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", variable)
    assert console.paint_for(argparse.Namespace(no_color=flag), Terminal()).on is coloured


def test_a_file_name_cannot_drive_the_terminal():
    assert "\x1b" not in console.plain("src/\x1b[2Jevil.py")


def test_one_thing_is_singular():
    assert (console.count(1, "file"), console.count(2_818, "file")) == ("1 file", "2,818 files")


@pytest.mark.parametrize(
    ("variables", "is_coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_can_be_forced_where_there_is_no_terminal(
    variables: dict[str, str], is_coloured: bool, monkeypatch: pytest.MonkeyPatch
):
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert console.paint_for(argparse.Namespace(no_color=False)).on == is_coloured
    assert not console.paint_for(argparse.Namespace(no_color=True)).on

"""Colours are where the text has them, whatever signs stand in other lines."""

from __future__ import annotations

from codeagentd.serve.page.source_colors import colors


def test_comments_strings_keywords_and_numbers_have_colours():
    found = colors("python", ["def f():", "    return 'é' + 12  # why"], 5)
    assert found == {
        "keyword": [(5, 0, 3), (6, 4, 6)],
        "string": found["string"],
        "number": [(6, 17, 2)],
        "comment": [(6, 21, 5)],
    }
    assert (6, 11, 1) in found["string"]


def test_columns_are_those_of_scripts():
    assert colors("python", ["x = '𝒳'; y = 1"], 1)["number"] == [(1, 14, 1)]


def test_signs_that_end_lines_elsewhere_shift_nothing():
    lines = ["a = 'x\x0cy'", "\x0c", "b = '\u2028\x85\x1c'", "c = 'lone \r return'", "d = 1"]
    assert colors("python", lines, 1)["number"] == [(5, 4, 1)]


def test_an_unknown_language_has_none():
    assert not any(colors("klingon", ["x = 1"], 1).values())

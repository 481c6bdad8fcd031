"""Positions of the language server, in three encodings, against the text itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagentd.lsp.open_documents import OpenDocument, TextChange
from codeagentd.lsp.positions import Encoding, Position, Range, TextLines, characters, units
from codeagentd.model.documents import Place

# letters of one to four bytes, a combining mark, signs beyond the basic plane, tabs, every line end, and a mark
SIGNS = st.sampled_from(
    ["a", "_", " ", "\t", "é", "ß", "中", "e\u0301", "😀", "𝒳", "\n", "\r\n", "\r", "\ufeff", "\u2028"]
)
TEXTS = st.lists(SIGNS, max_size=60).map("".join)
ENCODINGS = st.sampled_from(list(Encoding))
LINE_ENDS = re.compile("\r\n|\n|\r")


def encoded(text: str, encoding: Encoding) -> int:
    """The units of a text, counted by another way than the product's."""
    return sum(
        {"utf-8": len(sign.encode()), "utf-16": 1 + (ord(sign) > 0xFFFF), "utf-32": 1}[encoding] for sign in text
    )


@given(TEXTS, ENCODINGS)
def test_each_offset_is_found_again_through_its_position(text, encoding):
    lines = TextLines(text)
    for offset in range(len(text) + 1):
        position = lines.position(offset, encoding)
        before = text[:offset]
        ends = [match.end() for match in LINE_ENDS.finditer(text) if match.end() <= offset]
        start = ends[-1] if ends else 0
        assert position == Position(len(ends), encoded(before[start:], encoding))
        is_inside_line_end = text[offset - 1 : offset + 1] == "\r\n"
        assert lines.offset(position, encoding) == (offset - 1 if is_inside_line_end else offset)


@given(TEXTS, ENCODINGS, st.integers(0, 50), st.integers(0, 50))
def test_any_position_is_in_the_text_and_never_inside_a_character(text, encoding, line, character):
    lines = TextLines(text)
    offset = lines.offset(Position(line, character), encoding)
    assert 0 <= offset <= len(text)
    again = lines.position(offset, encoding)
    assert again <= Position(line, character) or line > again.line
    assert lines.offset(again, encoding) == offset


@given(TEXTS)
def test_places_of_the_index_count_lines_at_line_feeds_and_characters_after_the_mark(text):
    lines = TextLines(text)
    bare = text.removeprefix("\ufeff")
    skipped = len(text) - len(bare)
    for offset in range(skipped, len(text) + 1):
        before = bare[: offset - skipped]
        place = lines.place(offset)
        assert place == Place(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1))
        assert lines.offset_of(place) == offset
    assert [lines.line(number) for number in range(1, lines.count + 1)] == [
        line.removesuffix("\r") for line in bare.split("\n")
    ]
    assert list(lines.all) == [line.removesuffix("\r") for line in bare.split("\n")]


@given(TEXTS, ENCODINGS)
def test_units_and_characters_are_inverse_on_a_line(text, encoding):
    assert units(text, encoding) == encoded(text, encoding)
    for count in range(len(text) + 1):
        assert characters(text, units(text[:count], encoding), encoding) == count


@given(TEXTS, ENCODINGS, st.data())
def test_a_series_of_changes_makes_the_text_that_the_editor_has(text, encoding, data):
    document = OpenDocument("file:///a", "a", "", 0, text)
    theirs = text
    for version in range(data.draw(st.integers(1, 5))):
        points = [
            offset for offset in range(len(theirs) + 1) if theirs[max(0, offset - 1) : offset + 1] != "\r\n"
        ]  # no client puts its cursor between the two signs of a line end
        start, end = sorted((data.draw(st.sampled_from(points)), data.draw(st.sampled_from(points))))
        new = data.draw(TEXTS)
        lines = TextLines(theirs)
        change = TextChange(new, Range(lines.position(start, encoding), lines.position(end, encoding)))
        theirs = theirs[:start] + new + theirs[end:]
        document = document.changed(version, [change], encoding)
    assert document.text == theirs
    assert document.is_certain


@pytest.mark.parametrize(("start", "end"), [((2, 0), (1, 0)), ((-1, 0), (0, 0)), ((0, -3), (0, 1))])
def test_a_change_of_an_impossible_range_leaves_the_text_and_makes_it_uncertain(start, end):
    document = OpenDocument("file:///a", "a", "", 0, "one\ntwo\nthree")
    changed = document.changed(1, [TextChange("x", Range(Position(*start), Position(*end)))], Encoding.UTF16)
    assert (changed.text, changed.is_certain) == ("one\ntwo\nthree", False)
    assert changed.changed(2, [TextChange("new")], Encoding.UTF16).is_certain  # the whole text is sent again

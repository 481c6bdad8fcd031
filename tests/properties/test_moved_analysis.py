"""The analysis of an earlier text on the present one: no name is where another word is."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from codeagentd.model.documents import Definition, DocumentAnalysis, LocalVariable, NameUse
from codeagentd.pipeline.documents.moved_analysis import NOWHERE, moved

TEXTS = st.lists(st.sampled_from(["book", "lend", "x", " ", " ", "\n", "\n", "(", "é", "😀"]), max_size=40).map("".join)


def analysed(text: str) -> DocumentAnalysis:
    """An analysis in which every word is a use, a definition and a variable."""
    definitions, uses, variables = [Definition(0, "", "", 1, -1, 1, text.count("\n") + 1, 1, 0)], [], []
    for number, line in enumerate(text.split("\n"), 1):
        for word in re.finditer(r"\w+", line):
            uses.append(NameUse(number, word.start(), 1, 1, 0))
            definitions.append(Definition(1, word[0], word[0], 9, 0, number, number, number, word.start()))
            variables.append(LocalVariable(word[0], number, number, False, ((number, word.start(), True),)))
    return DocumentAnalysis("python", "full", definitions, uses, variables)


def word_at(text: str, line: int, column: int) -> str:
    match = re.compile(r"\w+").match(text.split("\n")[line - 1], column)
    return match[0] if match else ""


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_what_keeps_a_place_has_the_same_word_there_and_what_lies_outside_of_the_change_keeps_one(head, old, new, tail):
    before, after = f"{head}\n{old}\n{tail}", f"{head}\n{new}\n{tail}"
    result = moved(analysed(before), before, after)
    for definition in result.definitions[1:]:
        if definition.line != NOWHERE:
            assert word_at(after, definition.line, definition.column) == definition.name
    for variable in result.variables:
        for line, column, _ in variable.places:
            assert word_at(after, line, column) == variable.name
    places = {(use.line, use.column) for use in result.uses}
    assert all(word_at(after, *place) for place in places)
    outside = analysed(f"{head}\n").uses
    assert places >= {(use.line, use.column) for use in outside if use.line < head.count("\n") + 1}
    assert len(result.definitions) == len(analysed(before).definitions)


@given(TEXTS)
def test_the_same_text_has_the_same_analysis(text):
    assert moved(analysed(text), text, text) == analysed(text)

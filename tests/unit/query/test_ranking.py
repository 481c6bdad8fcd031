"""What a text search puts first."""

from __future__ import annotations

import pytest

from codeagentd.model.kinds import SymbolKind
from codeagentd.query.ranking import Candidate, definition, rank, read, stem


def chunk(number: int, path: str, text: float = 1.0, file: int = 0, language: str = "python", **values: float) -> Candidate:
    return Candidate(number, file or number, path, language, 1, 20, text=text, reasons=[], **values)  # type: ignore[arg-type]  # named in each test


def order(question: str, *candidates: Candidate) -> list[str]:
    return [one.path for one in rank(read(question), candidates, 10)]


def test_a_question_is_its_words_without_those_that_every_sentence_has() -> None:
    asked = read("how does the LoanRules class lend_book to readers")
    assert asked.words == ("loan", "rules", "class", "lend", "book", "readers")
    assert asked.names == ("LoanRules", "lend_book")
    assert not asked.is_name


@pytest.mark.parametrize("question", ["Shelf", "on"])
def test_one_word_alone_is_a_name(question: str) -> None:
    asked = read(question)
    assert asked.is_name
    assert asked.names == (question,)
    assert asked.words == (question.lower(),)


def test_words_meet_in_their_stems() -> None:
    assert stem("loading") == stem("loaded") == stem("loads") == "load"


def test_a_file_that_is_called_like_the_question_comes_before_one_with_the_same_text() -> None:
    assert order("loan rules", chunk(1, "a/other.py"), chunk(2, "a/loan_rules.py")) == ["a/loan_rules.py", "a/other.py"]


def test_the_definition_of_the_name_comes_before_its_uses() -> None:
    asked = read("Shelf")
    worth = definition(asked, "Shelf", "Shelf", SymbolKind.CLASS)
    assert worth > definition(asked, "shelf", "Shelf", SymbolKind.CLASS) > definition(asked, "shelf", "Shelf", SymbolKind.VARIABLE) > 0
    assert order("Shelf", chunk(1, "uses.py"), chunk(2, "defines.py", text=0.4, defined=worth)) == ["defines.py", "uses.py"]


def test_tests_examples_and_documents_come_after_code_unless_they_are_asked_for() -> None:
    several = (chunk(1, "tests/test_lend.py"), chunk(2, "examples/show.py"), chunk(3, "manual.md", language="markdown"), chunk(4, "lend.py", text=0.9))
    assert order("lend a book", *several)[0] == "lend.py"
    assert order("tests that lend a book", *several)[0] == "tests/test_lend.py"
    assert order("readme on renewing a book", chunk(3, "manual.md", language="markdown"), chunk(4, "other.py", text=0.9))[0] == "manual.md"


def test_one_file_does_not_fill_the_answer() -> None:
    found = order("books", *(chunk(number, "many.py", file=1, text=1 - number / 100) for number in range(8)), chunk(9, "one.py", text=0.5))
    assert found.count("many.py") == 4
    assert "one.py" in found


def test_a_file_with_several_good_chunks_comes_before_one_with_a_single_better_one() -> None:
    assert order("books", chunk(1, "one.py", text=1.0), *(chunk(number, "about.py", file=2, text=0.9) for number in (2, 3, 4)))[0] == "about.py"

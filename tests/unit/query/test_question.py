"""A question, parsed for retrieval."""

from __future__ import annotations

import pytest

from codeagentd.query.retrieval.question import read, stem


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


def test_the_name_of_a_file_is_not_taken_for_a_member() -> None:
    assert read("sessions.py").path == ""

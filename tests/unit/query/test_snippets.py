"""Which lines of a piece of code are shown."""

from __future__ import annotations

import pytest

from codeagentd.query.snippets import snippet

FINES = """\
def fine(loan, rate):
    '''What a late book costs.'''
    first = loan.start
    last = loan.end
    other = loan.other
    if loan.book.late:
        cost = rate * loan.days
    unrelated = 1
    more = 2
    much_more = 3
    return cost


def renew(loan):
    loan.days += 14
""".splitlines()


def words_of(text: str) -> int:
    return len(text.split())


def test_lines_that_say_a_word_of_the_question_are_shown_with_a_line_around() -> None:
    found = snippet(FINES, ["late"], {0, 13}, words_of, 1_000)
    assert found.text.split("\n") == [*FINES[:3], "    …", *FINES[4:7], "…", FINES[13], "…"]
    assert found.elided == len(FINES) - 7
    assert found.tokens == words_of(found.text)


def test_a_piece_that_is_nearly_all_needed_is_shown_whole() -> None:
    assert snippet(FINES[:3], ["late"], {0}, words_of, 1_000).text == "\n".join(FINES[:3])


@pytest.mark.parametrize("room", range(40))
def test_what_is_too_long_is_shortened_to_what_fits(room: int) -> None:
    found = snippet(FINES, ["late", "book"], {0, 13}, words_of, room)
    assert words_of(found.text) == found.tokens <= room
    assert (found.text == "") == (found.tokens == 0)


def test_the_lines_that_say_most_are_kept_longest() -> None:
    found = snippet(FINES, ["late", "book", "costs"], {0, 13}, lambda text: len(text) // 3, 20)
    assert "late book costs" in found.text
    assert "renew" not in found.text


@pytest.mark.parametrize(("room", "is_shown"), [(1_000, True), (10, False)])
def test_all_lines_are_shown_or_none_where_all_are_asked_for(room: int, is_shown: bool) -> None:
    found = snippet(FINES, ["late"], {0}, words_of, room, raw=True)
    assert found.text == ("\n".join(FINES) if is_shown else "")


def test_nothing_has_no_lines() -> None:
    assert snippet([], ["late"], {0}, words_of, 100).text == ""

"""Which lines of a piece of code are shown."""

from __future__ import annotations

import itertools

import pytest

from codeagentd.query.retrieval.code_layout import prose
from codeagentd.query.retrieval.snippets import Snippet, Source, snippet

FINES = """\
def fine(loan, rate):
    '''What a late book costs.'''
    first = loan.start
    last = loan.end_of_the_whole_term
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


DECORATED = """\
def error_task(self):
    x, y = 1, 0
    print(x / y)
    print(x + y + self.count)


@shared_task(
    bind=True,
    autoretry_for=(ZeroDivisionError,),
    max_tries=2, seconds_between=10, is_quick=False, acks=False,
    backoff=5,
)
def error_backoff_test(self):
    x, y = 1, 0
    print(x / y)
    return x / (y + self.count)
""".splitlines()

DOCUMENTED = '''\
def retry(self, args=None, kwargs=None,
          countdown=None, **options):
    """Retry the task.

    When retry is called, the task is sent again: retry counts.
    Arguments:
        args: what to retry with
        kwargs: what to retry with
        countdown: when to retry the task, in seconds
    """
    request = self.request
    retries = request.retries + 1
    if self.called_directly:
        raise_with_context(request)
    ret = Retry(self.task, countdown)
    return ret
'''.splitlines()


def words_of(text: str) -> int:
    return len(text.split())


def letters_of(text: str) -> int:
    return len(text) // 3


def shown(lines: list[str], words: list[str], heads: set[int], room: int, start: int = 1) -> Snippet:
    return snippet(Source(lines, start, heads, prose(lines)), words, letters_of, room)


def test_lines_that_say_a_word_of_the_question_are_shown_with_a_line_around() -> None:
    found = snippet(Source(FINES, 1, {0, 13}), ["late"], words_of, 1_000)
    assert found.text.split("\n") == [*FINES[:3], "…5:", *FINES[4:7], "…14:", *FINES[13:]]
    assert found.elided == len(FINES) - 8
    assert found.tokens == words_of(found.text)


def test_a_gap_says_the_number_of_the_line_behind_it() -> None:
    text = shown(FINES, ["late"], {0, 13}, 1_000, start=41).text.split("\n")
    for gap, line in itertools.pairwise(text):
        if gap.startswith("…"):
            assert line == FINES[int(gap[1:-1]) - 41]
    assert "…54:" in text


def test_a_line_or_blank_lines_are_not_left_out_for_a_sign_that_is_as_long() -> None:
    lines = [
        "RATE = 2",
        "",
        "",
        "def fine(days):",
        "    x = 1",
        "    return days * RATE",
        *["    # more to read here"] * 9,
    ]
    assert shown(lines, ["rate"], {0, 3}, 1_000).text.split("\n") == [*lines[:7], "…"]


def test_the_arguments_of_a_decorator_are_shown_with_the_decorator() -> None:
    assert shown(DECORATED, ["backoff"], {0, 12}, 40).text.split("\n") == [
        "def error_task(self):", "…7:", "@shared_task(", "…11:", "    backoff=5,", ")", "def error_backoff_test(self):", "…",
    ]  # fmt: skip


@pytest.mark.parametrize("room", range(60))
def test_an_argument_is_never_shown_without_its_call(room: int) -> None:
    text = shown(DECORATED, ["backoff", "acks", "tries"], {0, 12}, room).text
    assert "@shared_task(" in text or not ("backoff=5" in text or "acks=" in text)


def test_what_a_line_stands_under_is_shown_with_it() -> None:
    lines = [
        "function pay(order) {",
        *["  step()"] * 9,
        "  if (order.late) {",
        *["    step()"] * 9,
        "    fine(",
        "      order,",
        "    )",
        *["    step()"] * 9,
        "  }",
        "}",
    ]
    found = [line.strip() for line in shown(lines, ["fine"], {0}, 60).text.split("\n")]
    assert [line for line in found if line.endswith(("{", "("))] == [
        "function pay(order) {",
        "if (order.late) {",
        "fine(",
    ]


def test_a_signature_is_shown_whole_and_code_before_what_is_said_about_it() -> None:
    text = shown(DOCUMENTED, ["retry", "task"], {0}, 70).text
    assert text.startswith("\n".join(DOCUMENTED[:3]))
    assert "ret = Retry(self.task, countdown)" in text
    assert "the task is sent again" not in text


def test_a_piece_that_begins_inside_a_documentation_is_read_as_one() -> None:
    assert prose(DOCUMENTED[5:], DOCUMENTED[:5]) == {0, 1, 2, 3, 4}
    assert prose(DOCUMENTED) == set(range(3, 10))
    assert prose(
        ["x = 1", "# what it is", "# and more", "#include <x>", "y = 2", "/**", " * What.", " * More.", " */"]
    ) == {2, 7, 8}


def test_a_text_that_is_a_value_is_no_documentation() -> None:
    assert prose(['QUERY = """', "select 1", '"""', "x = 1"]) == set()


def test_a_piece_that_is_nearly_all_needed_is_shown_whole() -> None:
    assert shown(FINES[:3], ["late"], {0}, 1_000).text == "\n".join(FINES[:3])


@pytest.mark.parametrize("room", range(40))
def test_what_is_too_long_is_shortened_to_what_fits(room: int) -> None:
    found = snippet(Source(FINES, 1, {0, 13}), ["late", "book"], words_of, room)
    assert words_of(found.text) == found.tokens <= room
    assert (found.text == "") == (found.tokens == 0)


def test_the_lines_that_say_most_are_kept_longest() -> None:
    found = shown(FINES, ["late", "book", "costs"], {0, 13}, 24)
    assert "late book costs" in found.text
    assert "renew" not in found.text


@pytest.mark.parametrize(("room", "is_shown"), [(1_000, True), (10, False)])
def test_all_lines_are_shown_or_none_where_all_are_asked_for(room: int, is_shown: bool) -> None:
    found = snippet(Source(FINES, 1, {0}), ["late"], words_of, room, raw=True)
    assert found.text == ("\n".join(FINES) if is_shown else "")


def test_nothing_has_no_lines() -> None:
    assert snippet(Source([], 1), ["late"], words_of, 100).text == ""

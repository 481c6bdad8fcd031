"""The call that is being written at a position of a text."""

from __future__ import annotations

import pytest

from codeagentd.lsp.methods.signature_help import open_call


@pytest.mark.parametrize(
    ("text", "name", "argument"),
    [
        ("lend(", "lend", 0),
        ("lend(book, ", "lend", 1),
        ("shelf.lend(first(a, b), ", "lend", 1),
        ("lend([1, 2, 3], {'a': 1, 'b': 2}, ", "lend", 2),
        ("lend('a, b)(', ", "lend", 1),
        ('lend("\\", x", ', "lend", 1),
        ("new Shelf<Book, Page>(1, ", "Shelf", 1),
        ("make[int](1, ", "make", 1),
        ("outer(inner(1), (2 + 3", "outer", 1),
        ("lend(\n    book,\n    ", "lend", 1),
        ("save!(a, ", "save!", 1),
    ],
)
def test_the_innermost_open_call_and_the_number_of_its_argument(text, name, argument):
    call = open_call(text, len(text))
    assert call is not None
    assert text[: call.name_end].endswith(name)
    assert call.argument == argument


@pytest.mark.parametrize("text", ["", "lend", "lend(book)", "x = [1, 2", "if (a", "'lend(", ") + ("])
def test_no_call_is_open(text):
    call = open_call(text, len(text))
    assert call is None or text[: call.name_end].endswith("if")


def test_a_call_far_above_is_not_looked_for():
    assert open_call("lend(" + "x, " * 10_000, 30_000) is None

"""A JSON document is read with its places, and what is wrong is said where it is."""

from __future__ import annotations

import pytest

from codeagentd.clients.jsonc import DEEPEST, Broken, read


def trouble(text: str, *, lenient: bool) -> tuple[str, int]:
    with pytest.raises(Broken) as caught:
        read(text, lenient=lenient)
    return caught.value.message, caught.value.offset


def test_values_have_their_places():
    text = ' {"a": [1, {"b": "c"}], "d": null}\n'
    root = read(text, lenient=False)
    assert root is not None
    assert root.value == {"a": [1, {"b": "c"}], "d": None}
    (array, null) = root.children
    assert text[array.start : array.node.end] == '"a": [1, {"b": "c"}]'
    assert text[array.node.children[1].node.start : array.node.children[1].node.end] == '{"b": "c"}'
    assert text[null.node.start : null.node.end] == "null"
    assert (text[array.comma - 1], null.comma) == (",", -1)


def test_comments_and_last_commas_are_for_the_lenient():
    text = '// a\n{"a": 1, /* b */ "c": [2,],\n}'
    root = read(text, lenient=True)
    assert root is not None
    assert root.value == {"a": 1, "c": [2]}
    assert trouble(text, lenient=False) == ("the client reads no comments here", 0)
    assert trouble('{"a": 1,}', lenient=False) == ("the client reads no comma before }", 7)


@pytest.mark.parametrize("text", ["", "  \n", "// nothing\n"])
def test_nothing_is_no_document(text: str):
    assert read(text, lenient=True) is None


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        ('{"a": 1', "a comma or } is expected here", 7),
        ('{"a" 1}', "a colon is expected here", 5),
        ("{a: 1}", "a key in double quotes is expected here", 1),
        ("{\"a\": 'x'}", "a value is expected here", 6),
        ('{"a": 01}', "a value is expected here", 6),
        ('{"a": tru}', "a value is expected here", 6),
        ('{"a": "\n"}', "a value is expected here", 6),
        ("[1 2]", "a comma or ] is expected here", 3),
        ("[,]", "a value is expected here", 1),
        ("{} {}", "there is something behind the end of the document", 3),
        ('{"a": /* 1}', "this comment has no end", 6),
        ("[" * (DEEPEST + 2), f"this is nested more than {DEEPEST} levels deep", DEEPEST + 1),
    ],
)
def test_what_is_wrong_is_said_at_its_place(text: str, message: str, offset: int):
    assert trouble(text, lenient=True) == (message, offset)


def test_a_number_of_thousands_of_digits_is_read():
    root = read('{"a": ' + "9" * 10_000 + "}", lenient=False)
    assert root is not None
    assert root.value["a"] == "9" * 10_000


def test_a_key_that_is_there_twice_is_no_way_to_anything():
    root = read('{"a": 1, "a": 2}', lenient=True)
    assert root is not None
    with pytest.raises(Broken) as caught:
        root.child("a")
    assert caught.value.offset == 9

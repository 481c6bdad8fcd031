"""Cursors: opaque, stateless, refused when damaged or used for another question."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_protocol.errors import InvalidParameter
from codeagentd.query.paging import Slice, cut
from codeagentd.toolkit.pages import cursor, page, position

KEYS = st.tuples(st.integers(-1, 3), st.text(), st.integers(0, 2**31), st.binary(max_size=16))


@given(KEYS)
def test_a_cursor_gives_back_its_key(key: tuple[Any, ...]) -> None:
    assert position(cursor(key, "tool", "node"), "tool", "node") == key


@given(KEYS, st.integers(0, 200), st.sampled_from("AZaz09-_"))
def test_a_damaged_cursor_is_refused(key: tuple[Any, ...], at: int, letter: str) -> None:
    text = cursor(key, "tool")
    at %= len(text) - 1  # the last letter has bits that mean nothing
    damaged = text[:at] + letter + text[at + 1 :]
    if damaged != text:
        with pytest.raises(InvalidParameter, match="cursor"):
            position(damaged, "tool")


@pytest.mark.parametrize("text", ["x", "====", "AAAA", "é", "a b", "A" * 5_000, "../..", "0"])
def test_what_is_no_cursor_is_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        position(text, "tool")
    assert (caught.value.facts["parameter"], caught.value.remedy) == ("cursor", "start again without a cursor")


def test_a_cursor_serves_only_its_question() -> None:
    text = cursor((1, "a"), "get_callers", "node")
    with pytest.raises(InvalidParameter):
        position(text, "get_callees", "node")


def test_no_cursor_is_the_beginning() -> None:
    assert position("", "tool") is None
    assert position(None, "tool") is None


def test_the_last_page_has_no_cursor() -> None:
    assert page(Slice(["a"]), "tool").next_cursor == ""
    assert position(page(Slice(["a"], ("k", 1)), "tool").next_cursor, "tool") == ("k", 1)


@given(st.lists(st.integers(), unique=True, max_size=30), st.integers(1, 7))
def test_cut_parts_put_together_are_the_whole(values: list[int], limit: int) -> None:
    rows: list[tuple[Any, ...]] = [(value, "row") for value in sorted(values)]
    found: list[tuple[Any, ...]] = []
    after: tuple[Any, ...] | None = None
    while True:
        rest = [row for row in rows if after is None or row[:1] > after]
        part, after = cut(rest[: limit + 1], limit, 1)
        found += part
        if after is None:
            break
    assert found == rows

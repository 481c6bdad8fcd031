"""Titles of communities: short, and each for one community alone."""

from __future__ import annotations

from codeagentd.model.labels import Titled, titles


def test_a_title_is_the_two_strongest_symbols() -> None:
    assert titles([Titled(1, "shop", ["Order", "price()", "Cart"])]) == ["Order, price()"]
    assert titles([Titled(1, "shop", ["Order"])]) == ["Order"]


def test_a_member_of_a_type_in_the_title_is_passed_over() -> None:
    assert titles([Titled(1, "shop", ["Order", "Order.total()", "price()"])]) == ["Order, price()"]


def test_no_title_is_there_twice() -> None:
    alike = [
        Titled(1, "a", ["get()", "set()", "put()"]),
        Titled(2, "b", ["get()", "set()", "cut()"]),
        Titled(3, "c", ["get()", "set()"]),
        Titled(4, "c", ["get()", "set()"]),
        Titled(5, "c", ["get()", "set()"]),
        Titled(6, "d", []),
        Titled(7, "d", []),
        Titled(8, "", []),
    ]
    found = titles(alike)
    assert found[:3] == ["get(), set()", "get(), set(), cut()", "get() (c)"]
    assert len(set(found)) == len(found)


def test_the_first_of_several_alike_has_the_shortest_title() -> None:
    assert titles([Titled(9, "a", ["x"]), Titled(2, "b", ["x"])]) == ["x", "x (b)"]

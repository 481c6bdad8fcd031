"""Anchors of headings, as links say them."""

from __future__ import annotations

import pytest

from codeagentd.model.heading_anchors import anchor_of, counted, mentions_of, plain, pointed


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Install", "install"), ("How to install", "how-to-install"), ("C# & more", "c-more"), ("a.b() and snake_case", "ab-and-snake_case"),
        ("Größe", "größe"), ("Well-known -- words", "well-known-words"), ("", ""),
    ],
)  # fmt: skip
def test_a_heading_makes_the_anchor_that_generators_give_it(heading: str, anchor: str) -> None:
    assert anchor_of(heading) == anchor


def test_generators_differ_in_hyphens_and_in_capitals() -> None:
    assert plain("Shelf--Two") == plain("shelf-two")


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [("usage-1", ("usage", 1)), ("usage", ("usage", 0)), ("v2-0-10", ("v2-0", 10)), ("-1", ("-1", 0))],
)
def test_a_repeated_heading_is_counted(anchor: str, expected: tuple[str, int]) -> None:
    assert counted(anchor) == expected


def test_a_pointer_is_its_keys() -> None:
    assert pointed("/paths/~1books~1all/a~0b") == ["paths", "/books/all", "a~b"]


def test_what_a_link_depends_on_are_the_names_that_could_make_it_lead_elsewhere() -> None:
    assert set(mentions_of("#Usage-1")) == {"Usage-1", "usage-1", "usage"}
    assert mentions_of("#/definitions/shelf") == ["definitions", "shelf"]
    assert mentions_of("Shelf") == ["Shelf"]

"""Search texts: which are plain, and what they ask of FTS5."""

from __future__ import annotations

import pytest

from codeagentd.model.identifier_words import split_words
from codeagentd.query.retrieval.fts_expression import all_of, parse, trigrams

PLAIN = [
    "compute_total", "Foo.bar", "a-b", "c++", "__init__", "UserService", "std::vector", "user service", "C#", "$scope", "Authenticate*", "Foo.bar*",
    "foo()", "compute(int a, int b)", "AND", "what's new", "http://x.y/z?a=b", "title: text", "100%", "x=y", "a,b", "<T>", "it;", "@decorated", "~Destructor",
    "operator==", "e-mail address", "or", "not null", "[x]", "a/b", "tab\there",
]  # fmt: skip
EXPRESSIONS = [
    '"exact phrase"',
    "name:get*",
    "a AND b",
    "a OR b",
    "a NOT b",
    "(a OR b) c",
    "^get",
    "NEAR(a b)",
    "{name words}: x",
    "*",
    "a *b",
    "words : x",
]


@pytest.mark.parametrize("text", PLAIN)
def test_identifiers_names_and_words_are_plain(text: str) -> None:
    assert parse(text).is_plain


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_operators_make_an_expression(text: str) -> None:
    assert not parse(text).is_plain


def test_a_dotted_name_is_asked_for_by_its_last_part_and_its_ending() -> None:
    found = parse("Foo::bar.baz")
    assert (found.name, found.suffix) == ("baz", ".Foo.bar.baz")
    assert (parse("baz").name, parse("baz").suffix) == ("baz", "")


def test_a_call_is_its_name() -> None:
    assert parse("compute_total(int)").name == "compute_total"


def test_a_camel_case_name_also_asks_for_its_words() -> None:
    assert all_of(("UserService",)) == '("UserService" OR {name words} : "user service")'
    assert all_of(("user_service",)) == '("user_service")'


def test_signs_alone_ask_for_nothing() -> None:
    assert all_of(("++", "-")) == ""
    assert trigrams(("ab",)) == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("UserService", ["user", "service"]), ("user_service", ["user", "service"]), ("HTTPServer2", ["http", "server", "2"]), ("getX", ["get", "x"]),
        ("__init__", ["init"]), ("größe", ["gr", "öß", "e"]), ("ABC", ["abc"]), ("_", []),
    ],
)  # fmt: skip
def test_identifiers_split_into_words(name: str, words: list[str]) -> None:
    assert split_words(name) == words

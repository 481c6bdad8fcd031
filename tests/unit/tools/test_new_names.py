"""A new name is one that the language allows, and files that have to have it are named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from codeagentd.languages.language import languages
from codeagentd.toolkit.call import Answer
from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
FILES = {
    "price.py": "def py_total(items: list) -> int:\n    return items[0]\n\n\ndef shown(n):\n    return f`<b>{n}`\n",
    "Circle.java": (
        "package com.acme;\n\npublic class Circle {\n    double radius;\n    Circle(double r) { radius = r; }\n}\n\n"
        "class Beside {\n    Circle<Beside> inner = new Circle(1);\n}\n"
    ),
    "Auth.cs": "namespace Shop { class Auth { public int CsTotal(int n) { return n; } } }\n",
    "total.rs": "pub fn rs_total(n: u32) -> u32 { n }\n",
    "total.kt": "package shop\n\nfun ktTotal(n: Int): Int = n\n",
    "total.ts": "export class TsShelf {\n  tsTotal(n: number) { return n }\n}\nexport function tsCount() { return 1 }\n",
    "total.go": "package shop\n\nfunc GoTotal(n int) int { return n }\n",
    "total.c": "int c_total(int n) { return n; }\n",
    "total.php": "<?php\nclass PhpShelf { function phpTotal() { return 1; } }\n",
    "PhpFile.php": "<?php\nclass PhpFile { }\n",
    "total.lua": "function lua_total(n) return n end\n",
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("names"), FILES) as found:
        yield found


def plan(ctx: Context, name: str, to: str, **arguments: Any) -> Answer:
    return call(CATALOGUE["plan_rename"], ctx, {"name": name, "to": to, **arguments})


@pytest.mark.parametrize(
    ("name", "to", "reason"),
    [
        ("py_total", "class", "class is a keyword of python"),
        ("py_total", "a$b", "is no identifier"),
        ("py_total", "`class`", "is no identifier"),
        ("Circle", "record", "record cannot be the name of a type in java"),
        ("Circle", "_", "_ is a keyword of java"),
        ("CsTotal", "checked", "checked is a keyword of csharp"),
        ("rs_total", "match", "match is a keyword of rust"),
        ("rs_total", "r#self", "self is a keyword of rust that cannot be escaped"),
        ("ktTotal", "fun", "fun is a keyword of kotlin"),
        ("tsCount", "delete", "delete is a keyword of typescript"),
        ("TsShelf", "string", "string cannot be the name of a type in typescript"),
        ("GoTotal", "func", "func is a keyword of go"),
        ("c_total", "register", "register is a keyword of c"),
        ("PhpShelf", "List", "List is a keyword of php"),
        ("lua_total", "end", "end is a keyword of lua"),
    ],
)
def test_a_name_that_the_language_does_not_allow_is_refused(ctx: Context, name: str, to: str, reason: str) -> None:
    answer = plan(ctx, name, to)
    assert answer.code == "invalid_parameter"
    assert reason in answer.text


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("py_total", "match"),
        ("py_total", "größe"),
        ("Circle.radius", "record"),
        ("Circle", "Round$1"),
        ("CsTotal", "@checked"),
        ("rs_total", "r#match"),
        ("ktTotal", "`fun`"),
        ("tsTotal", "delete"),
        ("tsCount", "$count"),
        ("GoTotal", "string"),
        ("c_total", "class"),
        ("phpTotal", "list"),
    ],
)
def test_a_name_that_only_other_places_reserve_is_planned(ctx: Context, name: str, to: str) -> None:
    assert plan(ctx, name, to).structured["new"] == to


def test_the_refusal_says_how_a_keyword_can_be_a_name_nevertheless(ctx: Context) -> None:
    assert "@checked" in plan(ctx, "CsTotal", "checked").text
    assert "r#match" in plan(ctx, "rs_total", "match").text
    assert "`fun`" in plan(ctx, "ktTotal", "fun").text


def test_the_file_of_a_public_type_is_renamed_with_it(ctx: Context) -> None:
    found = plan(ctx, "Circle", "Round").structured
    assert [(one["file"], one["line"], one["reason"]) for one in found["review"]] == [
        ("Circle.java", 3, "rename the file to Round.java: a public type has to be in a file of its name")
    ]
    assert found["confidence"] == "INFERRED"
    assert not plan(ctx, "Beside", "Next").structured["review"]
    assert "PhpNew.php" in plan(ctx, "PhpFile", "PhpNew").structured["review"][0]["reason"]
    assert not plan(ctx, "PhpShelf", "PhpNew").structured["review"]


def test_the_texts_of_a_plan_are_the_lines_of_the_files(ctx: Context) -> None:
    for name in ("Circle", "Beside", "shown"):
        found = plan(ctx, name, "other").structured
        for one in found["edits"]:
            line = FILES[one["file"]].split("\n")[one["line"] - 1]
            assert one["text"] == line
            assert line[one.get("column", 0) :].startswith(name)
    assert "Circle‹Beside>" in plan(ctx, "Beside", "Next").rendered


def test_an_id_that_means_nothing_is_what_the_answer_is_about(ctx: Context) -> None:
    assert plan(ctx, "py_total", "other", id="nope").rendered.startswith("No node matches 'nope'.")


def test_every_reserved_word_is_listed_once() -> None:
    for language in languages().values():
        words = [*language.names.reserved, *language.names.reserved_types]
        assert len(words) == len(set(words)), language.name
        assert set(language.names.never_escaped) <= set(words)

"""Initialisers of every shape, of types with and without a name, cost no file its facts."""

from __future__ import annotations

import random

import pytest

from codeagentd.extract.file_facts import extract

SOURCES = 400
DEPTH = 3
TYPES = (
    "struct book",
    "book_t",
    "struct { int pages; }",
    "struct book { int pages; }",
    "union { int pages; }",
    "union word",
    "int",
    "enum { A }",
    "typeof(a)",
)
DECLARATORS = ("b", "b[]", "b[2][3]", "*b", "*b[]", "(*b)[2]", "b, c")
DESIGNATORS = ("", ".pages = ", ".co.pages = ", "[1] = ", "[1 ... 3] = ", "[A].pages = ", "pages: ", ".pages[2] = ")
VALUES = (
    "1",
    '"a"',
    "&b",
    "f(1)",
    "{}",
    "{ .pages = 1 }",
    "(struct book){ .pages = 1 }",
    "(struct { int a; }){ .a = 1 }",
    "(int[]){ 1, [2] = 3 }",
)


def initialiser(chance: random.Random, depth: int) -> str:
    """A value, or braces around some."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(VALUES)
    parts = [chance.choice(DESIGNATORS) + initialiser(chance, depth - 1) for _ in range(chance.randrange(3))]
    return "{ " + ", ".join(parts) + chance.choice(("", ",")) + " }"


def declaration(chance: random.Random) -> str:
    """A variable with an initialiser, sometimes one that is not closed yet."""
    text = f"static {chance.choice(TYPES)} {chance.choice(DECLARATORS)} = {initialiser(chance, DEPTH)};\n"
    return text if chance.random() < 0.8 else text[: chance.randrange(len(text))] + "\n"


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_no_initialiser_costs_a_file_its_facts(language: str) -> None:
    chance = random.Random(31)
    for _ in range(SOURCES):
        source = "".join(declaration(chance) for _ in range(chance.choice((1, 1, 2))))
        assert extract(source.encode(), language, {}).language == language, source


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_list_of_structs_without_a_name_is_read_where_none_stands_before_it(language: str) -> None:
    facts = extract(
        b"static struct { int rev; } types[] = {\n{ .rev = 0x10 }, { .rev = 0x11 },\n};\nint after;\n", language, {}
    )
    assert {"types", "after"} <= {symbol.name for symbol in facts.symbols}

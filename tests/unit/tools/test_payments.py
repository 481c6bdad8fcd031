"""Dispatch in the languages of `tests.harness.payments`: what tools find is what the rules of the language say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from codeagentd.toolkit.context import Context
from tests.harness.asking import ask
from tests.harness.payments import PROGRAMS, Program
from tests.harness.served import surroundings

_NAME: Final = re.compile(r"@([A-Z]?\w+(?:\.\w+)?)\s*$")


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    files = {
        f"{language}/{path}": text for language, program in PROGRAMS.items() for path, text in program.files.items()
    }
    with surroundings(tmp_path_factory.mktemp("payments"), files) as found:
        yield found


def places(language: str, program: Program) -> dict[tuple[str, int], str]:
    """The names of the definitions, by path and line."""
    return {
        (f"{language}/{path}", number): match[1]
        for path, text in program.files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := _NAME.search(line))
    }


def answer(ctx: Context, tool: str, language: str, name: str) -> set[str]:
    """The names of the symbols at the other ends."""
    program = PROGRAMS[language]
    named = places(language, program)
    (path, line) = next(place for place, known in named.items() if known == name)
    outline = ask(ctx, "get_file_outline", path=path).structured["results"]
    symbols = [symbol for symbol in flat(outline) if symbol["line_start"] == line]
    assert symbols, f"{name} is no symbol"
    symbol = symbols[0]
    ends = ask(ctx, tool, node_id=symbol["node_id"]).structured["results"]
    return {named.get((end["file_path"], end["line_start"]), f"{end['file_path']}:{end['line_start']}") for end in ends}


def flat(outline: list[dict[str, object]]) -> list[dict[str, object]]:
    return [symbol for item in outline for symbol in (item, *flat(item.get("children", [])))]  # type: ignore[arg-type]


# what is not known yet, and why; a row that holds fails as long as it stands here
GAPS: Final = {
    ("php", "Free.charge"): "a call on the object itself may land in members of classes that are no subclasses",
    ("php", "Stripe.new"): "new static(…) runs no constructor",
    ("php", "Base.new"): "new static(…) runs no constructor",
    ("cpp", "Stripe.new"): "a declaration with arguments, and make_unique, run no constructor",
    ("cpp", "Base.new"): "the list of initializers runs no constructor of a base",
}


def marks(language: str, name: str) -> list[pytest.MarkDecorator]:
    reason = GAPS.get((language, name))
    return [pytest.mark.xfail(reason=reason, strict=True, raises=AssertionError)] if reason else []


CALLERS = [
    pytest.param(language, name, expected, id=f"{language}: {name}", marks=marks(language, name))
    for language, program in PROGRAMS.items()
    for name, expected in program.callers.items()
]
IMPLEMENTATIONS = [
    pytest.param(language, name, expected, id=f"{language}: {name}")
    for language, program in PROGRAMS.items()
    for name, expected in program.implementations.items()
]


@pytest.mark.parametrize(("language", "name", "expected"), CALLERS)
def test_the_callers_are_those_by_the_rules_of_the_language(
    ctx: Context, language: str, name: str, expected: str
) -> None:
    assert answer(ctx, "get_callers", language, name) == set(expected.split())


@pytest.mark.parametrize(("language", "name", "expected"), IMPLEMENTATIONS)
def test_the_implementations_are_those_by_the_rules_of_the_language(
    ctx: Context, language: str, name: str, expected: str
) -> None:
    assert answer(ctx, "get_implementations", language, name) == set(expected.split())


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_test_that_reaches_a_class_through_its_base_is_affected(ctx: Context, language: str) -> None:
    program = PROGRAMS[language]
    found = ask(ctx, "affected_tests", files=[f"{language}/{program.changed}"]).structured["files"]
    assert f"{language}/{program.tests}" in found

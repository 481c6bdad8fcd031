"""Signatures in parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagentd.query.symbols.parameters import signature, split


@pytest.mark.parametrize(
    ("language", "written", "taken"),
    [
        ("python", "(self, a: int = 3, *args, **rest)", [("self", ""), ("a", "int"), ("*args", ""), ("**rest", "")]),
        ("python", "(key: dict[str, int], f=lambda x: x)", [("key", "dict[str, int]"), ("f", "")]),
        ("python", "(a, /, b, *, c)", [("a", ""), ("b", ""), ("c", "")]),
        ("typescript", "(cb: (x: number) => void, ...rest: string[], opt?: A)", [("cb", "(x: number) => void"), ("rest", "string[]"), ("opt", "A")]),
        ("java", "(final Map<String, Integer> map, int n)", [("map", "Map<String, Integer>"), ("n", "int")]),
        ("csharp", "(this string text, ref int x, int y = 2)", [("text", "string"), ("x", "int"), ("y", "int")]),
        ("go", "(ctx context.Context, n int)", [("ctx", "context.Context"), ("n", "int")]),
        ("rust", "(&self, n: &str)", [("self", ""), ("n", "&str")]),
        ("javascript", "()", []),
    ],
)  # fmt: skip
def test_a_signature_is_read_in_the_order_of_its_language(
    language: str, written: str, taken: list[tuple[str, str]]
) -> None:
    found = signature("f", written, "R", language)
    assert found is not None
    assert [(one.name, one.type_ref) for one in found.params] == taken
    assert (found.raw, found.return_type) == (f"f{written} -> R", "R")


def test_what_takes_and_returns_nothing_written_has_no_signature() -> None:
    assert signature("RATE", None, None, "python") is None


@given(st.text(), st.sampled_from(["python", "java", "go", "typescript"]))
def test_no_text_is_too_odd_to_be_a_list_of_parameters(text: str, language: str) -> None:
    signature("f", f"({text})", "", language)
    assert all(part.strip() for part in split(text))

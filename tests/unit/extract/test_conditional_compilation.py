"""Conditions of the preprocessor: what is known of them without a build, and what stays unknown."""

from __future__ import annotations

import pytest

from codeagentd.extract.preprocess.conditional_compilation import Branches, value_of
from codeagentd.languages.language import PreprocessorRules

RULES = PreprocessorRules(undefined=("_WIN32",), predefined={"__GNUC__": 14, "__linux__": 1})


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("defined(__GNUC__) && !defined _WIN32", 1),
        ("_WIN32 || __GNUC__ >= 15", 0),
        ("defined(ANY) && defined(_WIN32)", 0),
        ("defined(ANY) || __linux__", 1),
        ("ANY", None),
        ("!ANY || _WIN32", None),
        ("__GNUC__ * 100 + 2 == 0x57A /* 1402 */ // and so on", 1),
        ("1 - 2 - 3 == -4", 1),
        ("010 == 8 && 10UL == 10", 1),
        ("HAS(x, (_WIN32)) && 1", None),
        ("_WIN32(1)", None),
        ("1 ? 2 : 3", None),
        ("defined", None),
        ("(1", None),
        ("1 1", None),
        ("09", None),
        ("", None),
        ("(" * 100_000, None),
        ("!" * 100_000 + "1", None),
    ],
)
def test_a_condition_says_what_is_known_of_it(condition: str, value: int | None) -> None:
    found = value_of(condition, RULES)
    assert found == value
    assert (found is None) == (value is None)


def test_a_branch_is_taken_where_no_earlier_one_is() -> None:
    source = b"a\n#ifdef _WIN32\nb\n#elif ANY\nc\n#elif 1\nd\n#else\ne\n#endif\nf /*\n#if 0\n*/ g\n#endif\n#else\nh\n"
    branches = Branches(source, RULES)
    assert {chr(name): branches.chance(source.index(name)) for name in b"gh"} == {"g": 2, "h": 2}
    assert [branches.chance(source.index(b"\n%c\n" % name) + 1) for name in b"bcde"] == [0, 1, 1, 0]


def test_what_stands_in_a_branch_never_taken_is_never_seen() -> None:
    source = b"#if 0\n#if 1\na\n#else\nb\n#endif\nc\n#endif\n#ifndef GUARD\n#ifndef _WIN32\nd\n#else\ne\n"
    branches = Branches(source, RULES)
    assert [branches.chance(source.index(b"\n%c\n" % name) + 1) for name in b"abcde"] == [0, 0, 0, 1, 0]

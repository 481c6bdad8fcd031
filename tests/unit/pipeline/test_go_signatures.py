"""Signatures of Go as written: which are alike."""

from __future__ import annotations

import pytest

from codeagentd.pipeline.structural.go_signatures import Likeness, Meaning, Signature, compare, read

FOREIGN, HERE, OTHER, ALIAS = Meaning(-7), Meaning(1), Meaning(2), Meaning(3, "", True)
MEANINGS = {
    "io.Writer": FOREIGN,
    "Book": HERE,
    "lib.Book": HERE,
    "Shelf": OTHER,
    "Table": ALIAS,
    "T": Meaning(),
    "net.Conn": Meaning(-8),
}


def meanings(signature: Signature) -> list[Meaning]:
    return [MEANINGS.get(name, Meaning(declared=name)) for name in signature.names]


def likeness(one: tuple[str, str], other: tuple[str, str]) -> Likeness:
    """How two pairs of parameters and results compare."""
    mine, others = read(*one), read(*other)
    assert mine is not None
    assert others is not None
    found = compare(mine, others, meanings(mine), meanings(others))
    assert compare(others, mine, meanings(others), meanings(mine)) == found
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("()", ""), ("()", "")),
        (("(a, b int, c string)", "error"), ("(int, int, string)", "(err error)")),
        (("(Book)", ""), ("(b lib.Book)", "")),
        (("(yield func(k string, v *Book) bool)", ""), ("(func(string, *lib.Book) bool)", "")),
        (
            ("(m map[string][]Book, c <-chan int)", "(n int, ok bool)"),
            ("(map[string][]Book, <-chan int)", "(int, bool)"),
        ),
        (("(x interface{})", "[4]byte"), ("(x any)", "[4]byte")),
        (("(words ...string,)", ""), ("(...string)", "")),
        (
            ("(f func() (int, error), g func(), done chan<- struct{})", ""),
            ("(func() (int, error), func(), chan<- struct{})", ""),
        ),
        (("(set Set[Book, int])", ""), ("(Set[lib.Book, int])", "")),
        (("(chan int)", ""), ("(c chan int)", "")),
    ],
)
def test_names_of_parameters_and_ways_to_write_a_type_make_no_difference(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert likeness(one, other) == Likeness.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("(int)", ""), ("()", "")),
        (("(int)", ""), ("(int)", "error")),
        (("(int)", ""), ("(string)", "")),
        (("(Book)", ""), ("(*Book)", "")),
        (("(Book)", ""), ("(Shelf)", "")),
        (("([]string)", ""), ("(...string)", "")),
        (("([2]int)", ""), ("([3]int)", "")),
        (("(Book)", ""), ("(io.Writer)", "")),
        (("(func(int) error)", ""), ("(func(int))", "")),
        (("(Set[int])", ""), ("(Set[string])", "")),
        (("(T, int)", ""), ("(int, string)", "")),
    ],
)
def test_another_type_makes_another_signature(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert likeness(one, other) == Likeness.DIFFERENT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("(T)", ""), ("(T)", "")),
        (("(T)", ""), ("([]int)", "")),
        (("(Table)", ""), ("(map[string]int)", "")),
        (("(io.Writer)", ""), ("(net.Conn)", "")),
        (("([size]int)", ""), ("([size]int)", "")),
    ],
)
def test_type_parameters_aliases_constants_and_names_of_other_packages_decide_nothing(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert likeness(one, other) == Likeness.UNDECIDED


@pytest.mark.parametrize(
    "text",
    [
        "(a int, …",
        "(struct{ a int })",
        "(interface{ Close() })",
        "(",
        "(func(",
        "(" + "*" * 50 + "int)",
        "(map[)",
        "(int,,)",
    ],
)
def test_what_is_cut_short_or_no_signature_is_not_read(text: str) -> None:
    assert read(text, "") is None

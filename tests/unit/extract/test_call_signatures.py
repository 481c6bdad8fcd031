"""Call signatures as the type of their interface: what stands for type parameters, and how long that may be."""

from __future__ import annotations

import pytest

from codeagentd.extract.definitions.call_signatures import LONGEST
from codeagentd.extract.file_facts import extract


def type_of(body: str, head: str = "interface Visitor") -> str:
    facts = extract(f"{head} {{ {body} }}\n".encode(), "typescript")
    return next(symbol.type for symbol in facts.symbols if symbol.name == "Visitor")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("(book: Book): void", "& ((book: Book) => void)"),
        ("(book: Book)", "& ((book: Book) => unknown)"),
        ("(book: Book): A; (shelf: Shelf, /* last */ at?: number): B; (book: Book): A", "& ((book: Book) => A) & ((shelf: Shelf, at?: number) => B)"),
        ("<T>(book: T): Promise<T>", "& ((book: unknown) => Promise<unknown>)"),
        ("<T extends Book, U extends T, V extends A | B, W extends Box<T>>(a: T, b: U[], c: V, d: W): V",
         "& ((a: Book, b: Book[], c: (A | B), d: Box<unknown>) => (A | B))"),
        ("<T extends T>(a: T): void", "& ((a: unknown) => void)"),
        ("(mode: 'on', key: 'longer than a word'): void", "& ((mode: 'on', key: '…') => void)"),
        ("new (book: Book): Shelf; lend(book: Book): void", ""),
    ],
)  # fmt: skip
def test_an_interface_says_how_it_is_called(body: str, expected: str) -> None:
    assert type_of(body) == expected
    assert type_of(body, "type Visitor =") == expected


def test_a_call_in_the_body_of_a_class_does_not_say_how_the_class_is_called() -> None:
    facts = extract(b"class Visitor\n  lend(:book)\nend\n", "ruby")
    assert facts.symbols[1].type == ""


def test_an_interface_that_is_declared_twice_is_called_in_both_ways_and_a_variable_of_its_name_says_its_own_type() -> (
    None
):
    facts = extract(b"interface Visitor { (a: A): void }\ninterface Visitor { (b: B): void }\n", "typescript")
    assert facts.symbols[1].type == "& ((a: A) => void) & ((b: B) => void)"
    facts = extract(b"interface Visitor { (a: A): void }\ndeclare const Visitor: Other\n", "typescript")
    assert facts.symbols[1].type == "Other"


def test_many_signatures_lose_their_type_arguments_before_any_of_them_is_left_out() -> None:
    argument = "A" * 40
    shortened = type_of("; ".join(f"(a{number}: Box<{argument}>): Promise<Shelf>" for number in range(40)))
    assert shortened.startswith("& ((a0: Box) => Promise<Shelf>) & ((a1: Box)")
    assert shortened.endswith("((a39: Box) => Promise<Shelf>)")
    cut_off = type_of("; ".join(f"(a{number}: {argument}): void" for number in range(100)))
    assert cut_off.endswith(" & unknown")
    assert len(cut_off) < 2 * LONGEST


def test_signatures_that_are_made_to_be_large_take_no_time() -> None:
    nested, constraints = (
        "Box<" * 3_000 + ">" * 3_000,
        ", ".join(f"T{number} extends Box<T{(number + 1) % 200}, T0, T1>" for number in range(200)),
    )
    assert len(type_of(f"(a: {nested}): void")) < 2 * LONGEST
    assert (
        len(type_of(f"<{constraints}>({', '.join(f'a{number}: T{number}' for number in range(200))}): void"))
        < 2 * LONGEST
    )

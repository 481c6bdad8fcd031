"""Types of a callback's parameters, read off the signature that takes it."""

from __future__ import annotations

import pytest

from codeagentd.resolve.types.callable_types import parameters_of, parse_function_type, parts, type_of


@pytest.mark.parametrize(
    ("signature", "argument", "parameter", "expected"),
    [
        ("(visit: (book: Book) => void)", 0, 0, "Book"),
        ("(count: number, visit?: (this: Shelf, book: Book<A, B>, at?: number) => void | null)", 1, 1, "number"),
        ("(count: Map<A, B>, visit?: (book: Book<A, B>, at: number) => void)", 1, 0, "Book<A, B>"),
        ("(this: Shelf, visit: ((book: Book) => void) | null | undefined)", 0, 0, "Book"),
        ("({ a, b }: { a: A, b: B }, visit: (book: () => Book) => void = (a, b) => {})", 1, 0, "() => Book"),
        ("(visit?: Partial<Visitor> | ((book: Book) => void) | null)", 0, 0, "Book"),
        ("(visit: (book: Book) => void)", 0, 1, ""),
        ("(visit: (book: Book) => void)", 1, 0, ""),
        ("(visit: ((book: Book) => void) | ((shelf: Shelf) => void))", 0, 0, ""),
        ("(...visits: ((book: Book) => void)[])", 2, 0, "Book"),
        ("(count: number, ...visits: Array<(book: Book) => void>)", 1, 0, "Book"),
        ("(...visits: readonly [(shelf: Shelf) => void, (book: Book) => void])", 1, 0, "Book"),
        ("(...visits: [(shelf: Shelf) => void])", 1, 0, ""),
        ("(...visits: [...((book: Book) => void)[], (shelf: Shelf) => void])", 0, 0, ""),
        ("(...visits: [Shelf, ...((book: Book) => void)[]])", 3, 0, "Book"),
        ("(visit: ((book: Book) => void)[])", 0, 0, ""),
        ("(visit: (...books: Book[]) => void)", 0, 1, "Book"),
        ("(visit: Visit)", 0, 0, ""),
        ("(visit)", 0, 0, ""),
        ("(visit: (book: Book, …", 0, 0, ""),
        ("", 0, 0, ""),
    ],
)
def test_a_callbacks_parameter_has_the_type_that_the_signature_says(
    signature: str, argument: int, parameter: int, expected: str
) -> None:
    functions = [
        function for one in parts(type_of(parameters_of(signature), argument)) if (function := parse_function_type(one))
    ]
    assert (type_of(functions[0][0], parameter) if len(functions) == 1 else "") == expected


def test_a_union_is_cut_between_its_types_only() -> None:
    assert parts("((book: Book) => A | B) | null") == ("(book: Book) => A | B",)
    assert parts("(book: Book) => A | null") == ("(book: Book) => A | null",)
    assert parts("Visitor<A | B> | ((book: Book) => void)") == (
        "Visitor<A | B>",
        "(book: Book) => void",
    )
    assert parts("A & B | C") == (
        "A & B",
        "C",
    )
    assert parts("& ((a: A) => B) & ((c: C) => D)") == (
        "(a: A) => B",
        "(c: C) => D",
    )

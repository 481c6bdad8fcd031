"""Types of a callback's parameters, read off the signature that takes it."""

from __future__ import annotations

import pytest

from codeagentd.resolve.callbacks import declared_for


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
        ("(...visits: ((book: Book) => void)[])", 0, 0, ""),
        ("(visit: ((book: Book) => void)[])", 0, 0, ""),
        ("(visit: (...books: Book[]) => void)", 0, 0, ""),
        ("(visit: Visit)", 0, 0, ""),
        ("(visit)", 0, 0, ""),
        ("(visit: (book: Book, …", 0, 0, ""),
        ("", 0, 0, ""),
    ],
)
def test_a_callbacks_parameter_has_the_type_that_the_signature_says(signature: str, argument: int, parameter: int, expected: str) -> None:
    assert declared_for(signature, argument, parameter) [0] == expected


def test_a_function_type_beside_other_types_is_no_proof() -> None:
    assert declared_for("(visit?: ((book: Book) => void) | null)", 0, 0) == ("Book", True)
    assert declared_for("(visit?: Visitor | ((book: Book) => void))", 0, 0) == ("Book", False)

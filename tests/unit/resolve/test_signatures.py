"""How many arguments fit parameters, in the notations of several languages."""

from __future__ import annotations

import pytest

from codeagentd.resolve.syntax.signatures import MANY, arity


@pytest.mark.parametrize(
    ("signature", "least", "most"),
    [
        ("()", 0, 0),
        ("(int days)", 1, 1),
        ("(final Map<String, List<Book>> by, int[] at)", 2, 2),
        ("(int days, String... names)", 1, MANY),
        ('(@Named("a, b") int a, char c)', 2, 2),
        ("(days: Int = 3, name: String)", 1, 2),
        ("(each: (Int, Int) -> Unit, vararg names: String)", 1, MANY),
        ("(f: (Int, Int) => Int, xs: Int*)", 1, MANY),
        ('(name: String = "a, b", f: Int => Int = x => x)', 0, 2),
        ("(by compare: (Book, Book) -> Bool, _ names: String...)", 1, MANY),
        ("(params object[] rest)", 0, MANY),
        ("(a: Int, b…", 0, MANY),
        ("(implicit reads: Reads[A], writes: Writes[A])", 0, 2),
        ("(using Reads[A])", 0, 1),
        ("", 0, MANY),
    ],
)
def test_arguments_fit(signature: str, least: int, most: int):
    assert arity(signature) == (least, most)

"""Signatures say what a caller has to know: types whole, also those in quotes; values short; one line, whatever lines the source has."""

from __future__ import annotations

import pytest

from codeagentd.extract.file_facts import extract


@pytest.mark.parametrize(
    ("language", "source", "told"),
    [
        (
            "python",
            'def f(a: "Environment", b: t.Union["Environment", str] = "a long value"): ...',
            '(a: "Environment", b: t.Union["Environment", str] = "…")',
        ),
        (
            "python",
            'def f(a: "t.Iterable[str] | None", b: Annotated[str, "words in a row"]): ...',
            '(a: "t.Iterable[str] | None", b: Annotated[str, "…"])',
        ),
        ("python", 'def f(a="Environment", b=["Environment"]): ...', '(a="…", b=["…"])'),
        (
            "typescript",
            "function f(a: 'development' | 'text/plain+xml', b = 'development') {}",
            "(a: 'development' | 'text/plain+xml', b = '…')",
        ),
        ("typescript", "function f(a: Pick<Options, 'development'>): void {}", "(a: Pick<Options, 'development'>)"),
        ("ruby", "def f(a: 'development')\nend", "(a: '…')"),
        ("swift", 'func f(a: String = "development") {}', '(a: String = "…")'),
    ],
)
def test_text_in_quotes_is_told_where_it_is_a_type_and_elided_where_it_is_a_value(
    language: str, source: str, told: str
) -> None:
    assert extract(source.encode(), language).symbols[1].signature == told


@pytest.mark.parametrize(
    ("language", "source", "told", "count"),
    [
        ("python", "def f(\n    a: int,\n    *,\n    b=(1, ),\n): ...", "(a: int, *, b=(1, ))", 2),
        ("go", "package p\nfunc f(\n\ta int,\n\tb, c string,\n) {}", "(a int, b, c string)", 3),
        (
            "typescript",
            "function f(\n  a: number,\n  { b }: { b: number },\n) {}",
            "(a: number, { b }: { b: number })",
            2,
        ),
        ("c", "int f( void );", "(void)", 0),
        ("java", "class A { int f( int a ) {} }", "(int a)", 1),
    ],
)
def test_a_list_in_several_lines_is_told_as_one_line_is_written(
    language: str, source: str, told: str, count: int
) -> None:
    symbol_of_f = next(symbol for symbol in extract(source.encode(), language).symbols if symbol.name == "f")
    assert (symbol_of_f.signature, symbol_of_f.parameters) == (told, count)

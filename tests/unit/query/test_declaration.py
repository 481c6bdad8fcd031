"""How declarations and the comments on them read."""

from __future__ import annotations

import pytest

from codeagentd.languages.doc_comments import comment_above, docstring
from codeagentd.query.symbols.declaration import MAX_SIGNATURE, Declared, declaration


def declared(
    source: str, name: str, parameters: str | None = None, returns: str = "", *, is_type: bool = False, first: int = 0
) -> str:
    """The declaration of the first thing with this name in the source."""
    lines = source.split("\n")
    line = next(number for number, text in enumerate(lines, 1) if name in text)
    return declaration(
        lines, Declared(name, first or line, line, lines[line - 1].index(name), is_type, parameters, returns)
    )


@pytest.mark.parametrize(
    ("source", "name", "parameters", "returns", "shown"),
    [
        ("  async  def go(a) -> str:\n  pass", "go", "(a)", "str", "async def go(a) -> str"),
        ("func (s *Shelf) Lend(n int) *Shelf {", "Lend", "(n int)", "*Shelf", "func (s *Shelf) Lend(n int) *Shelf"),
        ("export const pick = async (a) => a;", "pick", "(a)", "", "export const pick = async (a)"),
        ("fn map<T, F: Fn(T)>(f: F) -> Vec<T> {", "map", "(f: F)", "Vec<T>", "fn map<T, F: Fn(T)>(f: F) -> Vec<T>"),
        ("int sum(int a); int dif(int b);", "dif", "(int b)", "int", "int dif(int b)"),
        ("function lend(n)", "lend", "(n)", "number", "function lend(n) -> number"),
        ("def bark times", "bark", "(times)", "", "def bark(times)"), ('f(a = ")") -> int {', "f", '(a = ")")', "int", 'f(a = ")") -> int'),
        ("get(\n    a,\n    b,\n): Map<string,\n  number> {", "get", "( a, b, )", "Map<string, number>", "get(a, b): Map<string, number>"),
    ],
)  # fmt: skip
def test_something_with_parameters_reads_as_written_up_to_its_body(
    source: str, name: str, parameters: str, returns: str, shown: str
) -> None:
    assert declared(source, name, parameters, returns) == shown


@pytest.mark.parametrize(
    ("source", "name", "shown"),
    [
        ("class A(B, metaclass=M): pass", "A", "class A(B, metaclass=M)"), ("export class A<T> implements P {", "A", "export class A<T> implements P"),
        ("class Point(\n  val x: Int,\n) : Base() {", "Point", "class Point( val x: Int, ) : Base()"), ("type Shelf struct {", "Shelf", "type Shelf struct"),
    ],
)  # fmt: skip
def test_a_type_reads_up_to_its_body(source: str, name: str, shown: str) -> None:
    assert declared(source, name, is_type=True) == shown


@pytest.mark.parametrize(
    ("source", "name", "shown"),
    [
        ("LIMIT: int = 3", "LIMIT", "LIMIT: int = 3"), ("  public string Name { get; set; }", "Name", "public string Name"), ("x = {", "x", "x"),
        ("class Q(val n: Int, val m: Int)", "n:", "val n: Int"), ("$total = 0;", "$total", "$total = 0"), ("a: 1, b: 2", "b", "a: 1, b: 2"),
    ],
)  # fmt: skip
def test_a_value_reads_with_its_type_and_value(source: str, name: str, shown: str) -> None:
    assert declared(source, name) == shown


def test_a_return_type_on_a_line_above_belongs_to_it_and_attributes_do_not() -> None:
    assert (
        declared("@inline\nstatic int\nsum_of(int a)\n{", "sum_of", "(int a)", "int", first=1)
        == "static int sum_of(int a)"
    )


def test_a_source_that_says_something_else_has_no_declaration() -> None:
    assert declaration(["other"], Declared("name", 1, 1, 0, False, "()", "")) == ""
    assert declaration([], Declared("name", 9, 9, 0, False, "()", "")) == ""


def test_a_declaration_is_cut_where_it_gets_long() -> None:
    assert len(declared(f"X = '{'x' * 9_000}'", "X")) == MAX_SIGNATURE


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('def f(a={"x": 1}, b: str = ":"):\n    """Say it."""', "Say it."), ("def f(\n    a,\n) -> dict[str, int]:\n    # first\n    r'Raw.'", "Raw."),
        ('def f():\n    """First.\n\n    Second.\n    """\n    return 1', "First.\n\nSecond."), ("def f():\n    return 'no'", None),
        ("def f(): return 1", None),
        ('class A:\n\n    """Doc."""', "Doc."),
    ],
)  # fmt: skip
def test_a_docstring_is_the_string_that_begins_the_body(body: str, said: str | None) -> None:
    lines = body.split("\n")
    assert docstring(lines, 1, len(lines)) == said


@pytest.mark.parametrize(
    ("source", "rule", "said"),
    [
        ("// Adds.\n// Twice.\nX", "go", "Adds.\nTwice."), ("//go:noinline\n// Adds.\nX", "go", "Adds."), ("// no\nX", "preceding", None),
        ("/** Yes. */\n// eslint\nX", "preceding", "Yes."), ("/// A.\n#[derive(A)]\n#[cfg(b)]\nX", "preceding", "A."), ("/// A.\n\nX", "preceding", None),
        ("/**\n * One.\n *\n * Two.\n */\n@Deco({\n})\nX", "preceding", "One.\n\nTwo."), ("/**\n * One.\n *   Two.\n */\nX", "slashes", "One.\n  Two."),
        ("/// <summary>\n/// Total.\n/// </summary>\nX", "slashes", "Total."), ("# a\n# b\nX", "hash", "a\nb"), ("--- x\n-- y\nX", "luadoc", "x\ny"),
        ("code() // no\nX", "above", None), ('"""\nA book.\n"""\nX', "captured", "A book."), ("/* a */ X", "above", "a"), ("X", "above", None),
        ("-- | A book.\n-- With pages.\nX", "above", "A book.\nWith pages."), ("{- | A book.\n-}\nX", "above", "A book."),
        ("(** A book.\n    With pages. *)\nX", "preceding", "A book.\nWith pages."),
    ],
)  # fmt: skip
def test_a_comment_above_is_read_without_its_signs(source: str, rule: str, said: str | None) -> None:
    assert comment_above(source.split("\n"), source.count("\n") + 1, rule) == said


@pytest.mark.parametrize("text", ["", "// a comment", "// a comment\n\n"])
def test_a_text_that_has_become_shorter_has_no_comment_above_its_former_lines(text: str) -> None:
    assert comment_above(text.split("\n"), 9, "comment") is None

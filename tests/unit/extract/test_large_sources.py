"""Sources of a size or depth that only generators produce are read in time, and definitions after the deep part are found."""

from __future__ import annotations

import time

import pytest

from codeagentd.base.limits import EXTRACT_DEADLINE_S
from codeagentd.extract.file_facts import extract
from codeagentd.model.facts import FIRST_BOUND, FileFacts

DEPTH = 2_000
LINES = 20_000


def extracted(source: str, language: str) -> FileFacts:
    """The facts of a source, for less CPU than the seconds that a worker has for it: the machine may be busy."""
    begin = time.thread_time()
    facts = extract(source.encode(), language)
    assert time.thread_time() - begin < EXTRACT_DEADLINE_S
    return facts


def last_call(facts: FileFacts) -> tuple[int, str]:
    """(line, name of the definition that it is bound to) of the last reference."""
    reference = list(facts.references())[-1]
    return reference.line, facts.symbols[reference.binding - FIRST_BOUND].name


def nested(outer: str, middle: str, closing: str) -> str:
    """`outer` as often as sources here are deep, `{}` its number, and as many ends behind."""
    return "".join(outer.replace("{}", str(number)) for number in range(DEPTH)) + middle + closing * DEPTH


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", f"def good(): return 1\nx = {nested('(', 'good()', ')')}\ndef last(): return good()\n"),
        (
            "typescript",
            f"function good() {{}}\nconst x = {nested('[', 'good()', ']')};\nfunction last() {{ good(); }}\n",
        ),
        (
            "c",
            f"int good(void) {{ return 1; }}\nint x(void) {{ {nested('{', 'good();', '}')} }}\nint last(void) {{ return good(); }}\n",
        ),
        (
            "java",
            f"class A {{ int good() {{ return 1; }}\nint x = {nested('(', 'good()', ')')};\nint last() {{ return good(); }} }}\n",
        ),
        ("rust", f"fn good() {{}}\nfn x() {{ {nested('{', 'good();', '}')} }}\nfn last() {{ good() }}\n"),
        (
            "go",
            f"package m; func good() {{}}\nfunc x() {{ {nested('{', 'good();', '}')} }}\nfunc last() {{ good() }}\n",
        ),
    ],
)
def test_two_thousand_brackets_hide_nothing_behind_them(language: str, source: str) -> None:
    facts = extracted(source, language)
    assert (facts.status, facts.symbols[-1].name, facts.symbols[-1].line) == ("full", "last", 3)
    assert last_call(facts) == (3, "good")


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", f"def good(): return 1\nx = a{'[0]' * DEPTH}.good()\ndef last(): return good()\n"),
        ("typescript", f"function good() {{}}\nconst x = a{'[0]' * DEPTH}.good();\nfunction last() {{ good(); }}\n"),
        (
            "java",
            f"class A {{ int good() {{ return 1; }}\nint x = a{'[0]' * DEPTH}.good();\nint last() {{ return good(); }} }}\n",
        ),
        ("go", f"package m; func good() {{}}\nfunc x() {{ a{'[0]' * DEPTH}.good() }}\nfunc last() {{ good() }}\n"),
        (
            "go",
            f"package m; func good() {{}}\nfunc x() {{ {'(' * DEPTH}a{'[0])' * DEPTH}.good() }}\nfunc last() {{ good() }}\n",
        ),
    ],
)
def test_two_thousand_elements_of_elements_hide_nothing_behind_them(language: str, source: str) -> None:
    facts = extracted(source, language)
    assert (facts.status, facts.symbols[-1].name, facts.symbols[-1].line) == ("full", "last", 3)
    assert last_call(facts) == (3, "good")


@pytest.mark.parametrize(
    ("language", "source", "found"),
    [
        ("python", "class A:\n  def f(self):\n" + "    self.x = g()\n" * LINES * 5, ["A", "f", "x"]),
        ("c", "#if X\nint f(void);\n#else\nint f(void);\n#endif\n" * LINES, ["f"]),
    ],
)
def test_what_is_said_again_and_again_is_one_definition_in_time(language: str, source: str, found: list[str]) -> None:
    facts = extracted(source, language)
    assert [symbol.name for symbol in facts.symbols[1:]] == found


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("typescript", nested("function f{}() {\n", "", "}\n") + "function last() { f0(); }\n"),
        ("rust", nested("mod f{} {\n", "", "}\n") + "fn f0() {}\nfn last() { f0() }\n"),
    ],
)
def test_two_thousand_nested_definitions_are_one_inside_the_other(language: str, source: str) -> None:
    facts = extracted(source, language)
    assert (facts.status, facts.symbols[-1].name, facts.symbols[-1].parent) == ("full", "last", 0)
    assert [(symbol.name, symbol.parent) for symbol in facts.symbols[1 : DEPTH + 1]] == [
        (f"f{number}", number) for number in range(DEPTH)
    ]


def test_what_is_nested_deeper_than_a_parser_can_count_is_partial_and_the_rest_is_found() -> None:
    source = (
        "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(DEPTH))
        + " " * DEPTH
        + "f0()\ndef last(): return f0()\n"
    )
    facts = extracted(source, "python")
    assert (facts.status, facts.symbols[-1].name, facts.symbols[-1].line) == ("partial", "last", DEPTH + 2)


def test_a_bracket_that_nobody_closes_leaves_what_stands_before_it() -> None:
    facts = extracted(
        f"int good(void) {{ return 1; }}\nint x(void) {{ {'{' * DEPTH}good();\nint last(void) {{ return good(); }}\n",
        "c",
    )
    assert facts.status == "partial"
    assert {symbol.name for symbol in facts.symbols} >= {"good", "last"}


def test_twenty_thousand_lines_are_all_read() -> None:
    facts = extracted(
        "".join(f"def f{number}(): return f0()\n" for number in range(LINES)) + "def last(): return f19999()\n",
        "python",
    )
    assert (facts.status, facts.lines, facts.symbols[-1].name) == ("full", LINES + 1, "last")
    assert last_call(facts) == (LINES + 1, "f19999")


@pytest.mark.parametrize(
    "source",
    [
        f"d = {{}}\ndef lend(x):\n    d{'[0]' * DEPTH}()\n    d{'[1]' * DEPTH} = lend\n",
        f"def lend(): return lend\nlend{'()' * DEPTH}\n",
        f"import pytest\n@pytest.mark.parametrize({'(' * DEPTH}'a'{')' * DEPTH}, [1])\ndef test_lend(a): ...\n",
        "def f0(a): a()\n" + "".join(f"def f{n}(a): f{n - 1}(a)\n" for n in range(1, DEPTH)) + f"f{DEPTH - 1}(f0)\n",
        "def f(): ...\na0 = f\n" + "".join(f"a{n} = a{n - 1}\n" for n in range(1, DEPTH)) + f"a{DEPTH - 1}()\n",
        "def f(a):\n    a()\n" + "f(f)\n" * DEPTH,
        "def f():\n" + "".join(f"    x = g{n}\n    x()\n" for n in range(DEPTH)),
        "def d(f):\n    def w(): f()\n    return w\n" + "".join(f"@d\ndef g{n}(): ...\ng{n}()\n" for n in range(DEPTH)),
    ],
)
def test_called_values_of_generated_sources_are_traced_in_time(source: str) -> None:
    assert extracted(source, "python").symbols

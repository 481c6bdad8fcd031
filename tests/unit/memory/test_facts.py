"""What is read from the outputs of tools: each file in outputs/ is what a tool printed, and the facts in it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from codeagentd.memory.reflection.facts import FRAMES, MOST, has_passed, read
from codeagentd.memory.reflection.formats import LONGEST, RULES

OUTPUTS = sorted((Path(__file__).parent / "outputs").glob("*.txt"))
UNITS = (
    *(" ", "a", "a.", "a/", "_", "E ", ":1", "a:1:", "a  ", "at ", "(", "A.b", "Aa", "= ", "x: ", "a.o:", "'", '"', "ErrorError", "[", "  [", "⎯"),
    *("\\", "C:\\", "<", " > "),
)
BEGINNINGS = (
    *("", "  1:1 error ", "  1:1  error  ", "FAILED ", "\tat a.", "    at a ", "a.py:1: error: ", "[ERROR] ", "thread 'a' panicked at '", '  File "'),
    *("E   ", "___ ", "  ● ", "Caused by: ", "a.c:(.text+0x1): ", "   at X.Y(", "a.ts(1,1): error TS1: ", "a.js:1:1: ", "a.js: line 1, col 1, Error - "),
)


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda path: path.stem)
def test_an_output_has_these_facts(output: Path) -> None:
    text, _, wanted = output.read_text().partition("===== facts")
    found = []
    for fact in read(text):
        places = ", ".join(f"{place.file}:{place.line}" for place in fact.places[:3])
        found.append(" | ".join([fact.tool, fact.kind, fact.error, fact.message, fact.test, places]))
    assert found == wanted.splitlines()[1:]
    assert found
    assert not has_passed(text)


def test_colours_and_line_ends_of_windows_hide_nothing() -> None:
    text = "\x1b[31msrc\\a.ts\x1b[0m(4,5): error TS2322: no\r\nC:\\w\\b.ts(1,2): error TS1: x\r\n"
    assert [(fact.error, fact.places[0].file) for fact in read(text)] == [("TS2322", "src\\a.ts"), ("TS1", "C:\\w\\b.ts")]


def test_prose_source_and_reports_of_success_have_no_facts() -> None:
    prose = "The total is wrong: it should be 3.\nPlease see the error below, thanks.\nTypeError is raised when x is None.\n"
    source = "def f(x):\n    raise ValueError('no')  # File handling\n\nclass A { void f() { throw new X(); } }\n"
    for text in (prose, source, "5 passed in 0.1s\n", "test result: ok. 3 passed; 0 failed\n", ""):
        assert read(text) == [], text


@pytest.mark.parametrize(
    "text",
    [
        *("===== 12 passed, 1 skipped in 0.10s =====", "Ran 3 tests in 0.001s\n\nOK", "test result: ok. 2 passed", "ok  \texample.com/shop\t0.003s"),
        *("All checks passed!", "Success: no issues found in 3 source files", "Tests:       3 passed, 3 total", "Build succeeded."),
    ],
)
def test_an_output_that_says_all_is_well_is_one_of_success(text: str) -> None:
    assert has_passed(text)


@pytest.mark.parametrize("text", ["1 failed, 12 passed in 0.10s", "12 passed, 1 error", "Tests: 1 failed, 2 passed, 3 total", "it passed yesterday", ""])
def test_one_that_does_not_is_none(text: str) -> None:
    assert not has_passed(text)


def test_no_line_takes_a_pattern_long() -> None:
    lines = [f"{beginning}{unit * LONGEST}"[:LONGEST] for beginning in BEGINNINGS for unit in UNITS]
    for rule in RULES:
        started = time.perf_counter()
        for line in lines:
            rule.pattern.match(line)
        assert time.perf_counter() - started < 0.5, rule


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000_000,
        "a.py:1:1: F401 unused\n" * 450_000,
        '  File "a.py", line 3\n' * 450_000,
        "Error: x\n    at f (a.js:1:2)\n" * 300_000,
        "Error: x\n" + "    at f (a.js:1:2)\n" * 400_000,
        "____ test ____\n" * 600_000,
        "\x1b[" * 5_000_000,
        " \n" * 5_000_000,
    ],
    ids=["one line", "one diagnostic", "frames alone", "many errors", "one deep error", "tests alone", "colours begun", "empty lines"],
)
def test_ten_megabytes_are_read_in_a_moment(text: str) -> None:
    started = time.perf_counter()
    facts = read(text)
    has_passed(text)
    assert time.perf_counter() - started < 3
    assert len(facts) <= MOST
    assert all(len(fact.places) <= FRAMES + 1 for fact in facts)

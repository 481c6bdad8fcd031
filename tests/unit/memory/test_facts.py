"""What is read from the outputs of tools: each file in outputs/ is what a tool printed, and the facts in it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from codeagentd.memory.reflection.failures import FRAMES, MOST, read
from codeagentd.memory.reflection.output_patterns import LONGEST, rules
from codeagentd.memory.reflection.verdicts import verdict

OUTPUTS = sorted((Path(__file__).parent / "outputs").glob("*.txt"))
GREEN = sorted((Path(__file__).parent / "outputs" / "green").glob("*.txt"))
UNITS = (
    *(
        " ",
        "a",
        "a.",
        "a/",
        "_",
        "E ",
        ":1",
        "a:1:",
        "a  ",
        "at ",
        "(",
        "A.b",
        "Aa",
        "= ",
        "x: ",
        "a.o:",
        "'",
        '"',
        "ErrorError",
        "[",
        "  [",
        "⎯",
    ),
    *("\\", "C:\\", "<", " > "),
)
BEGINNINGS = (
    *(
        "",
        "  1:1 error ",
        "  1:1  error  ",
        "FAILED ",
        "\tat a.",
        "    at a ",
        "a.py:1: error: ",
        "[ERROR] ",
        "thread 'a' panicked at '",
        '  File "',
    ),
    *(
        "E   ",
        "___ ",
        "  ● ",
        "Caused by: ",
        "a.c:(.text+0x1): ",
        "   at X.Y(",
        "a.ts(1,1): error TS1: ",
        "a.js:1:1: ",
        "a.js: line 1, col 1, Error - ",
    ),
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
    assert not verdict(text)


def test_colours_and_line_ends_of_windows_hide_nothing() -> None:
    text = "\x1b[31msrc\\a.ts\x1b[0m(4,5): error TS2322: no\r\nC:\\w\\b.ts(1,2): error TS1: x\r\n"
    assert [(fact.error, fact.places[0].file) for fact in read(text)] == [
        ("TS2322", "src\\a.ts"),
        ("TS1", "C:\\w\\b.ts"),
    ]


def test_prose_source_and_reports_of_success_have_no_facts() -> None:
    prose = "The total is wrong: it should be 3.\nPlease see the error below, thanks.\nTypeError is raised when x is None.\n"
    source = "def f(x):\n    raise ValueError('no')  # File handling\n\nclass A { void f() { throw new X(); } }\n"
    for text in (prose, source, "5 passed in 0.1s\n", "test result: ok. 3 passed; 0 failed\n", ""):
        assert read(text) == [], text


@pytest.mark.parametrize("output", GREEN, ids=lambda path: path.stem)
def test_an_output_of_success_has_no_facts_and_says_so(output: Path) -> None:
    assert read(output.read_text()) == []
    assert verdict(output.read_text()) is True


@pytest.mark.parametrize(
    "text",
    [
        *(
            "===== 12 passed, 1 skipped in 0.10s =====",
            "Ran 3 tests in 0.001s\n\nOK",
            "test result: ok. 2 passed",
            "ok  \texample.com/shop\t0.003s",
        ),
        *(
            "All checks passed!",
            "Success: no issues found in 3 source files",
            "Tests:       3 passed, 3 total",
            "Build succeeded.",
            "0 failed, 5 passed",
        ),
        *(
            "5 passed, 0 failed",
            "all tests passed",
            "All tests have passed.",
            "No errors",
            "no errors were found.",
            "exit code 0",
            "exit code: 0",
            "ok",
            "OK",
        ),
        *(
            "Process finished with exit code 0",
            "exited with code 0",
            "rc=0",
            "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0",
            "[INFO] BUILD SUCCESS",
        ),
        *(
            "BUILD SUCCESSFUL in 2s",
            "5 examples, 0 failures",
            "  5 passing (10ms)",
            "Found 0 errors. Watching for file changes.",
            "OK (5 tests, 5 assertions)",
        ),
        *(
            "ok | 5 passed | 0 failed (3ms)",
            "Executed 5 tests, with 0 failures (0 unexpected) in 0.1",
            "Passed!  - Failed:     0, Passed:     5",
            "    0 Error(s)",
        ),
        *(
            "0 errors, 0 warnings, 0 informations",
            "webpack 5.1 compiled successfully in 3 ms",
            "5 runs, 5 assertions, 0 failures, 0 errors",
            "The tests pass.",
        ),
        *("Error: told by a test\n5 passed", "\x1b[32m5 passed\x1b[0m"),
    ],
)
def test_an_output_that_says_all_is_well_is_one_of_success(text: str) -> None:
    assert verdict(text) is True


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1 failed, 12 passed in 0.10s",
            "12 passed, 1 error",
            "Tests: 1 failed, 2 passed, 3 total",
            "Tests  1 failed | 1 passed (2)",
            "exit code 1",
        ),
        *(
            "Exit status: 2",
            "FAILED (errors=1)",
            "make: *** [x] Error 2",
            "Tests run: 5, Failures: 1, Errors: 0",
            "something went wrong",
            "it does not work",
        ),
        *(
            "Error: boom",
            "build failed",
            "Found 2 errors.",
            "KeyError: 'pen'",
            "5 passed\nexit code 1",
            "# pass 3\n# fail 1",
            "test result: FAILED. 1 passed; 1 failed",
        ),
    ],
)
def test_one_that_says_that_something_failed_is_one_of_failure(text: str) -> None:
    assert verdict(text) is False


@pytest.mark.parametrize(
    "text",
    [
        *(
            "it passed yesterday",
            "",
            " \n",
            "this is not what I wanted",
            "I fixed 3 failing tests",
            "please use Decimal",
            "okay then",
            "passed to f",
        ),
        *("no errors in the log but the page is blank", "tests passed the object on", "code 0", "a test for no errors"),
    ],
)
def test_what_no_rule_knows_is_neither(text: str) -> None:
    assert verdict(text) is None


def test_no_line_takes_a_verdict_long() -> None:
    beginnings = (
        *BEGINNINGS,
        "1 failed ",
        "tests 1 ",
        "exit ",
        "a a a a exit ",
        "all a a ",
        "no a a ",
        "Finished [",
        "ok ",
        "webpack ",
        "it ",
    )
    units = (*UNITS, "1 ", ", 1", "1 failed, ", "tests ", "exit code ", "it ", "failed: ")
    lines = [f"{beginning}{unit * LONGEST}"[:LONGEST] for beginning in beginnings for unit in units]
    started = time.process_time()
    verdict("\n".join(lines))
    assert time.process_time() - started < 0.5 + len(lines) / 2_000


def test_no_line_takes_a_pattern_long() -> None:
    lines = [f"{beginning}{unit * LONGEST}"[:LONGEST] for beginning in BEGINNINGS for unit in UNITS]
    for rule in rules():
        started = time.process_time()
        for line in lines:
            rule.pattern.match(line)
        assert time.process_time() - started < 0.5, rule


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
    ids=[
        "one line",
        "one diagnostic",
        "frames alone",
        "many errors",
        "one deep error",
        "tests alone",
        "colours begun",
        "empty lines",
    ],
)
def test_ten_megabytes_are_read_in_a_moment(text: str) -> None:
    started = time.process_time()
    facts = read(text)
    verdict(text)
    assert time.process_time() - started < 3
    assert len(facts) <= MOST
    assert all(len(fact.places) <= FRAMES + 1 for fact in facts)

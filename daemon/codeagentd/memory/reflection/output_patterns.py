"""The table of patterns for lines in which test runners, compilers, linters and tracebacks report failures.

Every pattern matches one line of at most LONGEST characters, in linear time: repetitions before an optional part are
possessive. Sources: the tools' documented formats, and outputs of tools that were installed.
"""

from __future__ import annotations

import functools
import re
from enum import Enum
from typing import Final, NamedTuple

LONGEST: Final = 500  # characters of a line that are read

TEST_FAILURE: Final = "test_failure"
LINT_ERROR: Final = "lint_error"
TYPE_ERROR: Final = "type_error"
BUILD_ERROR: Final = "build_error"
RUNTIME_ERROR: Final = "runtime_error"


class Role(Enum):
    """The effect of a matching line on the failure that is being parsed."""

    WHOLE = "is a fact of its own"
    TEST = "begins a failing test"
    RUN = "begins a test that may pass"
    HEAD = "begins an error whose place follows"
    MAYBE = "looks like an error: one when frames are beside it"
    THEN = "the next line has the message"
    PLACE = "says where, outermost first"
    FRAME = "says where, innermost first"
    MESSAGE = "says what"
    FILE = "names the file of the lines that follow"
    SUMMARY = "tells a failing test again"
    CHAIN = "what follows was raised because of what was before"
    END = "ends what is being read"


class Rule(NamedTuple):
    """A pattern of one line of a tool. Groups: file, line, error (class or code), message, test, cause (the failure
    caused the one before it).

    `then`: the message is on the next line.
    """

    tool: str
    kind: str
    role: Role
    pattern: re.Pattern[str]
    then: bool = False


def _file(extensions: str) -> str:
    return rf"(?P<file>(?:[A-Za-z]:(?=[\\/]))?[^\s:()\"'<>|][^:()\"'<>|]{{0,300}}\.(?:{extensions}))"


_PY, _JS, _C = "pyi?", "[cm]?[jt]sx?|vue|svelte", "c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|inc|ipp"
_LINE, _MESSAGE = r"(?P<line>\d{1,9})", r"(?P<message>\S.*)"
_NAMED = r"(?P<error>(?:[A-Za-z_]\w*+\.)*+[A-Z]\w*+(?<=Error|ption|rning|iling|rrupt|_Exit|ilure))"
_JAVA_HEAD = r"\s{0,8}(?:Exception in thread \"[^\"]{0,100}\" |(?P<cause>Caused by: )|(?=[a-z]\w{0,60}\.))"
_JAVA_AT = (
    r"\s{1,12}at (?:[\w.@-]{1,100}//?)?(?P<symbol>[\w.$<>]{1,300})\((?P<file>\w{1,100}\.(?:java|kt|scala|groovy))"
)
_PROBLEM = r"(?:error|warning)\s{1,6}(?P<message>\S(?:[^ ]| (?! ))*+)"
_LINKER = r"(?:\S{1,200}: )?(?:\S{1,200}\.o:)?(?P<file>[^\s:()]{1,300}):\(?(?P<line>\d{0,9})[^)\s]{0,60}\)?: "
_NODE = (
    r"(?:(?P<symbol>[^()\s][^()]{0,200}) \()?(?:file://)?(?P<file>(?:[A-Za-z]:(?=[\\/]))?[^\s:()][^:()]{0,300}):"
    r"(?P<line>\d{1,9}):\d{1,9}\)?$"
)

_TABLE: Final = (
    # pytest
    ("pytest", TEST_FAILURE, Role.TEST,
     r"_{3,}+ (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(?P<test>[^\s_][^ ]{0,200}|[^\s]{1,200}) _{3,}+$"),
    ("pytest", TEST_FAILURE, Role.MESSAGE, rf"E {{1,12}}{_MESSAGE}"),
    ("pytest", TEST_FAILURE, Role.PLACE,
     rf"{_file(_PY)}:{_LINE}:(?: in [\w<>]+| (?P<error>[A-Z][\w.]{{2,80}})(?:: (?P<message>.*))?)?$"),
    ("pytest", TEST_FAILURE, Role.SUMMARY,
     rf"(?:FAILED|ERROR) {_file(_PY)}(?:::(?P<test>\S{{1,200}}))?(?: - (?P<message>.*))?$"),
    ("pytest", TEST_FAILURE, Role.END, r"={3,}+ (?!FAILURES|ERRORS).{1,200}={3,}$"),
    # unittest
    ("unittest", TEST_FAILURE, Role.TEST, r"(?:FAIL|ERROR): (?P<test>\w{1,200}(?: \([\w.]{1,300}\))?)"),
    ("unittest", TEST_FAILURE, Role.END, r"Ran \d+ tests? in "),
    # Python tracebacks, also inside the output of those two
    ("python", RUNTIME_ERROR, Role.CHAIN,
     (r"\s{0,8}(?:[|] )?(?:The above exception was the direct cause of"
     r"|During handling of the above exception, another)\b")),
    ("python", RUNTIME_ERROR, Role.END, r"\s{0,8}(?:\+ )?(?:Exception Group )?Traceback \(most recent call last\):$"),
    ("python", RUNTIME_ERROR, Role.PLACE,
     rf"\s{{0,8}}(?:[|] )?\s{{0,4}}File \"(?P<file>[^\"]{{1,400}})\", line {_LINE}"),
    # jest and vitest
    ("jest", TEST_FAILURE, Role.TEST, r"\s{1,6}● (?!Console$|Test suite failed)(?P<test>\S.{0,300})$", True),
    ("jest", TEST_FAILURE, Role.TEST, r"\s{1,6}● (?P<test>Test suite failed to run)$", True),
    ("jest", TEST_FAILURE, Role.FILE, rf"\s?FAIL {_file(_JS)}(?: \([\d.]+ m?s\))?$"),
    ("vitest", TEST_FAILURE, Role.TEST, rf"\s{{0,4}}(?:FAIL|×)\s{{1,4}}{_file(_JS)} > (?P<test>.{{1,300}})$", True),
    ("vitest", TEST_FAILURE, Role.FRAME,
     rf"\s{{0,4}}❯ (?:[^\s:]{{1,200}} )?(?P<file>(?:[A-Za-z]:(?=[\\/]))?[^\s:()]{{1,300}}):{_LINE}:\d{{1,9}}$"),
    ("vitest", TEST_FAILURE, Role.END, r"⎯{5,}"),
    # Node
    ("node", RUNTIME_ERROR, Role.MAYBE, rf"\s{{1,12}}(?P<cause>\[cause\]: ){_NAMED}(?:: (?P<message>.*))?$"),
    ("node", RUNTIME_ERROR, Role.FRAME, rf"\s{{1,12}}at (?:async )?{_NODE}"),
    # .NET
    ("dotnet", BUILD_ERROR, Role.WHOLE,
     rf"\s{{0,8}}{_file('cs|fs|vb|razor|csproj')}\({_LINE},\d+\): error (?P<error>[A-Z]+\d+): (?P<message>[^\[]*+)"),
    ("dotnet", TEST_FAILURE, Role.TEST,
     r"\s{1,6}(?:Failed|X) (?P<test>[\w.+`<>]{1,300}(?:\([^)]{0,200}\))?) \[[^\]]{1,30}\]$"),
    ("dotnet", TEST_FAILURE, Role.THEN, r"\s{1,6}Error Message:$"),
    ("csharp", RUNTIME_ERROR, Role.MAYBE, r"Unhandled exception\. (?P<error>[A-Z][\w.]{1,200}): (?P<message>.*)"),
    ("csharp", RUNTIME_ERROR, Role.FRAME,
     rf"\s{{1,9}}at (?P<symbol>[^()]{{1,300}})\(.{{0,300}}?\) in (?P<file>\S.{{0,300}}?):line {_LINE}$"),
    # Java
    ("junit", TEST_FAILURE, Role.TEST,
     r"\[ERROR\] (?P<test>[\w.$]{1,300})(?:\(\))?\s{1,4}(?:Time elapsed|-- Time elapsed).{0,60}<<< (?:FAILURE|ERROR)!"),
    ("junit", TEST_FAILURE, Role.TEST, r"(?P<test>[\w$]{1,200} > [\w$() ]{1,200}) FAILED$"),
    ("java", RUNTIME_ERROR, Role.MAYBE, rf"{_JAVA_HEAD}{_NAMED}(?:: (?P<message>.*))?$"),
    ("java", RUNTIME_ERROR, Role.FRAME, rf"{_JAVA_AT}:{_LINE}\)"),
    ("javac", BUILD_ERROR, Role.WHOLE,
     rf"(?:\[ERROR\] )?{_file('java|kt|scala')}:(?:{_LINE}: error: |\[(?P<line2>\d+),\d+\] (?:error: )?){_MESSAGE}"),
    # TypeScript
    ("tsc", BUILD_ERROR, Role.WHOLE,
     rf"{_file(_JS)}(?:\({_LINE},\d+\): |:(?P<line2>\d+):\d+ - )error (?P<error>TS\d+): (?P<message>.*)"),
    # Python's checkers
    ("mypy", TYPE_ERROR, Role.WHOLE,
     rf"{_file(_PY)}:{_LINE}:(?:\d+:)* error: (?P<message>.*?)(?:  \[(?P<error>[a-z-]+)\])?$"),
    ("ruff", LINT_ERROR, Role.WHOLE,
     rf"{_file('pyi?|ipynb')}:{_LINE}:\d+:? (?P<error>[A-Z]{{1,5}}\d{{1,5}}|invalid-syntax):? (?:\[\*\] )?{_MESSAGE}"),
    ("ruff", LINT_ERROR, Role.MAYBE, rf"(?P<error>[A-Z]{{1,5}}\d{{3,4}}|invalid-syntax):? (?:\[\*\] )?{_MESSAGE}"),
    # ESLint: stylish, compact, unix
    ("eslint", LINT_ERROR, Role.FILE, rf"(?=[/.\w]|[A-Za-z]:\\){_file(_JS)}$"),
    ("eslint", LINT_ERROR, Role.WHOLE, rf"\s{{2,6}}{_LINE}:\d+\s{{1,6}}{_PROBLEM}(?:\s++(?P<error>[@\w/-]+))?$"),
    ("eslint", LINT_ERROR, Role.WHOLE,
     rf"{_file(_JS)}: line {_LINE}, col \d+, (?:Error|Warning) - (?P<message>[^(]*+)(?:\((?P<error>[@\w/-]+)\))?"),
    ("eslint", LINT_ERROR, Role.WHOLE,
     rf"{_file(_JS)}:{_LINE}:\d+: (?P<message>[^\[]*+)\[(?:Error|Warning)/(?P<error>[@\w/-]+)\]$"),
    # Rust
    ("cargo", TEST_FAILURE, Role.HEAD,
     (rf"\s{{0,4}}thread '(?P<test>[^']{{1,200}})'(?: \(\d+\))? panicked at "
     rf"(?P<file>[^':]{{1,300}}):{_LINE}:\d+:$"), True),
    ("cargo", TEST_FAILURE, Role.HEAD,
     rf"thread '(?P<test>[^']{{1,200}})' panicked at '(?P<message>[^']*+)', (?P<file>[^':]{{1,300}}):{_LINE}:\d+$"),
    ("cargo", BUILD_ERROR, Role.END,
     r"error: (?:aborting|could not compile|test failed|\d+ targets? failed)|warning(?:\[.{1,60}\])?: |failures:$"),
    ("cargo", BUILD_ERROR, Role.MAYBE, rf"error(?:\[(?P<error>E\d+)\])?: {_MESSAGE}"),
    ("cargo", BUILD_ERROR, Role.PLACE, rf"\s{{0,8}}--> (?P<file>[^:]{{1,300}}):{_LINE}:\d+$"),
    # Go
    ("go", TEST_FAILURE, Role.RUN, r"=== (?:RUN|CONT|NAME)\s{1,4}(?P<test>\S{1,200})$"),
    ("go", TEST_FAILURE, Role.TEST, r"\s{0,12}--- FAIL: (?P<test>\S{1,200}) \("),
    ("go", TEST_FAILURE, Role.END, r"\s{0,12}--- (?:PASS|SKIP): "),
    ("go", TEST_FAILURE, Role.PLACE, rf"\s{{4,16}}(?P<file>[\w./-]{{1,200}}\.go):{_LINE}: (?P<message>.*)"),
    ("go", BUILD_ERROR, Role.WHOLE, rf"(?:vet: )?{_file('go')}:{_LINE}:\d+: {_MESSAGE}"),
    ("go", RUNTIME_ERROR, Role.HEAD, r"(?P<error>panic|fatal error): (?P<message>.*)"),
    ("go", RUNTIME_ERROR, Role.FRAME, rf"\t(?P<file>\S[^:]{{0,300}}\.go):{_LINE}(?: \+0x[0-9a-f]+)?$"),
    # C and C++
    ("gcc", BUILD_ERROR, Role.WHOLE,
     rf"{_file(_C)}:{_LINE}:(?:\d+:)? (?:fatal )?error: (?P<message>.*?)(?: \[(?P<error>-W[\w+=-]+)\])?$"),
    ("gcc", BUILD_ERROR, Role.WHOLE, rf"{_LINKER}(?P<message>(?P<error>undefined reference) to .*)"),
    # any language, before or after its frames
    ("", RUNTIME_ERROR, Role.MAYBE,
     rf"\s{{0,12}}(?:[|] )?(?:Uncaught )?{_NAMED}(?: \[\w{{1,60}}\])?(?:: (?P<message>.*))?$"),
)  # fmt: skip


@functools.cache
def rules() -> tuple[Rule, ...]:
    """Return the rules in their order. They are compiled when the first output is read."""
    return tuple(Rule(tool, kind, role, re.compile(pattern), bool(then)) for tool, kind, role, pattern, *then in _TABLE)


NAMED: Final = re.compile(rf"{_NAMED}(?:: |$)(?P<message>.*)")

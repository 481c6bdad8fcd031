"""The failures in the outputs of compilers, linters and test runners: the failed step, its place, and its message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from .output_patterns import LINT_ERROR, LONGEST, NAMED, RUNTIME_ERROR, TEST_FAILURE, Role, Rule, rules

# characters of an output that are read from its beginning, where compilers report the first error
HEAD: Final = 200_000
TAIL: Final = 300_000  # characters that are read before its end, where test runners print summaries
MOST: Final = 200  # failures of one output: later ones are mostly consequences of the first
FRAMES: Final = 60  # places of one failure
MESSAGE: Final = 300  # characters

_COLOURS: Final = re.compile(r"\x1b(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\x07\x1b]{0,200}\x07?)")
_FRAMED_BY: Final = {  # the tools whose frames belong to each tool's errors
    "node": ("node", "jest", "vitest"), "vitest": ("vitest",), "csharp": ("csharp", "dotnet"),
    "java": ("java", "junit"), "cargo": ("cargo", "ruff"), "pytest": ("pytest",), "python": ("pytest", "unittest"),
    "go": ("go",),
}  # fmt: skip


class Place(msgspec.Struct, frozen=True):
    """A line of a file that a failure names, with the path as the compiler, linter or test runner printed it."""

    file: str
    line: int


class Fact(msgspec.Struct):
    """One failure.

    `places`: innermost first; `error`: class or code; `is_sure`: it counts as a failure even without a place;
    `is_cause`: it caused the failure before it in the list.
    """

    tool: str
    kind: str
    error: str = ""
    message: str = ""
    test: str = ""
    places: list[Place] = []
    is_sure: bool = True
    lacks_message: bool = False
    is_cause: bool = False

    def set_message(self, text: str) -> None:
        """Set the message to `text`; an error class at its beginning is stored as the error."""
        named = NAMED.match(text)
        if named and not self.error:
            self.error = named["error"].rpartition(".")[2]
            text = named["message"] or text
        self.message = self.message or text.strip()[:MESSAGE]
        self.lacks_message = False


def read(text: str) -> list[Fact]:
    """Return the failures in `text`, a tool's output, in its order, each once; of a very long output only those near
    its ends.
    """
    if len(text) > HEAD + TAIL:
        text = f"{text[:HEAD]}\n{text[-TAIL:]}"
    reader = _Reader()
    for line in _COLOURS.sub("", text).splitlines():
        if len(reader.facts) >= MOST:
            break
        if line := line[:LONGEST].rstrip():
            reader.read(line)
    reader.close()
    return _distinct(reader.facts)


def plain_lines(text: str) -> Iterator[str]:
    """Yield the last lines of `text`, a tool's output, without colours: tools print summaries there."""
    return (line[:LONGEST] for line in _COLOURS.sub("", text[-TAIL:]).splitlines())


class _Reader:
    """Parses lines one after another. A Python traceback precedes its error; in all other formats the error comes
    first.
    """

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self._open: Fact | None = None
        self._places: list[Place] = []  # places of a traceback whose error line is still to come, outermost first
        self._file = ""
        self._test = ("", "")
        self._cause = -1  # the index of the failure that caused the current one; -1 for none
        self._actions = {
            Role.WHOLE: self._whole, Role.TEST: self._begin_test, Role.RUN: self._begin_test, Role.HEAD: self._begin,
            Role.MAYBE: self._maybe, Role.THEN: self._then, Role.PLACE: self._place, Role.FRAME: self._place,
            Role.MESSAGE: self._message, Role.FILE: self._name_file, Role.SUMMARY: self._sum_up, Role.END: self._end,
            Role.CHAIN: self._chain,
        }  # fmt: skip

    def read(self, line: str) -> None:
        """Parse one line."""
        for rule, match in _matching(line):
            if self._actions[rule.role](rule, match.groupdict()):
                return
        if self._open and self._open.lacks_message:
            self._open.set_message(line.strip())

    def close(self) -> int:
        """End the current failure: if it is complete, it is inserted before the failure that it caused.

        Returns its index in the list, -1 if none was added.
        """
        fact, self._open = self._open, None
        if fact is None:
            return -1
        at, self._cause = self._cause, -1
        if not (fact.is_sure or fact.places):
            return -1
        at = len(self.facts) if at < 0 else at
        self.facts.insert(at, fact)
        return at

    def _fact(self, rule: Rule, groups: dict[str, str | None], *, is_sure: bool = True) -> Fact:
        line = groups.get("line") or groups.get("line2")
        file = groups.get("file") or (self._file if line else "")
        message = (groups.get("message") or "").strip()[:MESSAGE]
        test = groups.get("test") or (self._test[1] if rule.kind in (TEST_FAILURE, RUNTIME_ERROR) else "")
        error = (groups.get("error") or "").rpartition(".")[2]
        return Fact(
            rule.tool,
            rule.kind,
            error,
            message,
            test,
            [Place(file, int(line or 0))] if file else [],
            is_sure,
            rule.then,
            bool(groups.get("cause")),
        )

    def _whole(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        if not groups.get("file") and not self._file:
            return False
        self.close()
        self.facts.append(self._fact(rule, groups))
        return True

    def _begin_test(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        name = groups["test"] or ""
        if rule.role is Role.TEST and self._open and self._open.test == name and self._open.tool == rule.tool:
            self._open.is_sure = True  # its message was printed before its name
            return True
        self.close()
        self._test, self._places, self._cause = (rule.tool, name), [], -1
        self._open = self._fact(rule, groups, is_sure=rule.role is Role.TEST)
        self._open.places = []
        return True

    def _begin(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        self.close()
        self._open = self._fact(rule, groups)
        if self._open.test == "main":
            self._open.test, self._open.kind = "", RUNTIME_ERROR
        return True

    def _maybe(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        if self._places:
            self._finish_traceback(rule, groups)
            return True
        if self._open and self._open.lacks_message:
            return False
        if (
            self._open
            and self._open.is_sure
            and not self._open.places
            and self._open.kind == TEST_FAILURE
            and rule.kind == RUNTIME_ERROR
        ):
            self._open.error = self._open.error or (groups.get("error") or "").rpartition(".")[2]
            self._open.message = self._open.message or (groups.get("message") or "")
            return True
        self.close()
        self._open = self._fact(rule, groups, is_sure=False)
        return True

    def _finish_traceback(self, rule: Rule, groups: dict[str, str | None]) -> None:
        """Handle the error line after a Python traceback, also inside the report of a test."""
        fact = self._open if self._open and self._open.tool in _FRAMED_BY["python"] and not self._open.message else None
        if fact is None:
            self.close()
            tool = self._test[0] if self._test[0] in _FRAMED_BY["python"] else "python"
            fact = self._open = self._fact(rule, groups)
            fact.tool, fact.kind = tool, RUNTIME_ERROR if tool == "python" else TEST_FAILURE
        fact.error, fact.message = (
            (groups.get("error") or "").rpartition(".")[2],
            (groups.get("message") or "")[:MESSAGE],
        )
        fact.places, self._places, fact.is_sure = [*reversed(self._places)], [], True

    def _chain(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        """Handle the line between chained Python exceptions. Python prints a cause before the error that it caused;
        here that error comes first, as in other languages.
        """
        cause = self._open
        if cause is None or cause.tool not in (rule.tool, *_FRAMED_BY[rule.tool]):
            return False
        at = self.close()
        if at >= 0:
            cause.is_cause, self._cause, self._places = True, at, []
        if cause.test:
            self._open = Fact(cause.tool, cause.kind, test=cause.test, is_sure=False)
        return True

    def _then(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        if self._open:
            self._open.lacks_message = True
        return self._open is not None

    def _place(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        place = Place(groups["file"] or "", int(groups["line"] or 0))
        if rule.tool == "python":
            self._places = [*self._places[-FRAMES:], place]
            return True
        fact = self._open
        if fact is None or (fact.tool and fact.tool not in _FRAMED_BY[rule.tool]):
            if rule.tool != "pytest" or not groups.get("error"):
                return False
            self.close()
            self._open = self._fact(rule, groups)
            if groups.get("message"):
                self.close()  # with --tb=line this line is the whole report
            return True
        fact.tool = fact.tool or rule.tool
        if len(fact.places) < FRAMES:
            fact.places.insert(len(fact.places) if rule.role is Role.FRAME else 0, place)
        fact.error = fact.error or (groups.get("error") or "").rpartition(".")[2]
        if groups.get("message"):
            fact.set_message(groups["message"] or "")
        fact.lacks_message = False
        return True

    def _message(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        if self._open is None or self._open.tool != rule.tool:
            return False
        if not self._open.message:
            self._open.set_message(groups["message"] or "")
        return True

    def _name_file(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        if self._open and self._open.lacks_message:
            return False
        self._file = groups["file"] or ""
        return True

    def _sum_up(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        self.close()
        fact = self._fact(rule, groups)
        name = _plain(groups.get("test") or "")
        for known in self.facts:
            if known.tool == rule.tool and (_plain(known.test) == name if name else _same_file(known, fact)):
                known.places = known.places or fact.places
                known.message = known.message or fact.message
                return True
            if known.tool == rule.tool and not known.test and known.error and _is_begun_by(known, fact.message):
                known.test = groups.get("test") or ""
                return True
        message, fact.message = fact.message, ""
        fact.set_message(message)
        self.facts.append(fact)
        return True

    def _end(self, rule: Rule, groups: dict[str, str | None]) -> bool:
        if rule.tool == "python":  # another traceback begins inside the report of a test
            self._places = []
            return True
        if self._open and self._open.lacks_message:
            return False
        self.close()
        self._test, self._places = ("", ""), []
        return True


def _matching(line: str) -> Iterator[tuple[Rule, re.Match[str]]]:
    for rule in rules():
        if match := rule.pattern.match(line):
            yield rule, match


def _plain(test: str) -> str:
    return test.replace("::", ".")


def _is_begun_by(known: Fact, summary: str) -> bool:
    """Whether a summary line, which may be cut, is the beginning of a failure's error and message."""
    return summary.startswith(f"{known.error}: ") and f"{known.error}: {known.message}".startswith(
        summary.removesuffix("...")
    )


def _same_file(known: Fact, fact: Fact) -> bool:
    return bool(fact.places) and known.test.endswith(fact.places[0].file)


def _distinct(facts: list[Fact]) -> list[Fact]:
    """Each failure once; errors come before style warnings, since errors stopped the work."""
    seen: dict[tuple[object, ...], Fact] = {}
    for fact in facts:
        seen.setdefault((fact.tool, fact.error, fact.message, fact.test, *fact.places[:1]), fact)
    return sorted(seen.values(), key=lambda fact: fact.kind == LINT_ERROR)

"""Conditional compilation: the branches that a compiler takes, as far as their conditions determine it (C11 6.10.1,
[cpp.cond]).

No file is preprocessed. A name has the value that the language's data give as predefined (preprocessor in
language.toml); any other is unknown, and a condition may then be unknown as well.
"""

from __future__ import annotations

import operator
import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from codeagentd.languages.language import PreprocessorRules

from .directives import directives

Value = int | None  # None: unknown

_DIRECTIVE: Final = re.compile(rb"\s*#\s*(ifn?def|if|elifn?def|elif|else|endif)\b(.*)", re.DOTALL)
_OPENING: Final = frozenset({"if", "ifdef", "ifndef"})
_NO_SPACE: Final = re.compile(r"\\\r?\n|/\*.*?(?:\*/|\Z)|//.*", re.DOTALL)
_TOKEN: Final = re.compile(r"\s*(0[xX][0-9A-Fa-f]+[uUlL]*|[0-9]+[uUlL]*|[A-Za-z_]\w*|&&|\|\||[=!<>]=|[-+*!<>()]|\S)")
_LONGEST: Final = 200  # tokens of a condition: no program has as many, and each may open a parenthesis


def _and(left: Value, right: Value) -> Value:
    if left == 0 or right == 0:
        return 0
    return None if left is None or right is None else 1


def _or(left: Value, right: Value) -> Value:
    return _not(_and(_not(left), _not(right)))


def _not(value: Value) -> Value:
    return None if value is None else int(not value)


def _known(apply: Callable[[int, int], int]) -> Callable[[Value, Value], Value]:
    return lambda left, right: None if left is None or right is None else int(apply(left, right))


_OPERATORS: Final[dict[str, tuple[int, Callable[[Value, Value], Value]]]] = {
    "||": (1, _or), "&&": (2, _and), "==": (3, _known(operator.eq)), "!=": (3, _known(operator.ne)),
    "<": (4, _known(operator.lt)), ">": (4, _known(operator.gt)), "<=": (4, _known(operator.le)),
    ">=": (4, _known(operator.ge)), "+": (5, _known(operator.add)), "-": (5, _known(operator.sub)),
    "*": (6, _known(operator.mul)),
}  # fmt: skip


class _UnreadableError(Exception):
    """A condition has parts that are not supported."""


class _Expression:
    """One condition, evaluated from left to right."""

    __slots__ = ("at", "rules", "tokens")

    def __init__(self, text: str, rules: PreprocessorRules) -> None:
        self.tokens: list[str] = [*_TOKEN.findall(_NO_SPACE.sub(" ", text)), ""]
        self.rules = rules
        self.at = 0

    def evaluate(self) -> Value:
        """Return the value of the condition; None where it is unknown."""
        if len(self.tokens) > _LONGEST:
            return None
        try:
            value = self._value(0)
        except _UnreadableError:
            return None
        return value if self.at == len(self.tokens) - 1 else None

    def name(self) -> Value:
        """Return whether the next name is that of a macro, as 0 or 1; None where that is unknown."""
        name = self._next()
        return 1 if name in self.rules.predefined else 0 if name in self.rules.undefined else None

    def _next(self) -> str:
        if self.at == len(self.tokens) - 1:
            raise _UnreadableError
        self.at += 1
        return self.tokens[self.at - 1]

    def _value(self, binding: int) -> Value:
        value = self._operand()
        while (result := _OPERATORS.get(self.tokens[self.at])) and result[0] > binding:
            self.at += 1
            value = result[1](value, self._value(result[0]))
        return value

    def _operand(self) -> Value:
        token = self._next()
        if token == "!":
            return _not(self._operand())
        if token == "-":
            return _OPERATORS["-"][1](0, self._operand())
        if token == "(":
            return self._closed(self._value(0))
        if token == "defined":
            if self.tokens[self.at] != "(":
                return self.name()
            self.at += 1
            return self._closed(self.name())
        if token[0].isdigit():
            return _number(token)
        if not token.isidentifier():
            raise _UnreadableError
        return self._named(token)

    def _closed(self, value: Value) -> Value:
        if self._next() != ")":
            raise _UnreadableError
        return value

    def _named(self, name: str) -> Value:
        """Return the value of a macro; that of a macro with arguments is unknown."""
        depth = 0
        while self.tokens[self.at] == "(" or depth:
            depth += {"(": 1, ")": -1}.get(self._next(), 0)
            if not depth:
                return None
        return 0 if name in self.rules.undefined else self.rules.predefined.get(name)


def _number(token: str) -> Value:
    digits = token.rstrip("uUlL")
    try:
        return int(digits, 8 if digits[0] == "0" and digits.isdigit() else 0)
    except ValueError:
        return None


def value_of(condition: str, rules: PreprocessorRules) -> Value:
    """Return the value of the `condition` of an #if: 0 is false, None unknown, any other number true."""
    return _Expression(condition, rules).evaluate()


class Branches:
    """The branches of conditional compilation in one file. They are read on first use."""

    def __init__(self, source: bytes, rules: PreprocessorRules) -> None:
        self._source = source
        self._rules = rules
        self._starts: list[int] = []
        self._values: list[Value] = []

    def chance(self, place: int) -> int:
        """Return whether the compiler sees the code at the offset `place`: 0 never, 1 perhaps, 2 always."""
        if not self._starts:
            self._read()
        value = self._values[bisect_right(self._starts, place) - 1]
        return 1 if value is None else 2 * bool(value)

    def _read(self) -> None:
        self._note(0, 1)
        # of each open group: whether it is compiled, whether one of its branches so far is
        enclosing: list[tuple[Value, Value]] = []
        for start, text in directives(self._source):
            match = _DIRECTIVE.match(text)
            word = match[1].decode() if match else ""
            if not match or not (word in _OPENING or enclosing):
                continue
            if word == "endif":
                self._note(start, enclosing.pop()[0])
                continue
            outer, before = (self._values[-1], 0) if word in _OPENING else enclosing.pop()
            condition = 1 if word == "else" else self._holds(word, match[2].decode(errors="replace"))
            enclosing.append((outer, _or(before, condition)))
            self._note(start, _and(outer, _and(_not(before), condition)))

    def _note(self, start: int, value: Value) -> None:
        self._starts.append(start)
        self._values.append(value)

    def _holds(self, word: str, condition: str) -> Value:
        if not word.endswith("def"):
            return value_of(condition, self._rules)
        value = value_of(f"defined {condition}", self._rules)
        return _not(value) if word.endswith("ndef") else value

"""The declaration of a symbol on one line, in its language, without its body.

The parts that the index stores (parameters, return type) are combined with the words around them in the source. No
language has special rules here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

MAX_SIGNATURE: Final = 500  # characters
LINES: Final = 60  # lines of a declaration
_MAX_GAP: Final = 120  # characters between a name and its parameters

_SPACE: Final = re.compile(r"\s+")
# lines before the name that are not part of the declaration: attributes, comments
_ASIDE: Final = re.compile(r"\s*(?:@|#\[|\[|//|/\*|\*|#)")
_LOOSE: Final = re.compile(r"(\() +|,? +(\))")  # blanks around parameters on lines of their own
_ENDS: Final = re.compile(r".*[;{}]", re.DOTALL)
_GENERIC: Final = {"<": ">", "[": "]"}
# words between a parameter list and a return type
_BETWEEN: Final = r"\s*(?:(?:async|throws|rethrows|const|noexcept|override|final|mutable)\b\s*)*(?:->|:)?\s*"
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}
_QUOTES: Final = "\"'`"


class Declared(NamedTuple):
    """A declaration as stored in the index; lines from 1, `col` from 0."""

    name: str
    line_start: int
    line: int
    col: int
    is_type: bool
    parameters: str | None
    returns: str


def declaration(lines: Sequence[str], declared: Declared) -> str:
    """Return the declaration as `lines`, its file, have it, on one line; '' if the source has changed since it was
    indexed.
    """
    line = lines[declared.line - 1] if 0 < declared.line <= len(lines) else ""
    at = line.find(declared.name, declared.col, declared.col + len(declared.name) + 2)  # a sigil may precede it
    if at < 0:
        return ""
    before = _before(lines, declared, line[:at])
    is_parameter = _opened(line[:at]) > 0
    rest = "\n".join([line[at + len(declared.name) :], *lines[declared.line : declared.line + LINES]])
    if declared.parameters is not None:
        parameters = _LOOSE.sub(r"\1\2", declared.parameters)
        return _short(before + declared.name + _callable(before, rest, parameters, declared.returns))
    return _short(before + declared.name + (_headed(rest) if declared.is_type else _plain(rest, is_parameter)))


def _before(lines: Sequence[str], declared: Declared, lead: str) -> str:
    """The text before the name: modifiers and types, which may begin on a line above."""
    above = [line for line in lines[declared.line_start - 1 : declared.line - 1] if not _ASIDE.match(line)]
    words = _ENDS.sub("", "\n".join([*above, lead]))
    return _SPACE.sub(" ", words[_opened(words) :]).lstrip()


def _opened(text: str) -> int:
    """The offset after the last unclosed opening parenthesis: a parameter can be a symbol too."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth < 0:
            return at + 1
    return 0


def _callable(before: str, rest: str, parameters: str, returns: str) -> str:
    """The part of a callable's declaration after its name."""
    at = _parameters_at(rest)
    if at is None:
        return parameters + (f" -> {returns}" if returns else "")
    gap, tail = _SPACE.sub(" ", rest[:at]), rest[_closing(rest, at) :]
    if not returns:
        return gap + parameters
    if match := re.match(_BETWEEN + r"\s+".join(map(re.escape, returns.split())), tail):
        return gap + parameters + _SPACE.sub(" ", match[0])
    if re.search(rf"(?<!\w){re.escape(returns)}(?!\w)", before):
        return gap + parameters
    return f"{gap}{parameters} -> {returns}"


def _parameters_at(rest: str) -> int | None:
    """The offset where the parameters begin: near the name, after type parameters; None if there are none."""
    at = 0
    if rest[:1] in _GENERIC:
        at = _balanced(rest, 0, rest[0], _GENERIC[rest[0]])
    at = rest.find("(", at)
    if at < 0 or at > _MAX_GAP or any(sign in rest[:at] for sign in "{};"):
        return None
    return at


def _headed(rest: str) -> str:
    """The part of a type's declaration after its name, up to its body."""
    at = 0
    while at < len(rest) and rest[at] not in "{;\n" and rest[at - 1 : at + 1] != "):":
        at = _closing(rest, at) if rest[at] in "([" else at + 1
    return _SPACE.sub(" ", rest[:at]).rstrip(" :(=")


def _plain(rest: str, is_parameter: bool) -> str:
    """The part of any other declaration after its name, on the same line: type and value, no body."""
    text = rest.partition("\n")[0]
    at = 0
    while at < len(text):
        sign = text[at]
        if sign in ")]};" or (sign == "," and is_parameter) or (sign == "{" and "=" not in text[:at]):
            break
        at = _closing(text, at) if sign in _BRACKETS else at + 1
    return _SPACE.sub(" ", text[:at]).rstrip(" {[(,:=")


def _closing(text: str, at: int) -> int:
    """The offset after the bracket that closes the one at `at`; brackets in quotes do not count."""
    expected: list[str] = []
    quote = ""
    while at < len(text):
        sign = text[at]
        if quote:
            at += sign == "\\"
            quote = "" if sign == quote or (sign == "\n" and quote != "`") else quote
        elif sign in _QUOTES and text[at - 1 : at].isalnum() is False:  # the quote in Rust's <'a> ends with the line
            quote = sign
        elif sign in _BRACKETS:
            expected.append(_BRACKETS[sign])
        elif expected and sign == expected[-1]:
            expected.pop()
            if not expected:
                return at + 1
        at += 1
    return len(text)


def _balanced(text: str, at: int, opening: str, closing: str) -> int:
    depth = 0
    for place in range(at, min(len(text), at + _MAX_GAP)):
        depth += (text[place] == opening) - (text[place] == closing)
        if not depth:
            return place + 1
    return at


def _short(text: str) -> str:
    return text if len(text) <= MAX_SIGNATURE else f"{text[: MAX_SIGNATURE - 1]}…"

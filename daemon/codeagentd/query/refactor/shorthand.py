"""Shorthand: places where one word is the name of a member and of a variable, as in `{ width }` for `{ width: width }`.

A renaming changes only one of the two, so that the word has to be written out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

MOST_AROUND: Final = 200  # lines before and after a place in which the bracket around it is looked for

_OBJECTS: Final = "objects"
_FIELDS: Final = "fields"
# whose braces hold no members of an object, or what a module exports: the name is one on both sides
_CLAUSE: Final = re.compile(r"(?:\b(?:import|export)(?:\s+type)?(?:\s+[\w$]+\s*,)?|\benum\s+[\w$]+|\bexports\s*=)\s*$")
_IMPORTED: Final = re.compile(r"\s*=\s*(?:await\s+)?(?:require|import)\s*\(")  # after the braces of a pattern
_CLOSING: Final = {")": "(", "]": "[", "}": "{"}


def is_shorthand(rule: str, lines: Sequence[str], line: int, start: int, end: int) -> bool:
    """Return whether the word between the columns `start` and `end` of a line stands for a member and for a variable.

    `rule`: "objects": in the braces of objects and patterns (JavaScript); "fields": in those of values and patterns of
    structs (Rust), for a place where the word is a field.
    """
    if not rule:
        return False
    before, after = _before(lines, line, start), _after(lines, line, end)
    if rule == _FIELDS:
        return not before.endswith(".") and (not after.startswith(":") or after.startswith("::"))
    is_item = before.endswith(("{", ",")) and (after.startswith((",", "}")) or _is_default(after))
    if rule != _OBJECTS or not is_item or not _is_in_object(before):
        return False
    return not _IMPORTED.match(_after_brace("\n".join([lines[line - 1][end:], *lines[line : line + MOST_AROUND]])))


def _before(lines: Sequence[str], line: int, column: int) -> str:
    """The text before a place, without white space and comments at its end."""
    text = lines[line - 1][:column].rstrip()
    number = line - 1
    while number > 0 and not text:
        number -= 1
        text = lines[number].partition("//")[0].rstrip()
    first = max(number - MOST_AROUND, 0)
    return "\n".join([*lines[first:number], text]) if text else ""


def _after(lines: Sequence[str], line: int, column: int) -> str:
    """The text after a place, without white space and comments at its beginning."""
    text = lines[line - 1][column:].partition("//")[0].lstrip()
    number = line
    while number < len(lines) and not text:
        text = lines[number].partition("//")[0].lstrip()
        number += 1
    return text


def _is_default(after: str) -> bool:
    """Whether a default follows, as in the pattern `{ width = 3 }`."""
    return after.startswith("=") and not after.startswith(("==", "=>"))


def _is_in_object(before: str) -> bool:
    """Whether the innermost bracket around the end of `before` is a brace of an object or pattern."""
    closed: list[str] = []
    for position in range(len(before) - 1, -1, -1):
        sign = before[position]
        if sign in _CLOSING:
            closed.append(_CLOSING[sign])
        elif closed and sign == closed[-1]:
            closed.pop()
        elif not closed and sign in "([{":
            return sign == "{" and not _CLAUSE.search(before[:position])
    return False


def _after_brace(text: str) -> str:
    """What follows the brace that closes the one around the beginning of `text`."""
    depth = 1
    for position, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if not depth:
            return text[position + 1 :]
    return ""

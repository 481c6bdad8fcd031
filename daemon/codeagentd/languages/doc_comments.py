"""The text of the comment on a definition, without comment signs.

The index knows whether a definition has a comment; this module reads its text: a string that begins the body, or the
comment lines directly above. `rule` is the language's rule for comments (rules.doc).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Final

GENERIC: Final = "generic"
MAX_TEXT: Final = 4_000  # characters; the longest of the standard library's functions has half
MAX_LINES: Final = 200  # looked at above a definition

_DOCSTRING: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*[rRuU]?(\"\"\"|'''|\"|')(.*?)(?<!\\)\1", re.DOTALL)
_COLON: Final = re.compile(r":[ \t]*(?:#[^\n]*)?(?:\n|(?=[rRuU]?[\"']))")
_ATTRIBUTE: Final = re.compile(r"\s*(?:@[\w.$]|#\[|\[[A-Za-z])|[^/#]*\)\]?\s*$")
# rules of languages where a plain `//` is no documentation
_STRICT: Final = frozenset({"preceding", "slashes", "phpdoc"})
_LINE: Final = re.compile(r"\s*(///|//!|//|#+(?!\[)|--+|%+|;+)")
_SIGNS: Final = re.compile(
    r"^[ \t]*(?:/\*[*!]?|\*/|\*(?![/)])|///?|//!|#+|%+|;+|--+(?:[ \t]*\|)?|\{-[ \t]*\|?|\(\*\*?)?[ \t]?"
    r"(.*?)[ \t]*(?:\*+[/)]|-\})?[ \t]*$"
)
_BLOCKS: Final = {"*/": "/*", "-}": "{-", "*)": "(*"}  # the end of a block comment, and its begin
_DIRECTIVE: Final = re.compile(r"\s*(?://[a-z]+:[a-z]|#!|# frozen_string_literal|# -\*-)")
_XML: Final = re.compile(r"</?(?:summary|remarks|para)>")


_DOC_ATTRIBUTE: Final = re.compile(r"\s*@(doc|typedoc|moduledoc)\s+(?:~[sS])?(\"\"\"|\")(.*?)(?<!\\)\2", re.DOTALL)
# a string after the name of a definition, and after its parameters
_DOC_STRING: Final = re.compile(
    r"\s*\((?:[^\s()]+\s+)?(?:\^\S+\s+)*[^\s()]+\s+(?:[\[(][^\[\]()]*[\])]\s*)*\"((?:[^\"\\]|\\.)*)\"", re.DOTALL
)
_DEFINITION: Final = re.compile(r"^\s*(?:def\w*|end)\b", re.MULTILINE)
# of generic languages, in which such a line is a comment wherever a definition is known to have one
_ANY_LINE: Final = re.compile(r"\s*(///|//!|//|;+|%+|!+|'+|\"|#+|--+|\*>?|\\|(?:REM|rem|dnl)\b)")
_ANY_BLOCK: Final = (("/*", "*/"), ("(*", "*)"), ("{-", "-}"), ("<!--", "-->"), ("#|", "|#"), ("{#", "#}"), ("{", "}"))
_ANY_SIGN: Final = re.compile(
    r"^[ \t]*(?:/\*+!?|\*+/|\(\*+|\{-[ \t]*\|?|<!--|#\||\{#?|///?|//!|;+|%+|!+|'+|\"|#+|--+[ \t]*\|?|\*>?|\\"
    r"|(?:REM|rem|dnl)\b)?"
    r"[ \t]?(.*?)[ \t]*(?:\*+[/)]|-?\}|-->|\|#|#\})?[ \t]*$"
)

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z(`'\"])|\n\s*\n")
LONGEST_SENTENCE: Final = 300  # characters


def documentation(lines: Sequence[str], rule: str, place: tuple[int, int, int], *, whole: bool) -> str | None:
    """Return the comment on a definition, without comment signs, or None. `place`: the first line of the definition,
    the line of its name, and its last line. `whole`: it is a file, for which only a comment at the beginning counts.
    """
    first, line, last = place
    if rule == "strings":
        string = _DOC_STRING.match("\n".join(lines[first - 1 : min(last, first + MAX_LINES)]))
        return _cut(inspect.cleandoc(string[1])) if string and not whole else None
    if rule == "attributes":
        return attribute_text(lines, 1 if whole else first, last)
    if rule == "captured" and (text := docstring(lines, 1 if whole else line, last, whole=whole)):
        return text
    return None if whole else comment_above(lines, first, rule)


def attribute_text(lines: Sequence[str], first: int, last: int) -> str | None:
    """Return the text of the attribute that documents a definition: `@doc "…"` above the definition, which begins on
    line `first`, or `@moduledoc "…"` at the beginning of a module; None without one.
    """
    above = "\n".join(lines[max(0, first - 1 - MAX_LINES) : first - 1])
    texts = [*_DOC_ATTRIBUTE.finditer(above)]
    if texts and texts[-1][1] != "moduledoc" and not _DEFINITION.search(above, texts[-1].end()):
        return _cut(inspect.cleandoc(texts[-1][3]))
    inside = _DOC_ATTRIBUTE.match("\n".join(lines[first : min(last, first + MAX_LINES)]))
    return _cut(inspect.cleandoc(inside[3])) if inside and inside[1] == "moduledoc" else None


def sentence(text: str) -> str:
    """Return the first sentence of `text`, a comment, on one line; cut at LONGEST_SENTENCE characters."""
    first = " ".join(_SENTENCE.split(text.strip(), maxsplit=1)[0].split())
    return first if len(first) <= LONGEST_SENTENCE else f"{first[: LONGEST_SENTENCE - 1]}…"


def docstring(lines: Sequence[str], line: int, end: int, *, whole: bool = False) -> str | None:
    """Return the string that begins the body of the Python definition with its name on `line`, or with `whole` that of
    the file; None without one. `end` is the last line of the definition or file.
    """
    text = "\n".join(lines[line - 1 : end])
    at = 0
    if not whole:
        colon = _COLON.search(text)
        while colon and _depth(text[: colon.start()]):
            colon = _COLON.search(text, colon.end())
        if colon is None:
            return None
        at = colon.end()
    match = _DOCSTRING.match(text, at)
    return _cut(inspect.cleandoc(match[2])) if match else None


def comment_above(lines: Sequence[str], line: int, rule: str) -> str | None:
    """Return the comment that ends right above `line`, or stands at the beginning of it; None without one."""
    result = comment_lines(lines, line, rule)
    if not result:
        return None
    signs = _ANY_SIGN if rule == GENERIC else _SIGNS
    match = [signs.sub(r"\1", text) for text in result if not _DIRECTIVE.match(text)]
    return _cut(_XML.sub("", inspect.cleandoc("\n".join(match))).strip())


def comment_lines(lines: Sequence[str], line: int, rule: str) -> list[str]:
    """Return the lines of the comment that comment_above reads, with their comment signs; none for a line beyond the
    text, which may have become shorter since it was indexed.
    """
    if line > len(lines):
        return []
    if (first := lines[line - 1].lstrip()).startswith("/*") and "*/" in first:
        return [first[: first.index("*/") + 2]]
    at = line - 2
    if rule == GENERIC:
        return _generic_lines(lines, at) if at >= 0 else []
    while at >= 0 and line - at < MAX_LINES:
        text = lines[at].strip()
        if opening := _BLOCKS.get(text[-2:]):
            return _up_to(lines, at, opening)
        if sign := _LINE.match(lines[at]):
            block = _run(lines, at, sign[1])
            if rule not in _STRICT or sign[1] != "//":
                return block
            at -= len(block)
        elif text.endswith('"""'):
            return _string(lines, at)
        elif text and _ATTRIBUTE.match(text):
            at -= 1
        else:
            break
    return []


def _generic_lines(lines: Sequence[str], at: int) -> list[str]:
    """Return the comment that ends at line `at`, in whichever signs a language has for comments."""
    text = lines[at].strip()
    for opening, closing in _ANY_BLOCK:
        if text.endswith(closing) and (closing != "}" or text.startswith(opening)):
            return _up_to(lines, at, opening)
    sign = _ANY_LINE.match(lines[at])
    return _run(lines, at, sign[1], _ANY_LINE) if sign else []


def _run(lines: Sequence[str], at: int, sign: str, signs: re.Pattern[str] = _LINE) -> list[str]:
    """Return the comment lines that end at line `at`, all of one kind."""
    first = at
    while (
        first > 0
        and at - first < MAX_LINES
        and (above := signs.match(lines[first - 1]))
        and above[1][:2].rstrip("!") == sign[:2].rstrip("!")
    ):
        first -= 1
    return list(lines[first : at + 1])


def _up_to(lines: Sequence[str], at: int, opening: str) -> list[str]:
    first = at
    while first > 0 and at - first < MAX_LINES and opening not in lines[first]:
        first -= 1
    return list(lines[first : at + 1]) if opening in lines[first] else []


def _string(lines: Sequence[str], at: int) -> list[str]:
    """Return a description in three quotes, as in GraphQL."""
    first = at if lines[at].count('"""') > 1 else at - 1
    while first > 0 and '"""' not in lines[first]:
        first -= 1
    return [text.replace('"""', "") for text in lines[first : at + 1]]


def _depth(text: str) -> int:
    return sum(text.count(sign) for sign in "([{") - sum(text.count(sign) for sign in ")]}")


def _cut(text: str) -> str | None:
    return (text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…") or None

"""Shapes of declarations that have a macro in C and C++: where a name can only be a macro, whatever it stands for.

Each shape is searched at a sign that few lines have (a name in capitals before another word, a word of a type after
another word, a keyword), and matched as a whole only there. That takes a fraction of the time of a search for the whole
shape at every name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

NAME: Final = rb"[A-Za-z_]\w*"
_TYPE_WORD: Final = (
    rb"(?:int|void|char|long|short|float|double|signed|unsigned|bool|_Bool|wchar_t|struct|union|enum|static|extern"
    rb"|inline|typedef|virtual|class|constexpr|consteval|explicit|friend|namespace|template|using)\b"
)
LEAD: Final = rb"(?:(?:static|extern|inline|constexpr|virtual|explicit|typedef|const|register|friend)\s+)*"
CAPITALS: Final = rb"[A-Z][A-Z0-9_]{2,}\b"
TYPE: Final = NAME + rb"(?:::\w+)*(?:<[^;{}()\n]*>)?"
_BUILT_IN: Final = rb"(?:int|void|char|long|short|float|double|signed|unsigned|bool|auto)"
_OWN_ARGUMENTS: Final = rb"(?:\s*<[^<>;{}()]*>)?"
QUALIFIED: Final = rb"(?:\w+" + _OWN_ARGUMENTS + rb"::)*~?" + NAME
_PARAMETERS: Final = rb"\((?:[^();{}]|\((?:[^();{}]|\([^();{}]*\))*\))*\)"
_NOEXCEPT: Final = rb"(?:\s*noexcept\s*(?:" + _PARAMETERS + rb")?)?"

_SPACE: Final = frozenset(b" \t\n\r\f\v")
_WORD: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_NEAR: Final = 64  # bytes before an offset in which the end of the word before it is searched first

# a name in capitals before another word
_CAPITALS_FIRST: Final = re.compile(rb"[A-Z](?<!\w[A-Z])[A-Z0-9_]{2,}(?=\s+[\w~])")
_BEFORE_CAPITALS: Final = re.compile(rb"\b(" + CAPITALS + rb")\s+\Z")
# white space between a word and a word of a type; words that are certainly no macro are left out
_BEFORE_TYPE_WORD: Final = re.compile(
    rb"\s(?<=\w\s)(?<!\bstatic\s)(?<!\bconst\s)(?<!\bunsigned\s)(?<!\binline\s)(?<!\bextern\s)(?<!\bint\s)"
    rb"(?<!\bstruct\s)\s*(?=[_a-z])(?=(?:const\s+)?" + _TYPE_WORD + rb")"
)
_CONST: Final = re.compile(rb"const(?<=\sconst)(?<!\bstatic\sconst)(?=\s)")

# Shelf(int n) REQUIRES(lock) : n_(n) {
_BEFORE_INITIALIZERS: Final = re.compile(rb"\)\s*(" + CAPITALS + rb"\s*\([^()\n]*\))(?=\s*:\s*" + NAME + rb"\s*[({])")
# API int lend(
_BEFORE_TYPE: Final = re.compile(
    rb"\b((?:" + CAPITALS + rb"\s+)*(?!(?:const|operator)\b|" + _TYPE_WORD + rb")" + NAME + rb")"
    rb"\s+(?=(?:const\s+)?" + _TYPE_WORD + rb")"
)
# API const T *lend(
_BEFORE_CONST: Final = re.compile(
    rb"\b(" + NAME + rb")\s+(?=const\s+" + TYPE + rb"[ \t]*[*&\s][*&\s]*\(?" + NAME + rb"\)?\s*[(;=\[])"
)
# T* NONNULL lend(
_AFTER_POINTER: Final = re.compile(rb"[*&]\s*(" + CAPITALS + rb")(?=\s+" + NAME + rb"(?:::~?\w+)*\s*[,)=;({\[])")
# int API lib::lend(
_AFTER_BUILT_IN: Final = re.compile(rb"\b" + _BUILT_IN + rb"\s+(" + CAPITALS + rb")(?=\s+" + QUALIFIED + rb"\s*\()")
# (NOESCAPE Shelf *top)
_BEFORE_PARAMETER: Final = re.compile(
    rb"[(,]\s*(" + CAPITALS + rb")\s+(?=(?:const\s+)?" + TYPE + rb"[\s*&]+" + NAME + rb"\s*[,)=\[])"
)
# API auto lend(, API ~Shelf(, API operator bool, and API Shelf(int n) : n_(n)
_BEFORE_MEMBER: Final = re.compile(
    rb"\b(" + CAPITALS + rb")\s+(?=auto\b|~|operator\s+(?!new\b|delete\b|co_await\b)\w"
    rb"|" + NAME + rb"\s*" + _PARAMETERS + _NOEXCEPT + rb"\s*:\s*" + NAME + _OWN_ARGUMENTS + rb"\s*[({])"
)
_TWO_CAPITALS: Final = re.compile(
    rb"\b(" + CAPITALS + rb")\s+(?=" + CAPITALS + rb"\s+" + TYPE + rb"[\s*&]+" + QUALIFIED + rb"\s*[(;=])"
)
_ONLY_LEAD: Final = re.compile(rb"[ \t]*" + LEAD)
# using Shelf DEPRECATED() = T
_ALIAS: Final = re.compile(rb"\busing\s+" + NAME + rb"\s+(" + CAPITALS + rb"(?:\s*\([^()\n]*\))?)(?=\s*=)")
# namespace shelves = ::lib::shelves, which the grammar does not know
_NAMESPACE_ALIAS: Final = re.compile(rb"\bnamespace\s+" + NAME + rb"\s*=\s*(::)")
# class API Shelf {
_BEFORE_BODY: Final = [
    re.compile(
        word + rb"(?<!\w" + word + rb")\s+(" + NAME + rb"(?:\s*\([^()\n]*\))?(?:\s+" + CAPITALS + rb")*)\s+"
        rb"(?=(?!final\b)" + NAME + rb"(?:::\w+)*(?:\s*<[^;{}()]*>)?\s*(?:final\s*)?[{:](?!:))"
    )
    for word in (b"class", b"struct", b"union")
]  # fmt: skip
# class API Shelf; but `struct RECT bounds;` is a variable
_BEFORE_DECLARED: Final = [
    re.compile(
        word + rb"(?<!\w" + word + rb")" + condition
        + rb"\s+(" + CAPITALS + rb"(?:\s*\([^()\n]*\))?)\s+(?=[A-Z]\w*[a-z]\w*\s*;)"
    )
    for word, condition in ((b"class", b""), (b"struct", rb"(?=\s+[A-Z]+_)"))
]  # fmt: skip

_FAR: Final = 160  # bytes of a declaration before a macro
_LONG: Final = 1000  # bytes of a line before a macro
_CONSTRUCTOR: Final = re.compile(rb"::~?(\w+)\s*\(")
_BEFORE_CONSTRUCTOR: Final = re.compile(  # API lib::Shelf::Shelf(
    rb"[ \t]*"
    + LEAD
    + rb"("
    + NAME
    + rb")\s+(?=(?:\w+"
    + _OWN_ARGUMENTS
    + rb"::)*(\w+)"
    + _OWN_ARGUMENTS
    + rb"::~?\2\s*\()"
)

Matches = Iterator[re.Match[bytes]]


def shaped(text: bytes) -> Matches:
    """List the matches of all shapes in `text`, a source without comments, literals and directives; the first group is
    the macro.
    """
    if b":" in text:
        yield from _BEFORE_INITIALIZERS.finditer(text)
        yield from _before_constructors(text)
    capitals = [match.span() for match in _CAPITALS_FIRST.finditer(text)]
    if capitals:
        yield from _around_capitals(text, capitals)
    yield from _matches(_BEFORE_TYPE, text, _chains_before_types(text))
    yield from _matches(_BEFORE_CONST, text, _words_before_const(text))
    if b"using" in text:
        yield from _ALIAS.finditer(text)
    if b"namespace" in text:
        yield from _NAMESPACE_ALIAS.finditer(text)
    yield from _apart(chain.from_iterable(shape.finditer(text) for shape in _BEFORE_BODY))
    yield from _apart(chain.from_iterable(shape.finditer(text) for shape in _BEFORE_DECLARED))


def _matches(shape: re.Pattern[bytes], text: bytes, starts: Iterable[int]) -> Matches:
    """List the matches of a shape that begin at one of `starts`, which ascend, without overlaps."""
    end = 0
    for start in starts:
        if start >= end and (match := shape.match(text, start)):
            yield match
            end = match.end()


def _apart(matches: Matches) -> Matches:
    """List `matches` in order, without those that overlap an earlier one."""
    end = 0
    for match in sorted(matches, key=re.Match.start):
        if match.start() >= end:
            yield match
            end = match.end()


def _around_capitals(text: bytes, capitals: list[tuple[int, int]]) -> Matches:
    """List the macros in capitals before another word, by what precedes them."""
    starts = [start for start, _ in capitals]
    before = [(_end_before(text, start), start) for start in starts]
    yield from _leading(text, starts)
    yield from _matches(_AFTER_POINTER, text, [end - 1 for end, _ in before if text[end - 1 : end] in (b"*", b"&")])
    yield from _matches(_AFTER_BUILT_IN, text, [_word_before(text, end) for end, start in before if end < start])
    yield from _matches(_BEFORE_PARAMETER, text, [end - 1 for end, _ in before if text[end - 1 : end] in (b"(", b",")])
    yield from _matches(_BEFORE_MEMBER, text, starts)


def _leading(text: bytes, starts: Iterable[int]) -> Matches:
    """Find the macro at the beginning of a line before another macro: `static API NODISCARD int lend(`.

    The two names are searched first, as few lines have two of them.
    """
    for match in _matches(_TWO_CAPITALS, text, starts):
        if _ONLY_LEAD.fullmatch(text, _line_of(text, match.start()), match.start()):
            yield match


def _chains_before_types(text: bytes) -> Iterator[int]:
    """List the start of the word before each word of a type, or of the names in capitals before that word."""
    for match in _BEFORE_TYPE_WORD.finditer(text):
        start = _word_before(text, match.start())
        while (end := _end_before(text, start)) < start and _is_capitals(text, before := _word_before(text, end), end):
            start = before
        yield start


def _is_capitals(text: bytes, start: int, end: int) -> bool:
    match = _CAPITALS_FIRST.match(text, start)
    return match is not None and match.end() == end


def _words_before_const(text: bytes) -> Iterator[int]:
    """List the start of the word before each `const`."""
    for match in _CONST.finditer(text):
        if (start := _word_before(text, end := _end_before(text, match.start()))) < end:
            yield start


def _end_before(text: bytes, at: int) -> int:
    """Return the end of the last text before an offset, white space left out; 0 where there is none."""
    size = _NEAR
    while at > 0:
        first = max(0, at - size)
        if before := text[first:at].rstrip():
            return first + len(before)
        at, size = first, 2 * size
    return 0


def _word_before(text: bytes, end: int) -> int:
    """Return the start of the word that ends at the offset `end`."""
    start = end
    while start > 0 and text[start - 1] in _WORD:
        start -= 1
    return start


def _before_constructors(text: bytes) -> Matches:
    """Find the macro at the beginning of the line, or of the line above, of a constructor or destructor outside of its
    class.

    The repeated name is searched first.
    """
    for constructor in _CONSTRUCTOR.finditer(text):
        at = constructor.start()
        if text.endswith(constructor[1], 0, at) or text.startswith(b">", at - 1):
            line = _line_of(text, at)
            above = text[max(0, line - _FAR) : line].rstrip()
            for start in (line, line - min(line, _FAR) + above.rfind(b"\n") + 1):
                if match := _BEFORE_CONSTRUCTOR.match(text, start):
                    yield match


def _line_of(text: bytes, at: int) -> int:
    """Return the start of the line around an offset, at most _LONG bytes before it: a file may be one long line."""
    least = max(0, at - _LONG)
    result = text.rfind(b"\n", least, at)
    return result + 1 if result >= 0 else least

"""Macros of C and C++ before preprocessing: those that no grammar can parse are cut out of the parsed text, and their
names are kept.

Offsets and lines stay the same. The replacement of a macro is not known here (its definition may be in any file), so
that only shapes count that are no declaration without a macro: two names before a declarator, a name between `class`
and the name of the class, a name before a type's keyword.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from codeagentd.extract.captures import Captures

from .directives import blank, mask, masked, shifted
from .macro_shapes import CAPITALS, LEAD, NAME, QUALIFIED, TYPE, shaped

KEYWORDS: Final = frozenset(
    b"alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t"
    b" class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue"
    b" decltype default delete do double dynamic_cast else enum explicit export extern false final float for"
    b" friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq"
    b" override private protected public register reinterpret_cast requires restrict return short signed sizeof"
    b" static static_assert static_cast struct switch template this thread_local throw true try typedef typeid"
    b" typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof"
    b" _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local __attribute__"
    b" __declspec __asm__ __extension__ __restrict __inline NULL defined __has_include".split()
)
_IDENTIFIER: Final = re.compile(NAME)
_MOCK: Final = re.compile(rb"\bMOCK_METHOD[ \t]*\(")
_MOCKED: Final = 2_000  # bytes of a declaration after such a word
# Patterns of lines begin with the line end before them: the search then skips all other bytes.
_DECLARED: Final = re.compile(
    rb"\n[ \t]*+(?=[A-Za-z_]\w*+\s+[A-Za-z_])" + LEAD
    + rb"(" + NAME + rb")\s+(" + TYPE + rb")(?:\s*[*&]+\s*|\s+)\(?(" + QUALIFIED
    + rb")\)?\s*(?:\[[^\]\n]*\]\s*)?(?=[(;={])"
)  # fmt: skip
_DEFAULT: Final = re.compile(rb"(=\s*)\{\}(?=\s*[,)])")  # (Shelf top = {})
_OPERAND: Final = re.compile(
    rb"(^[ \t]*#[ \t]*(?:el)?if\b(?:\\\r?\n|[^\n<\"])*(?i:has_include)(?:_next)?[ \t]*\([ \t]*)"
    rb"(?:<[^>\n]*>|\"[^\"\n]*\")",
    re.MULTILINE,
)
# `Shelf *top GUARDED(lock);`: the empty group marks a name that is after another one; any other is skipped with its
# arguments
_TRAILING: Final = re.compile(
    rb"[A-Z](?<=\s[A-Z])(?:(?<=[\w\]\s]\s[A-Z])())?[A-Z0-9_]{2,}\b(?:\s*\([^()\n]*\))?(?=\s*[;={,)])"
)
# `Shelf *top[3]`, read backwards
_DECLARATOR: Final = re.compile(rb"\s+(?:\][^\[\n]*\[)?(\w*[A-Za-z_])((?:[\s*&]|\btsnoc\s*[*&])+)(\w+|>)")
_FAR: Final = 160  # bytes of a declaration before a macro
CLOSE: Final = 120  # bytes between an error and a name that may be its cause
_AFTER_PARAMETERS: Final = re.compile(
    rb"\)\s*(?:(?:const|override|noexcept|final)\s+)*([A-Z][A-Z0-9_]{2,}\b(?:\s*\((?:[^()]|\([^()]*\))*\))?)"
    rb"(?=\s*(?:[;{]|=\s*0|override|final|[A-Z]))"
)
_ARGUMENTS: Final = rb"\([^()\n;{}]*(?:\([^()\n]*\)[^()\n;{}]*)*\)"
_ALONE: Final = re.compile(rb"\n[ \t]*+(" + NAME + rb"(?:[ \t]*" + _ARGUMENTS + rb")?)[ \t]*(?=\r?(?:\n|\Z))")
# T* nonnull lend(, T* nonnull top), using pointer = T* nonnull;
_POINTER: Final = (
    rb"[*&]\s*(" + NAME + rb")(?=\s+(?!__|" + CAPITALS
    + rb"|(?:and|or|xor|asm|bitand|bitor|const|final|noexcept|not_eq|override|volatile)\b)" + NAME
    + rb"(?:::~?\w+)*\s*[^\w\s:])"
)  # fmt: skip
_BEHIND_POINTER: Final = re.compile(_POINTER)
_BEHIND_POINTER_OR_ALIAS: Final = re.compile(
    _POINTER + rb"|\busing\s+" + NAME + rb"\s*=[^;{}()=]{0,200}[*&]\s{0,20}(" + NAME + rb")(?=\s{0,20};)"
)  # fmt: skip
_BEFORE: Final = re.compile(
    rb"\n[ \t]*+("
    + NAME
    + rb"[ \t]*"
    + _ARGUMENTS
    + rb")(?=\s+"
    + NAME
    + rb"[\w \t*&:<>]*[\s*&]"
    + NAME
    + rb"\s*[(;=])",
)


def without_macros(source: bytes) -> bytes:
    """Return `source` with blanks in place of the macros that break a declaration.

    Two other constructs that the grammars do not know become `0`: `{}` as a default value, a header's name in `#if`.
    """
    if b"has_include" in source or b"HAS_INCLUDE" in source:
        source = _OPERAND.sub(_operand, source)
    source = _DEFAULT.sub(rb"\g<1>0 ", source)
    text = masked(source)
    if text.isspace():
        return source
    cuts = [match.span(1) for match in shaped(text) if _first(match[1]) not in KEYWORDS]
    plain = blank(text, cuts) if cuts else text
    for match in _DECLARED.finditer(b"\n" + plain):
        if KEYWORDS.isdisjoint(match.groups()) and not (match[3].isupper() and not match[1].isupper()):
            cuts.append(shifted(match.span(2 if match[2].isupper() and not match[1].isupper() else 1)))
    cuts += [
        match.span()
        for match in _TRAILING.finditer(plain)
        if match.lastindex and _follows_declarator(plain, match.start())
    ]
    if b"MOCK_METHOD" in text:
        cuts += _mock_method_cuts(text)
    return blank(source, cuts) if cuts else source


def _mock_method_cuts(text: bytes) -> Iterator[tuple[int, int]]:
    """List the ranges to cut out so that `MOCK_METHOD(int, Lend, (Shelf* top), (override));` reads `int Lend(Shelf*
    top);` (GoogleTest, "Mocking Reference").
    """
    at = 0  # where the last one ends: there is none inside of another
    for match in _MOCK.finditer(text):
        if match.start() < at:
            continue
        commas, depth, end = list[int](), 0, -1
        for at in range(match.end(), min(len(text), match.end() + _MOCKED)):
            sign = text[at : at + 1]
            if sign in b"([{<":
                depth += 1
            elif sign in b")]}>":
                depth -= 1
            elif sign == b"," and not depth:
                commas.append(at)
            if depth < 0 or sign == b";":
                end = at if sign == b")" else -1
                break
        if end < 0 or len(commas) not in (2, 3) or not _IDENTIFIER.fullmatch(text[commas[0] + 1 : commas[1]].strip()):
            continue
        result_type = text[match.end() : commas[0]]
        # a type with commas of its own is in parentheses
        if (bare := result_type.strip()).startswith(b"(") and bare.endswith(b")"):
            opening, closing = match.end() + result_type.index(b"("), match.end() + result_type.rindex(b")")
            yield from ((opening, opening + 1), (closing, closing + 1))
        yield from (
            match.span(),
            (commas[0], commas[0] + 1),
            (commas[1], commas[1] + 1),
            (commas[-1] if len(commas) > 2 else end, end + 1),
        )


def _operand(match: re.Match[bytes]) -> bytes:
    return match[1] + b"0".ljust(len(match[0]) - len(match[1]))


def _follows_declarator(text: bytes, at: int) -> bool:
    """Whether a type and a declared name precede an offset: `Shelf *top`, `int n`, but not `struct Shelf` or `static
    Shelf`.
    """
    match = _DECLARATOR.match(text[max(0, at - _FAR) : at][::-1])
    if match is None:
        return False
    name, between, kind = (part[::-1] for part in match.groups())
    return name not in KEYWORDS and (kind not in KEYWORDS or kind in _TYPES or not between.isspace())


def doubtful(source: bytes, errors: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges of names in `source` that may be macros; of those that are alone on a line or begin one, those
    on lines close to `errors`. They are removed on trial there.
    """
    text = masked(source)
    if text.isspace():
        return []
    pointers = _BEHIND_POINTER_OR_ALIAS if b"using" in text else _BEHIND_POINTER
    results = [
        match.span(match.lastindex or 1) for shape in (_AFTER_PARAMETERS, pointers) for match in shape.finditer(text)
    ]
    lines = b"\n" + text
    results += [
        shifted(match.span(1))
        for at in _lines_close_to(errors, lines)
        for shape in (_ALONE, _BEFORE)
        if (match := shape.match(lines, at))
    ]
    return [(start, end) for start, end in results if _first(text[start:end]) not in KEYWORDS]


def _lines_close_to(errors: Iterable[tuple[int, int]], lines: bytes) -> Iterator[int]:
    """List the offsets of the line ends before the lines close to `errors`, which ascend."""
    at = 0
    for start, end in errors:
        at = max(at, lines.rfind(b"\n", 0, max(0, start - CLOSE) + 1))
        while 0 <= at <= end + CLOSE + 1:
            yield at
            at = lines.find(b"\n", at + 1)
        if at < 0:
            break


def _first(text: bytes) -> bytes:
    match = _IDENTIFIER.match(text)
    return match[0] if match else b""


def hidden_names(source: bytes, parsed: bytes) -> Iterator[tuple[int, int]]:
    """List (start, end) of the names in `source` that are blanks in the text `parsed`."""
    if source == parsed:
        return
    for match in _CONDITION.finditer(b"\n" + source):
        start, end = shifted(match.span())
        if parsed[start + 1 : end].isspace():
            yield from names_in(match[1], match.start(1) - 1, frozenset())
    at, text = 0, masked(source)
    for line, other in zip(source.split(b"\n"), parsed.split(b"\n"), strict=True):
        if line != other:
            yield from (
                (at + match.start(), at + match.end())
                for match in _IDENTIFIER.finditer(text[at : at + len(line)])
                if _is_blank(other, match) and match[0] not in KEYWORDS
            )
        at += len(line) + 1


_CONDITION: Final = re.compile(rb"\n[ \t]*+#[ \t]*(?:if|ifdef|ifndef|elif|elifdef|elifndef)\b((?:\\\r?\n|[^\n])*)")


def _is_blank(line: bytes, match: re.Match[bytes]) -> bool:
    if not line[match.start() : match.end()].isspace() or (
        match.start() and match.string[match.start() - 1 : match.start()].isdigit()
    ):
        return False
    if not _END_OF_NAME.match(match.string, match.end()):
        return True
    before = _WORD_BEFORE.search(match.string, 0, match.start())  # `int lend(` declares lend
    return (
        before is None
        or (before[1] in KEYWORDS and before[1] not in _TYPES)
        or not line[before.start() : before.end()].isspace()
    )


_END_OF_NAME: Final = re.compile(rb"\s*[(=;,\[)]")
_WORD_BEFORE: Final = re.compile(rb"([A-Za-z_]\w*)\s+\Z")
_TYPES: Final = frozenset(b"int void char long short float double signed unsigned bool auto".split())


def names_in(text: bytes, start: int, known: frozenset[bytes]) -> Iterator[tuple[int, int]]:
    """List (start, end) of the names in `text`, the replacement of a macro that begins at the offset `start`, without
    its parameters (`known`), keywords, and parts of literals.
    """
    quiet = mask(text) if b'"' in text or b"'" in text or b"/" in text else text
    for match in _IDENTIFIER.finditer(quiet):
        at = match.start()
        if match[0] not in KEYWORDS and match[0] not in known and not (at and quiet[at - 1 : at].isdigit()):
            yield start + at, start + match.end()


def macro_names(captures: Captures, source: bytes) -> Iterator[tuple[int, int]]:
    """List (start, end) of the names in the replacement texts of macros, and after `#undef`."""
    for node in captures.get("macro", ()):
        value = node.child_by_field_name("value")
        if value is None or _NUMBER.fullmatch(source, start := value.start_byte, end := value.end_byte):
            continue
        parameters = node.child_by_field_name("parameters")
        known = (
            _VARIADIC.union(_IDENTIFIER.findall(source, parameters.start_byte, parameters.end_byte))
            if parameters is not None
            else _VARIADIC
        )
        yield from names_in(source[start:end], start, known)
    for node in captures.get("hidden", ()):
        yield from names_in(source[node.start_byte : node.end_byte], node.start_byte, frozenset())


_NUMBER: Final = re.compile(rb"\s*\(?[0-9]\w*\)?\s*")
_VARIADIC: Final = frozenset({b"__VA_ARGS__", b"__VA_OPT__"})


def unchanged(source: bytes) -> bytes:
    """Return `source` as written: the rule of languages that need no preprocessing."""
    return source


RULES: Final[dict[str, Callable[[bytes], bytes]]] = {"macros": without_macros, "none": unchanged}

"""Repair of sources with parse errors: one rule for each language feature that grammars cannot follow, chosen in
language.toml.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from tree_sitter import Node, Parser, Tree

from .block_repair import blocks, forms
from .directives import blank, shifted
from .format_repair import RULES as FORMAT_RULES
from .macros import doubtful
from .parse_errors import Repaired, Rule, errors_of, parsed_again, weight_of
from .powershell_repair import powershell
from .shell_repair import bash

# Patterns of lines begin with the line end before them: the search then skips all other bytes.
_DIRECTIVE: Final = re.compile(rb"\n([ \t]*+#[ \t]*(ifn?def|if|elifn?def|elif|else|endif|r|load)\b[^\n]*)")
_INCLUDE: Final = re.compile(rb"\n([ \t]*+#[ \t]*include\b[^\n]*)")
_OPENING: Final = frozenset({b"if", b"ifdef", b"ifndef"})
_TEXT: Final = re.compile(rb"[^\s]")


class _Group:
    """One #if … #endif, and the ranges to cut out so that only its first branch stays."""

    __slots__ = ("cuts", "end", "inner", "start", "tail")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.cuts = [(start, end)]
        self.tail = -1  # where the second branch begins
        self.inner = True  # no other group inside


def conditional(source: bytes, tree: Tree, parser: Parser, thrifty: bool = False) -> Repaired:
    """Return the source and its tree with conditional compilation inside of statements repaired, if that leaves fewer
    errors.

    Only the first branches are kept: of the innermost groups at the errors, then of all groups at the remaining errors,
    then of all groups. `thrifty`: the last step is left out if the other branches have more bytes than the errors.
    """
    groups, lines = _groups(source)
    if not groups and not lines:
        return source, tree
    errors = errors_of(tree.root_node)
    chosen = [group for group in groups if group.inner and _touches(errors, group)]
    best, least = (source, tree), weight_of(errors)
    tried = {source: errors}
    for choice in range(3):
        if choice:
            chosen = (
                groups if choice == 2 else [group for group in groups if group in chosen or _touches(errors, group)]
            )
        if (not chosen and not lines) or (choice == 2 and thrifty and least <= _bytes_after_first(source, groups)):
            continue
        text = _with_includes(source, _without(source, [cut for group in chosen for cut in group.cuts] + lines))
        if text in tried:
            errors = tried[text]
            continue
        attempt = parsed_again(parser, text, *best)
        errors = tried[text] = errors_of(attempt.root_node) if attempt.root_node.has_error else []
        if (weight := weight_of(errors)) < least:
            best, least = (text, attempt), weight
        if not weight:
            break
    return best


def _bytes_after_first(source: bytes, groups: list[_Group]) -> int:
    """Return the number of bytes in branches other than the first."""
    size = done = 0
    for start, end in sorted((source.find(b"\n", group.tail), group.end) for group in groups):
        size += max(0, end - max(start, done))
        done = max(done, end)
    return size


def _groups(source: bytes) -> tuple[list[_Group], list[tuple[int, int]]]:
    """Return (the closed #if groups, inner ones first; lines of directives that only scripts have)."""
    results: list[_Group] = []
    lines: list[tuple[int, int]] = []
    stack: list[_Group] = []
    for match in _DIRECTIVE.finditer(b"\n" + source):
        word, (start, end) = match[2], shifted(match.span(1))
        if word in (b"r", b"load"):
            lines.append((start, end))
        elif word in _OPENING:
            if stack:
                stack[-1].inner = False
            stack.append(_Group(start, end))
        elif stack:
            group = stack[-1]
            if group.tail < 0:
                group.tail = start
            if word == b"endif":
                group.end = end
                group.cuts.append((group.tail, end))
                results.append(stack.pop())
    return results, lines


def _touches(errors: list[tuple[int, int]], group: _Group) -> bool:
    """Whether one of the errors overlaps the group. The errors are in order and do not overlap."""
    at = bisect_left(errors, group.start, key=itemgetter(1))
    return at < len(errors) and errors[at][0] <= group.end


def _without(source: bytes, cuts: list[tuple[int, int]]) -> bytes:
    text, done = bytearray(source), 0
    for start, end in sorted(cuts):
        if end > done:
            text[start:end] = _TEXT.sub(b" ", source[start:end])
            done = end
    return bytes(text)


def _with_includes(source: bytes, text: bytes) -> bytes:
    """Return the text with the includes of all branches: names may come from any of these files."""
    result = bytearray(text)
    for match in _INCLUDE.finditer(b"\n" + source):
        result[slice(*shifted(match.span(1)))] = match[1]
    return bytes(result)


def ecmascript(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree with repairs of TypeScript that its grammar cannot parse, at the errors: newer
    keywords, then generic signatures that only a line end separates.
    """
    best, errors = (source, tree), errors_of(tree.root_node)
    for rewrite in (_without_newer, _with_separators):
        text = rewrite(best[0], errors)
        if text == best[0]:
            continue
        attempt = parser.parse(text)
        left = errors_of(attempt.root_node) if attempt.root_node.has_error else []
        if weight_of(left) < weight_of(errors):
            best, errors = (text, attempt), left
    return best


def _without_newer(source: bytes, errors: list[tuple[int, int]]) -> bytes:
    """Remove `in` and `out` before a type parameter, `accessor` before a field, `type` in `export type *`."""
    return _without(source, [*{match.span(1) for pattern in _NEWER for match in _at(pattern, source, errors)}])


def _with_separators(source: bytes, errors: list[tuple[int, int]]) -> bytes:
    """Put a semicolon before each signature without a name: else its type parameters are arguments of the type on the
    line before.
    """
    text = bytearray(source)
    for match in _at(_SIGNATURE, source, errors):
        if _ends_member(source, match.start()):
            text[match.start(1)] = ord(";")
    return bytes(text)


def _ends_member(source: bytes, at: int) -> bool:
    """Whether the last line of code before an offset may end a member of a type."""
    while at > 0:
        start = source.rfind(b"\n", 0, at) + 1
        line = source[start:at].strip()
        if line and not line.startswith((b"//", b"/*", b"*")):
            return not line.endswith(_GOING_ON)
        at = start - 1
    return False


def _at(pattern: re.Pattern[bytes], source: bytes, errors: list[tuple[int, int]]) -> Iterator[re.Match[bytes]]:
    """List the matches of a pattern at the errors."""
    return (
        match
        for start, end in errors
        for match in pattern.finditer(source, max(0, start - _BEFORE_ERROR), end + _AFTER_ERROR)
    )


_NEWER: Final = (
    re.compile(rb"(?:[<,]\s*(?:/\*.{0,100}?\*/\s*)?|(?=accessor))(in\s+out|in|out|accessor)\s+(?=[\w$#])", re.DOTALL),
    re.compile(rb"\bexport\s+(type)(?=\s*\*)"),
)
# the end of a line that continues on the next one
_GOING_ON: Final = (b"=>", *(bytes([sign]) for sign in b"=(,{[<|&:?+-*%!~^;"))
_SIGNATURE: Final = re.compile(rb"\n[ \t]*([ \t])(?=<\s*(?:const\s+)?[A-Za-z_$][\w$]*\s*(?:,|=\s|extends\b|>\s*\())")
_ROUNDS: Final = 4  # attempts to remove names at the remaining errors
_BEFORE_ERROR: Final = 120  # bytes: a comment may precede the word
_AFTER_ERROR: Final = 24


def macros(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree with repairs of C and C++: names at the errors that look like macros, then
    conditional compilation inside of statements.
    """
    best, errors = (source, tree), errors_of(tree.root_node)
    # the beginning of an error is its cause, while a long one may contain constructors that look like macros
    starts = True
    for _ in range(_ROUNDS):
        enclosing = [(start, min(end, start + _BEFORE_ERROR)) for start, end in errors] if starts else errors
        cuts = [cut for cut in doubtful(best[0], enclosing) if _is_near(enclosing, *cut)]
        text = blank(best[0], cuts) if cuts else best[0]
        attempt = parsed_again(parser, text, *best) if cuts else best[1]
        left = errors_of(attempt.root_node) if attempt.root_node.has_error else []
        if weight_of(left) < weight_of(errors):
            best, errors = (text, attempt), left
        elif starts:
            starts = False
        else:
            break
        if not errors:
            return best
    return conditional(*best, parser, thrifty=True)


def _is_near(errors: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of the errors is close to a range. The errors are in order and do not overlap."""
    at = bisect_left(errors, start - _BEFORE_ERROR, key=itemgetter(1))
    return at < len(errors) and errors[at][0] <= end + _BEFORE_ERROR


def kotlin(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree with repairs of Kotlin whose line ends the grammar does not follow: the modifiers
    of a constructor below the class's name, `actual` parameters, bodies closed on their line.
    """
    headed = _HEADER.sub(_blank, _ACTUAL.sub(_blank, source))
    best = (source, tree)
    for text in (headed, _CLOSED.sub(_close, headed)):
        if text != best[0]:
            attempt = parser.parse(text)
            if _badness(attempt.root_node) < _badness(best[1].root_node):
                best = (text, attempt)
    return best


def swift(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree with repairs of Swift that is newer than the grammar, or empty: `@Flag()`,
    `throws(Broken)`, `for try await`; then conditional compilation, all branches kept.
    """
    best = (source, tree)
    for patterns in (_NEWER_SWIFT, (*_NEWER_SWIFT, _CONDITION)):
        text = source
        for pattern in patterns:
            text = pattern.sub(_blank, text)
        attempt = parser.parse(text)
        if _badness(attempt.root_node) < _badness(best[1].root_node):
            best = (text, attempt)
        if not best[1].root_node.has_error:
            break
    return best


_NEWER_SWIFT: Final = (
    re.compile(rb"@[A-Z][\w.]*(?:<[\w, ]*>)?(\(\s*\))"),
    re.compile(rb"\bthrows(\([\w., ]*\))"),
    re.compile(rb"(,)(?=\s*\))"),
    re.compile(rb"\bfor[ \t]+(try[ \t]+await|await)\b"),
    re.compile(rb"\bin[ \t]+(try)\b"),
    re.compile(rb"\b(nonisolated\(unsafe\)|sending|borrowing|consuming)[ \t]"),
    re.compile(rb"(#)(?=_[a-z])"),
)
_CONDITION: Final = re.compile(rb"^[ \t]*(#(?:if|elseif|else|endif)\b[^\n]*)", re.MULTILINE)


def _blank(match: re.Match[bytes]) -> bytes:
    """Return the same text with spaces in place of the first group."""
    start, end = match.start(1) - match.start(), match.end(1) - match.start()
    return match[0][:start] + _TEXT.sub(b" ", match[1]) + match[0][end:]


def _close(match: re.Match[bytes]) -> bytes:
    """Return a semicolon before a closing brace, but not in a string: `${ shelf }`."""
    opening = match.string.rfind(b"{", 0, match.start())
    return b" " if match.string[opening - 1 : opening] == b"$" else b";"


def _badness(root: Node) -> tuple[bool, int]:
    """Return how much of a tree is an error; an error without a node counts too."""
    return root.has_error, weight_of(errors_of(root))


_HEADER: Final = re.compile(
    rb"\bclass\s+\w+(?:<(?:[^<>{}()]|<(?:[^<>{}()]|<[^<>{}()]*>)*>)*>)?[ \t]*\r?\n"
    rb"((?:\s*@[\w.]+(?:\([^()\n]*\))?|\s*[a-z]+(?=\s))*?\s*constructor)(?=\s*\()"
)
_ACTUAL: Final = re.compile(rb"[(,\n][ \t]*(?:@[\w.]+[ \t]+|[a-z]+[ \t]+)*?(actual)[ \t]+va[lr]\b[^=\n]*[,)]")
_CLOSED: Final = re.compile(rb"(?<=[^\s{;/]) (?=\})")


def nothing(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return `source` and `tree` unchanged: the rule of languages whose grammar needs no repair."""
    return source, tree


RULES: Final[dict[str, Rule]] = {
    "bash": bash, "blocks": blocks, "conditional": conditional, "ecmascript": ecmascript, "forms": forms,
    "kotlin": kotlin, "macros": macros, "none": nothing, "powershell": powershell, "swift": swift, **FORMAT_RULES,
}  # fmt: skip

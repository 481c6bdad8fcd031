"""What is tried on a source that the parser finds errors in: one named rule per language feature that grammars cannot follow, chosen in language.toml."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from operator import itemgetter
from typing import Final

from tree_sitter import Node, Parser, Tree

Repaired = tuple[bytes, Tree]  # a source of the same length with the same lines, and its tree
Rule = Callable[[bytes, Tree, Parser], Repaired]

_DIRECTIVE: Final = re.compile(rb"^[ \t]*#[ \t]*(if|elif|else|endif|r|load)\b[^\n]*", re.MULTILINE)
_TEXT: Final = re.compile(rb"[^\s]")


class _Group:
    """One #if … #endif: what is cut out when only its first branch shall stay."""

    __slots__ = ("cuts", "end", "inner", "start", "tail")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.cuts = [(start, end)]
        self.tail = -1  # where the second branch begins
        self.inner = True  # no other group inside


def conditional(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Conditional compilation inside of statements: keep first branches, of the innermost groups at the errors, then of all."""
    groups, lines = _groups(source)
    if not groups and not lines:
        return source, tree
    errors = _errors(tree.root_node)
    touched = [group for group in groups if group.inner and _touches(errors, group)]
    best, least = (source, tree), _weight(errors)
    for chosen in (touched, groups):
        if not chosen and not lines:
            continue
        text = _without(source, [cut for group in chosen for cut in group.cuts] + lines)
        attempt = parser.parse(text)
        weight = _weight(_errors(attempt.root_node)) if attempt.root_node.has_error else 0
        if weight < least:
            best, least = (text, attempt), weight
        if not weight:
            break
    return best


def _groups(source: bytes) -> tuple[list[_Group], list[tuple[int, int]]]:
    """(the closed #if groups, inner ones first; lines of directives that only scripts have)"""
    found: list[_Group] = []
    lines: list[tuple[int, int]] = []
    stack: list[_Group] = []
    for match in _DIRECTIVE.finditer(source):
        word, start, end = match[1], match.start(), match.end()
        if word in (b"r", b"load"):
            lines.append((start, end))
        elif word == b"if":
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
                found.append(stack.pop())
    return found, lines


def _touches(errors: list[tuple[int, int]], group: _Group) -> bool:
    """Whether one of the errors, which are apart and in order, meets the group."""
    at = bisect_left(errors, group.start, key=itemgetter(1))
    return at < len(errors) and errors[at][0] <= group.end


def _errors(root: Node) -> list[tuple[int, int]]:
    """The ranges of the outermost errors, found without recursion."""
    found, todo = [], [root]
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            found.append((node.start_byte, node.end_byte))
        elif node.has_error:
            todo += node.children
    found.sort()
    return found


def _weight(errors: list[tuple[int, int]]) -> int:
    return sum(end - start + 1 for start, end in errors)


def _without(source: bytes, cuts: list[tuple[int, int]]) -> bytes:
    text, done = bytearray(source), 0
    for start, end in sorted(cuts):
        if end > done:
            text[start:end] = _TEXT.sub(b" ", source[start:end])
            done = end
    return bytes(text)


def ecmascript(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Words of TypeScript that are newer than its grammar, at the errors: `in` and `out` before a type parameter, `accessor` before a field."""
    errors = _errors(tree.root_node)
    cuts = {match.span(1) for start, end in errors for match in _NEWER.finditer(source, max(0, start - _BEFORE_ERROR), end + _AFTER_ERROR)}
    if not cuts:
        return source, tree
    text = _without(source, list(cuts))
    attempt = parser.parse(text)
    return (text, attempt) if _weight(_errors(attempt.root_node)) < _weight(errors) else (source, tree)


_NEWER: Final = re.compile(rb"(?:[<,]\s*(?:/\*.{0,100}?\*/\s*)?|(?=accessor))(in\s+out|in|out|accessor)\s+(?=[\w$#])", re.DOTALL)
_BEFORE_ERROR: Final = 120  # bytes: a comment may stand before the word
_AFTER_ERROR: Final = 24


def json(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """JSON with comments: the comma that may stand behind the last value."""
    return _blanked(source, tree, parser, [match.span(1) for match in _COMMA.finditer(source) if match[1]])


_COMMA: Final = re.compile(rb'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|(,)(?=(?:\s|//[^\n]*\n|/\*.*?\*/)*[\]}])', re.DOTALL)


def css(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Addresses without quotes: the grammar takes what stands behind two slashes for a comment, and knows no dots."""
    return _blanked(source, tree, parser, [match.span(1) for match in _ADDRESS.finditer(source)])


_ADDRESS: Final = re.compile(rb"url\(\s*((?:[^\"')\s][^)\n]*//|\.)[^)\n]*)\)")


def scss(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Sass that the grammar lacks: flags of variables, maps, placeholders that are extended. The name of a module moves into its path: `"a|as|b"`."""
    source = _PLACEHOLDER.sub(rb"\1.", source)
    source = _MODULE.sub(lambda match: match[1] + b"|as|" + match[3] + match[2] + b" " * (len(match[0]) - len(match[1] + match[3] + match[2]) - 4), source)
    cuts = [match.span(match.lastindex or 0) for pattern in (_SASS, _ADDRESS) for match in pattern.finditer(source) if match.lastindex]
    return _blanked(source, tree, parser, cuts, parser.parse(source))


_MODULE: Final = re.compile(rb"""(@use\s+["'][^"'\n]+)(["'])\s+as\s+([\w*-]+)""")
_PLACEHOLDER: Final = re.compile(rb"(@extend\s+)%")
_SASS: Final = re.compile(
    rb"(!(?:default|global)\b)|@extend\s+[^;{}]*?(!optional)"
    rb"|^\s*@(?:use|forward)\s+[\"'][^\"'\n]+[\"']\s*((?:with\s*\(|hide\s|show\s|as\s)[^;]*)",
    re.MULTILINE,
)


def _blanked(source: bytes, tree: Tree, parser: Parser, cuts: list[tuple[int, int]], best: Tree | None = None) -> Repaired:
    """The source without these ranges, where that leaves fewer errors."""
    text = _without(source, cuts)
    attempt = parser.parse(text)
    return (text, attempt) if _weight(_errors(attempt.root_node)) < _weight(_errors(tree.root_node)) else (source, best or tree)


def sql(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Procedures, which the grammar knows as functions that return something."""
    if not _PROCEDURE.search(source):
        return source, tree
    text = _PROCEDURE.sub(lambda match: match[1] + b"FUNCTION ", source)
    text = _LANGUAGE.sub(lambda match: match[1] + b"RETURNS void".ljust(len(match[2])), text)
    return text, parser.parse(text)


_PROCEDURE: Final = re.compile(rb"\b(create\s+(?:or\s+replace\s+)?)procedure\b", re.IGNORECASE)
_LANGUAGE: Final = re.compile(rb"\b(FUNCTION  [^;$]*?\)\s*)(language\s+\w+)(?=\s+as\b)", re.IGNORECASE)


def nothing(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """For languages whose grammar says all there is."""
    return source, tree


RULES: Final[dict[str, Rule]] = {"conditional": conditional, "ecmascript": ecmascript, "css": css, "json": json, "scss": scss, "sql": sql, "none": nothing}

"""Repair of data, style and schema files with parse errors: words and signs that are missing in their grammars."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Parser, Tree

from .directives import blank
from .parse_errors import Repaired, Rule, errors_of, weight_of


def json(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree without commas after last values, which JSON with comments may have, if that
    leaves fewer errors.
    """
    return _blanked(source, tree, parser, [match.span(1) for match in _COMMA.finditer(source) if match[1]])


_COMMA: Final = re.compile(
    rb'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|(,)(?=(?:\s|//[^\n]*\n|/\*.*?\*/)*[\]}])', re.DOTALL
)


def css(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree without the unquoted addresses in `url(…)`, if that leaves fewer errors. The
    grammar takes the text after two slashes for a comment, and rejects dots.
    """
    return _blanked(source, tree, parser, [match.span(1) for match in _ADDRESS.finditer(source)])


_ADDRESS: Final = re.compile(rb"url\(\s*((?:[^\"')\s][^)\n]*//|\.)[^)\n]*)\)")


def scss(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree with repairs of Sass that the grammar does not know: flags of variables, and
    extended placeholders.

    The name of a module moves into its path: `"a|as|b"`.
    """
    source = _PLACEHOLDER.sub(rb"\1.", source)
    source = _MODULE.sub(_with_name, source)
    cuts = [
        match.span(match.lastindex or 0)
        for pattern in (_SASS, _ADDRESS)
        for match in pattern.finditer(source)
        if match.lastindex
    ]
    return _blanked(source, tree, parser, cuts, parser.parse(source))


def _with_name(match: re.Match[bytes]) -> bytes:
    """Return `@use "a" as b` as `@use "a|as|b"`, of the same length."""
    return (match[1] + b"|as|" + match[3] + match[2]).ljust(len(match[0]))


_MODULE: Final = re.compile(rb"""(@use\s+["'][^"'\n]+)(["'])\s+as\s+([\w*-]+)""")
_PLACEHOLDER: Final = re.compile(rb"(@extend\s+)%")
_SASS: Final = re.compile(
    rb"(!(?:default|global)\b)|@extend\s+[^;{}]*?(!optional)"
    rb"|^\s*@(?:use|forward)\s+[\"'][^\"'\n]+[\"']\s*((?:with\s*\(|hide\s|show\s|as\s)[^;]*)",
    re.MULTILINE,
)


def _blanked(
    source: bytes, tree: Tree, parser: Parser, cuts: list[tuple[int, int]], best: Tree | None = None
) -> Repaired:
    """Return the source without these ranges, where that leaves fewer errors."""
    text = blank(source, cuts)
    attempt = parser.parse(text)
    return (
        (text, attempt)
        if weight_of(errors_of(attempt.root_node)) < weight_of(errors_of(tree.root_node))
        else (source, best or tree)
    )


def sql(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree with SQL procedures replaced by functions with a result, which the
    grammar knows.
    """
    if not _PROCEDURE.search(source):
        return source, tree
    text = _PROCEDURE.sub(lambda match: match[1] + b"FUNCTION ", source)
    text = _LANGUAGE.sub(lambda match: match[1] + b"RETURNS void".ljust(len(match[2])), text)
    return text, parser.parse(text)


_PROCEDURE: Final = re.compile(rb"\b(create\s+(?:or\s+replace\s+)?)procedure\b", re.IGNORECASE)
_LANGUAGE: Final = re.compile(rb"\b(FUNCTION  [^;$]*?\)\s*)(language\s+\w+)(?=\s+as\b)", re.IGNORECASE)

RULES: Final[dict[str, Rule]] = {"css": css, "json": json, "scss": scss, "sql": sql}

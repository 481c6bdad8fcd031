"""Repair of shell scripts with parse errors: patterns, offsets and escaped characters that the grammar cannot parse
become plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tree_sitter import Parser, Tree

from .parse_errors import Repaired, errors_of, weight_of

_FILLER: Final = b"a"
_DEFAULT: Final = b":-"  # the replacement of `${name%%pattern}`: `${name:-aaaaaaa}`
_PATTERNS: Final = (
    re.compile(
        rb"\$\{[#!]?\w+(?:\[[^][{}$\n]*\])?([:%#/^,@](?:[^}\\\"'`$\n]|\\.|\$\w|\$\{\w+(?:\[[^][\n]*\])?\})++)\}"
    ),  # ${name:$from:1}, ${name%%[<(]*}
    re.compile(
        rb"(?:[!=]=|=~|=)[ \t]+((?!\S*\$\()[^\s\"'`]++)(?=[ \t]+(?:\]\]|&&|\|\|))"
    ),  # [[ $name == @(one|two)* ]]
    re.compile(rb"(?:\bin|;;)\s*\(?((?!\S*\$\()[^\s()\"'`|]++)\)"),  # case $name in *${sign}*)
    re.compile(rb"\"(\(\((?:[^\"$\\\n]|\\.)*+)"),  # eval "(( \${#${name}[@]} > 0 ))"
)
_TRIED: Final = (*((pattern,) for pattern in _PATTERNS), _PATTERNS, *((pattern,) for pattern in _PATTERNS))


def bash(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree with filler in place of the code at which the parser fails, if that leaves fewer
    errors. The kinds of such code are tried one after the other, and all at once.
    """
    best, errors = (source, tree), errors_of(tree.root_node)
    for patterns in _TRIED:
        text = _filled(best[0], _places(best[0], errors, patterns))
        if text == best[0]:
            continue
        attempt = parser.parse(text)
        left = errors_of(attempt.root_node)
        if weight_of(left) < weight_of(errors):
            best, errors = (text, attempt), left
    return best


def _places(
    source: bytes, errors: list[tuple[int, int]], patterns: Iterable[re.Pattern[bytes]]
) -> set[tuple[int, int]]:
    """Return the matches of the patterns at the errors."""
    ranges = [(_line(source, start), end + _LOOK_AHEAD) for start, end in errors]
    return {
        match.span(1) for pattern in patterns for start, end in ranges for match in pattern.finditer(source, start, end)
    }


def _filled(source: bytes, places: set[tuple[int, int]]) -> bytes:
    text = bytearray(source)
    for start, end in places:
        is_expansion = source[end : end + 1] == b"}" and end - start > len(_DEFAULT)
        text[start:end] = (_DEFAULT if is_expansion else b"").ljust(end - start, _FILLER)
    return bytes(text)


def _line(source: bytes, at: int) -> int:
    """Return the start of the line before the one with an offset, because the parser may report an error late."""
    return source.rfind(b"\n", 0, max(0, source.rfind(b"\n", 0, at))) + 1


_LOOK_AHEAD: Final = 200  # bytes after an error in which its cause may be

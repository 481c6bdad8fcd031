"""Preprocessor directives of C and C++, and sources in which comments, literals or ranges are blanks.

Offsets and lines stay the same.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Final

QUIET: Final = re.compile(
    rb"//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|R\"([^()\\\s]{0,16})\(.*?\)\1\""
    rb"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\r?\n|/\*.*?\*/|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
_TEXT: Final = re.compile(rb"[^\s]")


@functools.lru_cache(maxsize=2)  # used again within one file
def masked(source: bytes) -> bytes:
    """Return `source` with comments, literals and directives as blanks."""
    return QUIET.sub(blanks, source)


def directives(source: bytes) -> Iterator[tuple[int, bytes]]:
    """List (the start of the line, the text) of each preprocessor directive in `source`, without those in comments and
    literals.
    """
    for match in QUIET.finditer(source):
        if match[0].lstrip().startswith(b"#"):
            yield match.start(), match[0]


def blanks(match: re.Match[bytes]) -> bytes:
    """Return the blanks that replace the text of `match`; line ends stay."""
    text = match[0]
    return _TEXT.sub(b" ", text) if b"\n" in text else b" " * len(text)


def blank(source: bytes, cuts: Iterable[tuple[int, int]]) -> bytes:
    """Return `source` with blanks in place of the ranges `cuts`; line ends stay."""
    text, done = bytearray(source), 0
    for start, end in sorted(cuts):
        start = max(start, done)
        if end > start:
            text[start:end] = _TEXT.sub(b" ", source[start:end])
            done = end
    return bytes(text)

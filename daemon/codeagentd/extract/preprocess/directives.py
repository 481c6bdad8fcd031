"""The text of C and C++ before preprocessing: its directives, and the same text without what hides other signs.

Offsets and lines stay as they are.
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


@functools.lru_cache(maxsize=2)  # asked for again within one file
def masked(source: bytes) -> bytes:
    """The source with comments, literals and directives as blanks."""
    return QUIET.sub(blanks, source)


def directives(source: bytes) -> Iterator[tuple[int, bytes]]:
    """The preprocessor's directives, none of those in comments and literals: (where the line begins, its text)."""
    for match in QUIET.finditer(source):
        if match[0].lstrip().startswith(b"#"):
            yield match.start(), match[0]


def blanks(match: re.Match[bytes]) -> bytes:
    """Blanks in place of a match; line ends stay."""
    text = match[0]
    return _TEXT.sub(b" ", text) if b"\n" in text else b" " * len(text)


def blank(source: bytes, cuts: Iterable[tuple[int, int]]) -> bytes:
    """The source with some ranges as blanks; line ends stay."""
    text, done = bytearray(source), 0
    for start, end in sorted(cuts):
        start = max(start, done)
        if end > start:
            text[start:end] = _TEXT.sub(b" ", source[start:end])
            done = end
    return bytes(text)

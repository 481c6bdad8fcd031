"""Macros of Apple's frameworks and words about ownership in Objective-C, which no grammar can parse: they are cut out
of the parsed text. Offsets and lines stay the same.
"""

from __future__ import annotations

import re
from typing import Final

_ARGUMENTS: Final = rb"(?:[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?"
_CAPITALS: Final = rb"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b" + _ARGUMENTS
# typedef NS_ENUM(NSInteger, Kind) {
_ENUM: Final = re.compile(rb"\btypedef\s+[A-Z]+_(?:CLOSED_)?(?:ERROR_)?(?:ENUM|OPTIONS)\s*\([^,()]+,\s*(\w+)\s*\)")
_OWNERSHIP: Final = re.compile(
    rb"\b(?:_Nullable|_Nonnull|_Null_unspecified|__nullable|__nonnull|__kindof|__weak|__strong|__autoreleasing"
    rb"|__unsafe_unretained|__block|NS_NOESCAPE|(?:nullable|nonnull|null_unspecified)(?=\s+[\w(]))\b"
)
# alone on a line; at the end of a declaration; before a class, a method or a property
_MACROS: Final = re.compile(
    rb"(?m)^[ \t]*(" + _CAPITALS + rb")[ \t\r]*$|(?<=[\w)*>])[ \t]+(" + _CAPITALS + rb")(?=\s*[;{])"
    rb"|\b(" + _CAPITALS + rb")(?=\s+@(?:interface|protocol|class|property)\b)"
)
_DIRECTIVE: Final = re.compile(rb"[ \t]*#")


def objective_c(source: bytes) -> bytes:
    """Return `source` without what the grammar cannot parse: an enumeration by a macro becomes one of C."""
    text = _ENUM.sub(_enumeration, source)
    text = _OWNERSHIP.sub(lambda match: b" " * len(match[0]), text)
    return _MACROS.sub(_blank, text)


def _enumeration(match: re.Match[bytes]) -> bytes:
    before, name = match.start(1) - match.start(), match[1]
    return b"enum".ljust(before) + name + b" " * (match.end() - match.end(1))


def _blank(match: re.Match[bytes]) -> bytes:
    line = match.string.rfind(b"\n", 0, match.start()) + 1
    if _DIRECTIVE.match(match.string, line) or not match.lastindex:
        return match[0]
    start, end = match.start(match.lastindex) - match.start(), match.end(match.lastindex) - match.start()
    gap = bytes(byte if byte in b"\r\n" else 0x20 for byte in match[0][start:end])
    return match[0][:start] + gap + match[0][end:]

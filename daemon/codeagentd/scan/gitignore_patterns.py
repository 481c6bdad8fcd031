"""The patterns of ignore files as regular expressions that match in linear time, compatible with git even in its bugs.

pathspec translates `*a*a*a*a*a*a*b` into nested wildcards and then takes 36 s for one name; the ignore files of a
repository are not trusted.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from codeagentd.base.limits import MAX_PATTERN_BYTES

# Pieces of a pattern; every other piece is the regular expression of one byte.
STAR: Final = b"*"
SLASH: Final = b"/"
DEEP: Final = b"**/"  # any number of directories
TAIL: Final = b"**"  # everything below

ANY_BYTE: Final = b"[^/]"
SPECIAL: Final = b"*?[\\"
CLASSES: Final = {
    b"alnum": string.ascii_letters + string.digits,
    b"alpha": string.ascii_letters,
    b"blank": " \t",
    b"cntrl": "".join(map(chr, (*range(32), 127))),
    b"digit": string.digits,
    b"graph": string.ascii_letters + string.digits + string.punctuation,
    b"lower": string.ascii_lowercase,
    b"print": string.ascii_letters + string.digits + string.punctuation + " ",
    b"punct": string.punctuation,
    b"space": " \t\n\v\f\r",
    b"upper": string.ascii_uppercase,
    b"xdigit": string.hexdigits,
}


class Pattern(msgspec.Struct, frozen=True):
    """One line of an ignore file. `by_name` patterns match the last part of a path only, the others all of it."""

    expression: bytes
    negated: bool
    directories_only: bool
    by_name: bool


class PatternFile:
    """The patterns of one ignore file; the last one that matches decides."""

    def __init__(self, patterns: Iterable[Pattern], *, ignore_case: bool = False) -> None:
        flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
        self.patterns = tuple(patterns)
        self._last_first = [(pattern, re.compile(pattern.expression, flags)) for pattern in reversed(self.patterns)]
        self._any_name = _union((pattern for pattern in self.patterns if pattern.by_name), flags)
        self._any_path = _union((pattern for pattern in self.patterns if not pattern.by_name), flags)

    def verdict(self, path: bytes, name: bytes, *, is_dir: bool) -> bool | None:
        """Return True for an ignored path, False for a path that a pattern takes back, None where no pattern matches.

        `path` is relative to the file's directory, `name` is its last part.
        """
        if not (self._any_name and self._any_name.fullmatch(name)) and not (
            self._any_path and self._any_path.fullmatch(path)
        ):
            return None  # the usual case, decided by one or two matches for any number of patterns
        for pattern, expression in self._last_first:
            if (is_dir or not pattern.directories_only) and expression.fullmatch(name if pattern.by_name else path):
                return not pattern.negated
        return None


def parse(content: bytes) -> Iterator[Pattern]:
    """Yield the patterns of `content`, an ignore file, the first line first."""
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if (pattern := parse_line(line.removesuffix(b"\r"))) is not None:
            yield pattern


def parse_line(line: bytes) -> Pattern | None:
    """Return the pattern of `line`; None for comments, blank lines and patterns that can never match."""
    line = _without_trailing_spaces(line)
    if not line or line.startswith(b"#") or len(line) > MAX_PATTERN_BYTES:
        return None
    glob = line.removeprefix(b"!")
    directories_only = glob.endswith(b"/")
    glob = glob.removesuffix(b"/")
    by_name = b"/" not in glob
    pieces = list(_pieces(glob if by_name else glob.removeprefix(b"/"), by_name=by_name))
    if not pieces or b"" in pieces:
        return None
    return Pattern(_expression(pieces), line.startswith(b"!"), directories_only, by_name)


def _union(patterns: Iterable[Pattern], flags: int) -> re.Pattern[bytes] | None:
    expressions = [b"(?:%b)" % pattern.expression for pattern in patterns]
    return re.compile(b"|".join(expressions), flags) if expressions else None


def _without_trailing_spaces(line: bytes) -> bytes:
    """Remove the spaces at the end of a line, except one after a backslash."""
    stripped = line.rstrip(b" ")
    backslashes = len(stripped) - len(stripped.rstrip(b"\\"))
    return stripped + b" " if backslashes % 2 and len(stripped) < len(line) else stripped


def _pieces(glob: bytes, *, by_name: bool) -> Iterator[bytes]:
    """Split a pattern. An empty piece means that git never matches this pattern."""
    # git compares the literal beginning of a path pattern apart, and takes what comes after it for a beginning:
    # foo**/bar is special too
    fresh = next((at for at, byte in enumerate(glob) if byte in SPECIAL), len(glob))
    at = 0
    while at < len(glob):
        byte = glob[at : at + 1]
        if byte == b"*":
            end = at + len(glob[at:]) - len(glob[at:].lstrip(b"*"))
            special = end - at > 1 and not by_name and (at in (0, fresh) or glob[at - 1 : at] == b"/")
            if special and end == len(glob):
                yield TAIL
            elif special and glob[end : end + 1] == b"/":
                yield DEEP
                end += 1
            else:
                yield STAR
            at = end
        elif byte == b"[":
            piece, at = _bracket(glob, at + 1)
            yield piece
        elif byte == b"\\":
            yield re.escape(glob[at + 1 : at + 2])
            at += 2
        else:
            yield ANY_BYTE if byte == b"?" else re.escape(byte)
            at += 1


def _bracket(glob: bytes, at: int) -> tuple[bytes, int]:
    """Return the expression of a bracket whose content starts at `at`, and where the pattern continues; an empty
    expression for a bracket that is not closed.
    """
    negated = glob[at : at + 1] in (b"!", b"^")
    at += negated
    members: set[int] = set()
    before, first = 0, True
    while first or glob[at : at + 1] != b"]":
        first = False
        if at >= len(glob):
            return b"", at
        is_member, before, at = _member(glob, at, before)
        if is_member is None:
            return b"", len(glob)
        members |= is_member
    chosen = (set(range(256)) - members if negated else members) - set(SLASH)
    return b"[%b]" % b"".join(rb"\x%02x" % byte for byte in sorted(chosen)) if chosen else b"", at + 1


def _member(glob: bytes, at: int, before: int) -> tuple[set[int] | None, int, int]:
    """Parse one member of a bracket: its bytes (None: malformed), the byte that a range may begin with (0: none), and
    where to continue.
    """
    byte = glob[at]
    if byte == ord("[") and glob[at + 1 : at + 2] == b":":
        end = glob.find(b"]", at + 2)
        if end < 0:
            return None, 0, at
        if end > at + 2 and glob[end - 1 : end] == b":":
            named = CLASSES.get(glob[at + 2 : end - 1])
            return None if named is None else set(named.encode()), 0, end + 1
    if byte == ord("-") and before and at + 1 < len(glob) and glob[at + 1] != ord("]"):
        at += 1 + (glob[at + 1] == ord("\\"))
        return (set(range(before, glob[at] + 1)), 0, at + 1) if at < len(glob) else (None, 0, at)
    at += byte == ord("\\")
    return ({glob[at]}, glob[at], at + 1) if at < len(glob) else (None, 0, at)


def _expression(pieces: list[bytes]) -> bytes:
    """Return the regular expression of a pattern.

    Of several wildcards all but the last are atomic groups: they take the first match and never backtrack.
    """
    first, *rest = (b"/".join(map(_part, _split(group, SLASH))) for group in _split(pieces, DEEP))
    if not rest:
        return first
    return first + b"".join(b"(?>(?:[^/]*/)*?%b)" % group for group in rest[:-1]) + b"(?:[^/]*/)*" + rest[-1]


def _part(pieces: list[bytes]) -> bytes:
    """Return the expression of one part of a path pattern, between slashes."""
    if pieces[-1:] == [TAIL]:
        return _part(pieces[:-1]) + b".*"
    first, *rest = (b"".join(chunk) for chunk in _split(pieces, STAR))
    if not rest:
        return first
    return first + b"".join(b"(?>[^/]*?%b)" % chunk for chunk in rest[:-1]) + b"[^/]*" + rest[-1]


def _split(pieces: list[bytes], separator: bytes) -> Iterator[list[bytes]]:
    group: list[bytes] = []
    for piece in pieces:
        if piece == separator:
            yield group
            group = []
        else:
            group.append(piece)
    yield group

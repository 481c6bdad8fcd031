"""The layout of a piece of code, computed from its lines alone: the parent line of each line, the ends of brackets, and
the lines of prose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

LONGEST_HEAD: Final = 6  # lines of a definition's head: longer parameter lists are cut

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_COMMENT: Final = re.compile(r"#(?:[\s:#]|$)|//|/\*|\*(?:\s|/|$)|--\s")
_COMMENTS: Final = ("#", "/", "*", "-")  # beginnings of comments
_QUOTES: Final = ('"""', "'''")


def parents(lines: Sequence[str]) -> list[int]:
    """Return, for each of `lines`, the index of its parent line: the nearest line above with less indentation; -1
    without one.

    The parent of a line that closes a bracket is the line that opened it. So the parent of the arguments of a call is
    the call, and that of a decorator's arguments the decorator.
    """
    result: list[int] = []
    open_lines: list[tuple[int, int]] = []  # indentation, index
    for at, line in enumerate(lines):
        text = line.lstrip()
        if not text:
            result.append(-1)
            continue
        indentation, is_end = len(line) - len(text), text[0] in ")]}"
        while open_lines and (open_lines[-1][0] > indentation or (open_lines[-1][0] == indentation and not is_end)):
            open_lines.pop()
        result.append(open_lines[-1][1] if open_lines else -1)
        open_lines.append((indentation, at))
    return result


def head(lines: Sequence[str], at: int) -> range:
    """Return the indexes of the lines of the definition's head that begins at `at`: up to the end of its brackets; of a
    long head only the first lines.
    """
    depth = 0
    for end in range(at, min(at + LONGEST_HEAD, len(lines))):
        text = _STRING.sub("", lines[end]) if '"' in lines[end] else lines[end]
        depth += text.count("(") + text.count("[") - text.count(")") - text.count("]")
        if depth <= 0:
            return range(at, end + 1)
    return range(at, min(at + LONGEST_HEAD, len(lines)))


def prose(lines: Sequence[str], before: Sequence[str] = ()) -> set[int]:
    """Return the indexes of the lines of comments and documentation. The first line of each is left out, because it
    states the subject. `before` are the lines of the file above.
    """
    result: set[int] = set()
    above = "\n".join(before)
    quotes = next((sign for sign in _QUOTES if above.count(sign) % 2), "")
    is_documentation = is_begun = bool(quotes)
    for at, text in enumerate(map(str.strip, lines)):
        has_quotes = '"""' in text or "'''" in text
        if not quotes:
            is_documentation = has_quotes and text.startswith(_QUOTES)
        is_prose = (
            is_documentation if quotes or is_documentation else text[:1] in _COMMENTS and bool(_COMMENT.match(text))
        )
        if is_prose and is_begun:
            result.add(at)
        is_begun = is_prose and (is_begun or any(map(str.isalpha, text)))
        quotes = _after(text, quotes) if has_quotes else quotes
    return result


def _after(text: str, quotes: str) -> str:
    """The quotes of a multi-line text that is still open after this line; '' if none is."""
    if quotes:
        return "" if text.count(quotes) % 2 else quotes
    return next((sign for sign in _QUOTES if text.count(sign) % 2), "")

"""Private keys of several lines, complete or cut; the number of lines stays the same when they are removed."""

from __future__ import annotations

import re
from typing import Final

LONGEST_KEY: Final = 16_384  # characters of a private key; an RSA key of 16,384 bits has 12,700
SHORT_KEY: Final = 200  # characters between a begin and an end mark that count as a key without a check
_BEGIN: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PUTTY: Final = re.compile(r"(Private-Lines: \d+\n)((?:[A-Za-z0-9+/=]+\n?)+)")
_DENSE: Final = re.compile(r"[A-Za-z0-9+/=]{16,}")
# possessive, since + is in all three parts: a line of them could be divided in a million ways
_KEY_LINE: Final = re.compile(r"[ \t\"'+#*\\]{0,40}+[A-Za-z0-9+/=]{4,100}+[ \t\"'+\\nr;,]{0,20}+")
_KEY_LINES: Final = re.compile(rf"[\"'+\\nr;, ]{{0,20}}+\n?(?:{_KEY_LINE.pattern}(?:\n|\Z))+")


def without_blocks(text: str, removed: str) -> str:
    """Return `text` with `removed` in place of private keys, also of those of which only the beginning or the end is in
    the text.
    """
    pieces, at = [], 0
    if (end := _END.search(text)) and not _BEGIN.search(text, 0, end.start()):
        pieces, at = [_without_key_lines(text[: end.start()], removed)], end.start()
    while begin := _BEGIN.search(text, at):
        stop = _end_of_key(text, begin.end())
        pieces.append(text[at : begin.end()])
        if stop > begin.end():
            pieces.append(removed + "\n" * text.count("\n", begin.end(), stop))
        at = stop
    return _PUTTY.sub(lambda match: match[1] + removed + "\n" * match[2].count("\n"), "".join([*pieces, text[at:]]))


def _end_of_key(text: str, start: int) -> int:
    """The offset of the end of a key that begins at `start`: after its last line, or after the lines that look like a
    key; `start` for code that only mentions keys.
    """
    end = _END.search(text, start, start + LONGEST_KEY)
    body = end.start() - start if end else 0
    if end and (body <= SHORT_KEY or 2 * sum(map(len, _DENSE.findall(text, start, end.start()))) > body):
        return end.end()
    lines = _KEY_LINES.match(text, start)
    return lines.end() if lines else start


def _without_key_lines(head: str, removed: str) -> str:
    """The lines before the end of a key, with the key's lines replaced, which are the last of them."""
    lines = head.split("\n")
    at = len(lines) - 1 - (not lines[-1].strip())
    while at >= 0 and _KEY_LINE.fullmatch(lines[at]):
        lines[at] = removed
        at -= 1
    return "\n".join(lines)

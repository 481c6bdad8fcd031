"""Excerpts of a file's present text, without secrets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from codeagentd.model.ids import text_digest
from codeagentd.secrets.redaction import judged, shielded
from codeagentd.store.connection import Database

LONGEST_QUOTED: Final = 1000  # characters of a line that an answer quotes; longer ones are no source that people write


def excerpt(
    read: Callable[[], AbstractContextManager[Database]], path: str, lines: Sequence[str], start: int, end: int
) -> list[str]:
    """Return the lines `start` to `end` (1-based) of the file at `path`, whose text is `lines`, with secrets redacted;
    the number of lines stays the same.

    The issuers' rules run only if our own rules have doubts, and not if they already found nothing in this version of
    the file.
    """
    own = judged("\n".join(lines[start - 1 : end]), path)
    if own.is_doubtful and not _is_clean(read, path, lines):
        return shielded(own.text).split("\n")
    return own.text.split("\n") if start <= len(lines) else []


def shown_lines(db: Database, path: str, lines: Sequence[str]) -> Sequence[str]:
    """Return all `lines` of the file at `path`, redacted together: a secret may span several lines."""
    return excerpt(lambda: nullcontext(db), path, lines, 1, len(lines))


def quoted_line(shown: Sequence[str], line: int) -> str:
    """Return the redacted line with the number `line` (1-based) for an answer, as it stands in the file; '' if the file
    has no such line. Very long ones are cut, with … at the end.
    """
    text = shown[line - 1] if 0 < line <= len(shown) else ""
    return text if len(text) <= LONGEST_QUOTED else f"{text[: LONGEST_QUOTED - 1]}…"


def _is_clean(read: Callable[[], AbstractContextManager[Database]], path: str, lines: Sequence[str]) -> bool:
    with read() as db:
        return db.value("chunks.clean", (path, text_digest("\n".join(lines)))) is not None

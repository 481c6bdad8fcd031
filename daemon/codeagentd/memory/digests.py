"""Digests of code that do not change with formatting and renames: they show whether a text is still the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from codeagentd.model.ids import text_digest
from codeagentd.query.symbols.lookup import Subject

Lines = Callable[[str], Sequence[str]]


def of_symbol(lines: Lines, subject: Subject) -> bytes:
    """Return the digest of the text of `subject` without its own name; b'' when its file cannot be read."""
    text = lines(subject.path)[subject.line_start - 1 : subject.line_end]
    own = rf"(?<!\w){re.escape(subject.name)}(?!\w)"
    return _of(re.sub(own, "\0", "\n".join(text))) if text else b""


def of_file(lines: Lines, path: str) -> bytes:
    """Return the digest of the text of the file at `path`; b'' when it cannot be read."""
    text = lines(path)
    return _of("\n".join(text)) if text else b""


def _of(text: str) -> bytes:
    return text_digest(" ".join(text.split()))

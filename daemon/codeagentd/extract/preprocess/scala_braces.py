"""Scala: an opening brace on a line of its own, which the grammar takes for a block after the definition instead of the
definition's body.
"""

from __future__ import annotations

import re
from typing import Final

_ALONE: Final = re.compile(
    rb"^([ \t]*(?:(?:[a-z]+(?:\[\w+\])?|@[\w.]+)[ \t]+)*"
    rb"(?:class|object|trait|enum|extends|with|def)\b[^\n{}=;]*[^\n{}=;:\s])"
    rb"([ \t\r]*\n[ \t]*)(\{)(?=[ \t\r]*\n)",
    re.MULTILINE,
)


def braces(source: bytes) -> bytes:
    """Return `source` with each opening brace that has a line of its own moved to the end of the line above. Every
    other character keeps its offset.
    """
    return _ALONE.sub(rb"\1\3\2", source)

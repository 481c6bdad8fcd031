"""The language of a text that is read by lines, by its first lines: manual pages have any name, and .asc is AsciiDoc or
a signature.
"""

from __future__ import annotations

import functools
import re

from codeagentd.base.limits import TEXT_SAMPLE_BYTES

from .language import OTHER, languages


def language_instead(source: bytes, language: str) -> str:
    """Return the language that the begin of `source` says it is in; else `language`, which its name presumes."""
    sample = source[:TEXT_SAMPLE_BYTES]
    needed = languages()[language].recognised.needs.encode()
    presumed = language if re.search(needed, sample) else OTHER
    return next((name for name, has in _instead(language) if has.search(sample)), presumed)


def language_of_text(source: bytes, language: str) -> str:
    """Return the language of `source`, which its name presumes to be in `language`, one without a grammar."""
    sample = source[:TEXT_SAMPLE_BYTES]
    if language != OTHER:
        never = _never(language)
        return OTHER if never is not None and never.match(sample) else language
    return next((name for name, begins in _begins() if begins.match(sample)), OTHER)


@functools.cache
def _begins() -> list[tuple[str, re.Pattern[bytes]]]:
    return [
        (language.name, re.compile(language.recognised.begins.encode()))
        for language in languages().values()
        if language.recognised.begins
    ]


@functools.cache
def _instead(language: str) -> list[tuple[str, re.Pattern[bytes]]]:
    rules = languages()[language].recognised.instead
    return [(name, re.compile(pattern.encode())) for name, pattern in rules.items()]


@functools.cache
def _never(language: str) -> re.Pattern[bytes] | None:
    pattern = languages()[language].recognised.never
    return re.compile(pattern.encode()) if pattern else None

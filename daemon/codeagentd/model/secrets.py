"""What of a text must not be kept: keys, tokens and passwords, by their look and by what they are assigned to.

Names stay, so that a search for `api_key` finds the place; the value is gone.
"""

from __future__ import annotations

import re
from typing import Final

REMOVED: Final = "[redacted]"

_KEY_BLOCK: Final = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_CREDENTIALS: Final = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s/:@\"']{0,100}:)[^\s/@\"']{1,200}(@)", re.IGNORECASE)
_ASSIGNED: Final = re.compile(
    r"((?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|access_?key|private_?key|credential|auth)[\w-]{0,40}[\"']?\s{0,4}(?:[:=]|=>|:=)\s{0,4})"
    r"([\"'])(?:(?!\2)[^\\\n]|\\.){4,400}\2",
    re.IGNORECASE,
)
_BEARER: Final = re.compile(r"(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{16,}", re.IGNORECASE)
_KNOWN: Final = re.compile(  # how issuers mark their keys: AWS, GitHub, GitLab, Slack, Stripe, Google, npm, PyPI, SendGrid, OpenAI
    r"\b(?:(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|[rs]k_(?:live|test)_\w{10,}"
    r"|AIza[\w-]{30,}|ya29\.[\w-]{20,}|npm_\w{30,}|pypi-[\w-]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|sk-[\w-]{20,})"
)
_RANDOM: Final = re.compile(r"[A-Za-z0-9+/_=.-]{20,}")
_KINDS: Final = (re.compile(r"[0-9]"), re.compile(r"[A-Z]"), re.compile(r"[a-z]"))
_PARTS: Final = re.compile(r"[^A-Za-z0-9]")
_RUNS: Final = re.compile(r"[0-9]+|[A-Za-z]+")
_WORDLIKE: Final = re.compile(r"[A-Z]?[a-z]{3,}")


def redacted(text: str) -> str:
    """The text without what looks like a secret."""
    if "PRIVATE KEY" in text:
        text = _KEY_BLOCK.sub(REMOVED, text)
    if "://" in text:
        text = _CREDENTIALS.sub(rf"\1{REMOVED}\2", text)
    text = _ASSIGNED.sub(rf"\1\2{REMOVED}\2", text)
    text = _KNOWN.sub(REMOVED, text)
    text = _BEARER.sub(rf"\1{REMOVED}", text)
    return _RANDOM.sub(_unless_words, text)


def _unless_words(match: re.Match[str]) -> str:
    """Long runs of digits and letters of both cases that no words make up: a path or a long name consists of words."""
    run = match[0]
    if not _KINDS[0].search(run) or (sum(kind.search(run) is not None for kind in _KINDS) < 3 and not any(map(_is_mixed, _PARTS.split(run)))):
        return run
    words = sum(map(len, _WORDLIKE.findall(run)))
    return run if words * 2 > len(run) else REMOVED


def _is_mixed(part: str) -> bool:
    """Digits among letters again and again, as in a digest: `utf8` and `2024` are not."""
    return len(part) >= 20 and len(_RUNS.findall(part)) >= 5

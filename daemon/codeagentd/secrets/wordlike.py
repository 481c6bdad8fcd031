"""The share of a run of characters that is made of words: names and paths consist of words, random keys do not."""

from __future__ import annotations

import re
from typing import Final

HALF: Final = 0.5  # share of words that one random key in a hundred reaches by chance
MOST: Final = 0.75  # share of words that no random key reaches by chance

_WORDLIKE: Final = re.compile(r"[A-Z]?(?=[a-z]{0,20}[aeiouy])[a-z]{3,}|(?<![A-Za-z0-9])[A-Z]{3,}(?![A-Za-z0-9])")


def is_worded(run: str, share: float = HALF) -> bool:
    """Whether words make up more than `share` of the letters and digits of `run`, as in a path or a long name."""
    return sum(map(len, _WORDLIKE.findall(run))) > share * sum(map(str.isalnum, run))

"""Which words is an identifier made of?"""

from __future__ import annotations

import re

# A run of capitals up to the capital that begins a word, a word, a number: HTTPServer2 -> HTTP, Server, 2
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def split_words(name: str) -> list[str]:
    """The words of a name in lower case: UserService and user_service both give user, service."""
    return [word.lower() for word in _WORD.findall(name)]

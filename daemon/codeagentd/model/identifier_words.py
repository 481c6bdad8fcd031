"""The words of an identifier, and their form for full-text tables."""

from __future__ import annotations

import functools
import re

# A run of capitals up to the capital that begins a word, a word, a number: HTTPServer2 -> HTTP, Server, 2
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_CAMEL = re.compile(r"\b\w*[a-z0-9][A-Z]\w*")


def split_words(name: str) -> list[str]:
    """Return the words of `name` in lower case: UserService and user_service both give user, service."""
    return [word.lower() for word in _WORD.findall(name)]


def words_of(name: str) -> str:
    """Return the words of `name` in camelCase, separated by spaces, for a full-text table; '' for a name that the
    table's tokenizer splits itself.
    """
    if name.islower():
        return ""
    words = " ".join(filter(None, map(_words_of_part, name.split("_"))))
    return words if " " in words else ""


@functools.lru_cache(maxsize=50_000)
def _words_of_part(part: str) -> str:
    """Return the words of a part of a name between underscores: many names share it."""
    return " ".join(split_words(part))


def spelled(text: str) -> str:
    """Return `text`, followed by the words of the names in it that the tokenizer takes for single words."""
    return f"{text}\n{' '.join(map(words_of, _CAMEL.findall(text)))}"
